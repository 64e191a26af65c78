// SPDX-License-Identifier: Apache-2.0
#include "api/profile_trace.h"

#include "api/trace.h"
#include "base/log.h"
#include "core/profile/profiling.h"

#include <unistd.h>

#include <mutex>
#include <new>
#include <string>

namespace ferry::api {
namespace {

struct ProfileTrace {
  std::mutex mutex;  // guards the members below, and keeps starts and stops in order
  bool is_running = false;
  unsigned started = 0;  // in this process
};

ProfileTrace& profile_trace() {
  static auto* instance = new ProfileTrace;
  return *instance;
}

// Starts it where it can be written. The first trace is in the folder itself, where viewers look
// for it; later ones would replace it. Processes that are profiled together often have one folder.
std::string start_in(const std::string& path, unsigned number) {
  const std::string base = path.ends_with('/') ? path : path + "/";
  const std::string count = std::to_string(number);
  std::string wrong = try_to_start_trace(number == 1 ? base : base + count + "/");
  if (wrong.empty()) return "";
  const std::string own = base + std::to_string(getpid());
  if (try_to_start_trace(number == 1 ? own + "/" : own + "_" + count + "/").empty()) return "";
  return wrong;
}

// With the lock held.
void start(ProfileTrace& trace) {
  if (trace.is_running) return;
  if (is_tracing()) {
    FERRY_LOG(kInfo, "aclprofStart starts no trace of its own: one is running already");
    return;
  }
  const std::string path = profiling_path();
  const std::string wrong = start_in(path, trace.started + 1);
  if (!wrong.empty()) {
    FERRY_LOG(kWarn, "there is no trace of this profiling: %s %s", path.c_str(), wrong.c_str());
    return;
  }
  ++trace.started;
  trace.is_running = true;
}

// With the lock held.
void stop(ProfileTrace& trace) {
  if (!trace.is_running || is_profiling_started()) return;
  trace.is_running = false;
  const std::string wrong = try_to_stop_trace();
  if (!wrong.empty()) FERRY_LOG(kWarn, "the trace of this profiling: %s", wrong.c_str());
}

// Profiling has started or stopped, whether there is memory for the trace or not.
void change(void (*action)(ProfileTrace&)) {
  try {
    ProfileTrace& trace = profile_trace();
    const std::lock_guard lock(trace.mutex);
    action(trace);
  } catch (const std::bad_alloc&) {
    FERRY_LOG(kWarn, "there is no memory for the trace of this profiling");
  }
}

}  // namespace

void profiling_was_started() {
  change(start);
}

void profiling_was_stopped() {
  change(stop);
}

}  // namespace ferry::api
