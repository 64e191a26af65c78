// SPDX-License-Identifier: Apache-2.0
// One thread per process for what must not run on the thread of a running task: calling the
// program's exception callback, and ending work after a failure.
#pragma once

#include <functional>

namespace ferry {

// Runs the jobs one after the other, in the order given. Starts the thread on first use; if the
// system cannot create it, the job runs on the calling thread.
void run_on_service_thread(std::function<void()> job);

// Returns when the jobs given so far are done. Returns at once on the service thread itself.
void wait_for_service_thread();

}  // namespace ferry
