// SPDX-License-Identifier: Apache-2.0
// One thread of the process for what must not happen on the thread of a running task: telling the
// program about exceptions, and ending work after a failure.
#pragma once

#include <functional>

namespace ferry {

// Runs the jobs one after the other, in the order given. Starts the thread at the first use; when
// the system has no room for it, the job runs on the calling thread.
void run_on_service_thread(std::function<void()> job);

// Returns when the jobs given so far are done. Does not wait on the service thread itself.
void wait_for_service_thread();

}  // namespace ferry
