// SPDX-License-Identifier: Apache-2.0
// The line of a script that makes the calls of a thread, as the interpreter's bindings note it.
#pragma once

#include <atomic>

namespace ferry {

// Whether the bindings are to note it: while a trace is running.
inline std::atomic<bool> wants_script_places{false};

// NULL: none. The text lives forever. Owned by the thread.
inline constinit thread_local const char* script_place = nullptr;

}  // namespace ferry
