// SPDX-License-Identifier: Apache-2.0
// The traces that profiling sessions of the program start and stop. They never change what the
// functions of aclprof return: what is wrong with a trace is in the log.
#pragma once

namespace ferry::api {

// Call after the session has changed.
void profiling_was_started();
void profiling_was_stopped();

}  // namespace ferry::api
