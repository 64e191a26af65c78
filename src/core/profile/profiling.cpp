// SPDX-License-Identifier: Apache-2.0
// Started configurations are compared by their contents: programs create them anew to stop.
#include "core/profile/profiling.h"

#include "core/profile/annotations.h"

#include "acl/acl_prof.h"

#include <algorithm>
#include <mutex>

namespace ferry {
namespace {

using Contents = ProfilingConfig::Contents;

struct Session {
  std::mutex mutex;  // guards the members below
  bool is_open = false;
  std::string path;
  std::vector<Contents> started;
};

Session& session() {
  static auto* instance = new Session;
  return *instance;
}

bool share_a_device(const Contents& a, const Contents& b) {
  if (a.devices.empty() || b.devices.empty()) return a.devices.empty() && b.devices.empty();
  return std::any_of(a.devices.begin(), a.devices.end(), [&](uint32_t device) {
    return std::binary_search(b.devices.begin(), b.devices.end(), device);
  });
}

void declare_interest(const std::vector<Contents>& started) {
  uint32_t interest = 0;
  for (const Contents& config : started)
    interest |= kInSteps | ((config.types & ACL_PROF_MSPROFTX) != 0 ? kInMarks : 0U);
  set_interest(InterestOf::kProfiling, interest);
}

}  // namespace

Status open_profiling(const std::string& path) {
  Session& current = session();
  const std::lock_guard lock(current.mutex);
  if (current.is_open) {
    return fail(ACL_ERROR_REPEAT_INITIALIZE, kEH0009,
                "it was called before: call aclprofFinalize first");
  }
  current.path = path;
  current.is_open = true;
  return {};
}

void close_profiling() {
  Session& current = session();
  const std::lock_guard lock(current.mutex);
  current.is_open = false;
  current.path.clear();
  current.started.clear();
  declare_interest(current.started);
}

bool is_profiling_open() {
  Session& current = session();
  const std::lock_guard lock(current.mutex);
  return current.is_open;
}

std::string profiling_path() {
  Session& current = session();
  const std::lock_guard lock(current.mutex);
  return current.path;
}

bool is_profiling_started() {
  Session& current = session();
  const std::lock_guard lock(current.mutex);
  return !current.started.empty();
}

Status start_profiling(const Contents& config) {
  Session& current = session();
  const std::lock_guard lock(current.mutex);
  if (!current.is_open) {
    return fail(ACL_ERROR_PROF_NOT_RUN, kEH0009,
                "profiling is not initialised: call aclprofInit first");
  }
  for (const Contents& other : current.started) {
    if (other == config) return {};
    if (share_a_device(other, config)) {
      return fail(ACL_ERROR_PROF_ALREADY_RUN, kEH0009,
                  "a device of profilerConfig is profiled with another configuration: stop that "
                  "first");
    }
  }
  std::vector<Contents> started = current.started;
  started.push_back(config);
  declare_interest(started);
  current.started.swap(started);
  return {};
}

Status stop_profiling(const Contents& config) {
  Session& current = session();
  const std::lock_guard lock(current.mutex);
  if (!current.is_open) return {};
  const auto found = std::find(current.started.begin(), current.started.end(), config);
  if (found == current.started.end()) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009,
                "no profiling with a configuration like profilerConfig is running");
  }
  current.started.erase(found);
  declare_interest(current.started);
  return {};
}

}  // namespace ferry
