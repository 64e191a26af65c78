// SPDX-License-Identifier: Apache-2.0
// What connects traces with the runtime and the checker.
#pragma once

#include <string>

namespace ferry {

// Call before the first trace. It can be repeated.
void connect_trace();

// For profiling sessions of the program. Return "" or what is wrong, as text for the log: the
// thread's error text stays as it is.
bool is_tracing();
std::string try_to_start_trace(const std::string& path);
std::string try_to_stop_trace();

}  // namespace ferry
