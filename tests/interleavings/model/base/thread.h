// SPDX-License-Identifier: Apache-2.0
// Takes the place of src/base/thread.h: the thread is the copy thread of the run.
#pragma once

#include "base/status.h"
#include "interleavings/run.h"

#include <functional>
#include <utility>

namespace ferry {
namespace interleavings {

// In a namespace of its own: the library of src/base defines another one.
inline Status start_thread(const char* /*name*/, std::function<void()> body) {
  run().copy_thread = std::move(body);
  return {};
}

}  // namespace interleavings
using interleavings::start_thread;
}  // namespace ferry
