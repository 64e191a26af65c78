// SPDX-License-Identifier: Apache-2.0
// Threads that wait for queued work, and work that runs outside of the backend.
#pragma once

#include <atomic>
#include <cstdint>

namespace ferry {

// In ferryx_work.epoch of a FERRYX_CALLOUT, which has no other use there: `start` takes no longer
// than a small copy and takes no lock that submitters hold, so the submitting thread may call it
// instead of waking another one.
constexpr uint64_t kPromptCallout = 1;

// Makes progress with work that a front executes outside of the backend, such as copies to other
// hosts. False when nothing has happened for a while: then the caller had better sleep, and other
// threads go on with it.
using HelpFunction = bool (*)();

// What a thread that waits for work calls instead of sleeping; nullptr: there is no such work. Set
// once, before the first queue exists.
inline std::atomic<HelpFunction> help_function{nullptr};

inline bool is_help_wanted() {
  return help_function.load(std::memory_order_acquire) != nullptr;
}

// Without locks of the backend.
inline bool help_along() {
  const HelpFunction help = help_function.load(std::memory_order_acquire);
  return help != nullptr && help();
}

}  // namespace ferry
