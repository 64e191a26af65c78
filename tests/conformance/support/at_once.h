// SPDX-License-Identifier: Apache-2.0
// Several threads that do the same at the same time.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace conformance {

// Runs body(0), body(1) ... on new threads, which have no context, and waits for them.
template <class Body>
void at_once(size_t count, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (size_t i = 0; i < count; ++i)
    threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace conformance
