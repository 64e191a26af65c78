// SPDX-License-Identifier: Apache-2.0
// All of it is small state under one lock.
#include "core/profile/dump.h"

#include "base/log.h"
#include "base/never_destroyed.h"

#include <atomic>
#include <map>
#include <mutex>
#include <set>

namespace ferry {
namespace {

struct DumpState {
  std::mutex mutex;  // guards the members below
  bool is_begun = false;
  std::map<acldumpType, const char*> paths;
  // Every path that was ever configured: the program may keep the pointer.
  std::set<std::string> texts;
  DumpCallback callback = nullptr;
};

DumpState& dump_state() {
  static NeverDestroyed<DumpState> instance;
  return *instance;
}

std::atomic<bool> dumps_arguments{false};

}  // namespace

Status begin_dump() {
  DumpState& dump = dump_state();
  const std::lock_guard lock(dump.mutex);
  if (dump.is_begun) {
    return fail(ACL_ERROR_REPEAT_INITIALIZE, kEH0009, "it was called before: end that dump first");
  }
  dump.is_begun = true;
  return {};
}

Status check_dump_begun() {
  DumpState& dump = dump_state();
  const std::lock_guard lock(dump.mutex);
  if (dump.is_begun) return {};
  return fail(ACL_ERROR_DUMP_NOT_RUN, kEH0009, "no dump is open: call aclmdlInitDump first");
}

void set_dump(const DumpSettings& settings) {
  DumpState& dump = dump_state();
  const std::lock_guard lock(dump.mutex);
  dump.paths.clear();
  if (!settings.path.empty()) {
    dump.paths[settings.type] = dump.texts.insert(settings.path).first->c_str();
  }
  FERRY_LOG(kInfo, "aclmdlSetDump: the settings are kept, but Ferry writes no dump files");
}

Status end_dump() {
  FERRY_RETURN_IF_ERROR(check_dump_begun());
  forget_dump();
  return {};
}

void forget_dump() {
  DumpState& dump = dump_state();
  const std::lock_guard lock(dump.mutex);
  dump.is_begun = false;
  dump.paths.clear();
}

const char* dump_path(acldumpType type) {
  DumpState& dump = dump_state();
  const std::lock_guard lock(dump.mutex);
  const auto found = dump.paths.find(type);
  return found == dump.paths.end() ? nullptr : found->second;
}

void set_dump_callback(DumpCallback callback) {
  DumpState& dump = dump_state();
  const std::lock_guard lock(dump.mutex);
  dump.callback = callback;
}

void start_dumping_arguments() {
  dumps_arguments.store(true, std::memory_order_release);
}

Status stop_dumping_arguments() {
  if (dumps_arguments.exchange(false, std::memory_order_acq_rel)) return {};
  return fail(ACL_ERROR_FAILURE, kEH0009, "no dump of arguments was started");
}

bool is_dumping_arguments() {
  return dumps_arguments.load(std::memory_order_acquire);
}

}  // namespace ferry
