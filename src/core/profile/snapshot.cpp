// SPDX-License-Identifier: Apache-2.0
// One operation at a time. Callbacks of the program run without a lock: they may call the API.
#include "core/profile/snapshot.h"

#include "base/call_gate.h"
#include "base/fixed_text.h"
#include "base/program_call.h"
#include "core/profile/snapshot_memory.h"
#include "core/runtime.h"
#include "core/stream.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace ferry {
namespace {

enum class ProcessState { kRunning, kLocked, kBackedUp };

struct StageCallback {
  aclrtSnapShotCallBack function;
  void* argument;
};

constexpr size_t kStages = ACL_RT_SNAPSHOT_UNLOCK_POST + 1;

struct Snapshot {
  std::mutex mutex;  // guards state, is_busy and callbacks
  ProcessState state = ProcessState::kRunning;
  bool is_busy = false;  // an operation is under way
  std::array<std::vector<StageCallback>, kStages> callbacks;
  std::vector<SavedMemory> saved;      // belongs to the operation that is under way
  std::atomic<uint32_t> limit{10000};  // milliseconds
};

Snapshot& snapshot() {
  static auto* instance = new Snapshot;
  return *instance;
}

// Of the operation that is under way.
void drop_saved() {
  std::vector<SavedMemory>().swap(snapshot().saved);
}

const char* in_words(ProcessState state) {
  switch (state) {
    case ProcessState::kRunning:
      return "running";
    case ProcessState::kLocked:
      return "locked";
    case ProcessState::kBackedUp:
      return "backed up";
  }
  return "unknown";
}

std::vector<int32_t> devices_in_use() {
  std::vector<int32_t> ids;
  Result<Runtime*> runtime = Runtime::get();
  if (!runtime.ok()) return ids;
  for (uint32_t id = 0; id < (*runtime)->device_count(); ++id) {
    Result<Device*> device = (*runtime)->device(id);
    if (device.ok() && !(*device)->all_streams().empty()) ids.push_back(static_cast<int32_t>(id));
  }
  return ids;
}

// The calls of one stage. Collecting them may fail for lack of memory, so it is done before the
// operation that they follow.
struct StageCalls {
  explicit StageCalls(aclrtSnapShotStage of_stage) : stage(of_stage) {
    {
      Snapshot& all = snapshot();
      const std::lock_guard lock(all.mutex);
      callbacks = all.callbacks[stage];
    }
    if (!callbacks.empty()) devices = devices_in_use();
  }
  // A jump runs no destructors.
  void release() {
    std::vector<StageCallback>().swap(callbacks);
    std::vector<int32_t>().swap(devices);
  }

  aclrtSnapShotStage stage;
  std::vector<StageCallback> callbacks;
  std::vector<int32_t> devices;
};

// One of the four operations, which ends in the state that it was given last. If a callback leaves
// it for good, by a jump or the end of its thread, abandon() ends it instead.
class Operation {
 public:
  ~Operation() { abandon(); }
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  Status begin(std::initializer_list<ProcessState> allowed, aclError code) {
    Snapshot& all = snapshot();
    const std::lock_guard lock(all.mutex);
    if (all.is_busy) {
      return fail(code, kEE1018, "another snapshot call of the process is under way");
    }
    if (std::find(allowed.begin(), allowed.end(), all.state) == allowed.end()) {
      return fail(code, kEE1018, "the process is %s, allowed is %s", in_words(all.state),
                  in_words(*allowed.begin()));
    }
    all.is_busy = true;
    is_begun_ = true;
    return {};
  }
  static void reach(ProcessState state) {
    Snapshot& all = snapshot();
    const std::lock_guard lock(all.mutex);
    all.state = state;
  }
  void abandon() {
    if (!is_begun_) return;
    is_begun_ = false;
    Snapshot& all = snapshot();
    const std::lock_guard lock(all.mutex);
    all.is_busy = false;
  }

  // 507912 when a callback fails; the rest is not called.
  Status call_back(StageCalls calls);

 private:
  bool is_begun_ = false;
};

Status Operation::call_back(StageCalls calls) {
  for (size_t i = 0; i < calls.callbacks.size(); ++i) {
    for (size_t k = 0; k < calls.devices.size(); ++k) {
      const StageCallback callback = calls.callbacks[i];
      uint32_t code = 0;
      FixedText failure;
      call_program(
          Called::kOtherwise, Thrown::kEndsHere,
          [&] { code = callback.function(calls.devices[k], callback.argument); },
          [&](const char* instead) {
            if (instead == nullptr) return;
            failure = FixedText("%s", instead);
            code = 1;
            calls.release();
            abandon();
          });
      if (code == 0) continue;
      if (failure.c_str()[0] == '\0') failure = FixedText("returned %u", code);
      return fail(ACL_ERROR_SNAPSHOT_CALLBACK_FAILED, kEE1001, "a callback of stage %d %s",
                  calls.stage, failure.c_str());
    }
  }
  return {};
}

// Closes the gate. Opens it again at the end of the block, unless the process stays locked.
class ClosedGate {
 public:
  ClosedGate() { CallGate::instance().close(); }
  ~ClosedGate() {
    if (!stays_) CallGate::instance().open();
  }
  ClosedGate(const ClosedGate&) = delete;
  ClosedGate& operator=(const ClosedGate&) = delete;

  static bool wait_until_empty(const WaitLimit& limit) {
    return CallGate::instance().wait_until_empty(limit.deadline());
  }
  void stay() { stays_ = true; }

 private:
  bool stays_ = false;
};

// Work that calls have queued before the gate was closed.
bool wait_for_streams(Runtime& runtime, const WaitLimit& limit) {
  for (uint32_t id = 0; id < runtime.device_count(); ++id) {
    Result<Device*> device = runtime.device(id);
    if (!device.ok()) continue;
    for (const Ref<Stream>& stream : (*device)->all_streams()) {
      if (!stream->is_idle_within(limit)) return false;
    }
  }
  return true;
}

}  // namespace

Status lock_process() {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  Operation operation;
  FERRY_RETURN_IF_ERROR(operation.begin({ProcessState::kRunning}, ACL_ERROR_SNAPSHOT_LOCK_FAILED));
  FERRY_RETURN_IF_ERROR(operation.call_back(StageCalls(ACL_RT_SNAPSHOT_LOCK_PRE)));
  const WaitLimit limit(static_cast<int32_t>(snapshot().limit.load(std::memory_order_relaxed)));
  ClosedGate gate;
  if (!ClosedGate::wait_until_empty(limit) || !wait_for_streams(**runtime, limit)) {
    return fail(ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT, kEE1001,
                "calls or tasks of the process were not done after %d ms; it goes on",
                limit.milliseconds());
  }
  gate.stay();
  Operation::reach(ProcessState::kLocked);
  return {};
}

Status unlock_process() {
  Operation operation;
  FERRY_RETURN_IF_ERROR(operation.begin({ProcessState::kLocked, ProcessState::kBackedUp},
                                        ACL_ERROR_SNAPSHOT_UNLOCK_FAILED));
  StageCalls afterwards(ACL_RT_SNAPSHOT_UNLOCK_POST);
  drop_saved();
  Operation::reach(ProcessState::kRunning);
  CallGate::instance().open();
  return operation.call_back(std::move(afterwards));
}

Status back_up_process() {
  Operation operation;
  FERRY_RETURN_IF_ERROR(operation.begin({ProcessState::kLocked}, ACL_ERROR_SNAPSHOT_BACKUP_FAILED));
  FERRY_RETURN_IF_ERROR(operation.call_back(StageCalls(ACL_RT_SNAPSHOT_BACKUP_PRE)));
  StageCalls afterwards(ACL_RT_SNAPSHOT_BACKUP_POST);
  FERRY_TRY(std::vector<SavedMemory>, saved, save_device_memory());
  snapshot().saved = std::move(*saved);
  Operation::reach(ProcessState::kBackedUp);
  return operation.call_back(std::move(afterwards));
}

Status restore_process() {
  Operation operation;
  FERRY_RETURN_IF_ERROR(
      operation.begin({ProcessState::kBackedUp}, ACL_ERROR_SNAPSHOT_RESTORE_FAILED));
  FERRY_RETURN_IF_ERROR(operation.call_back(StageCalls(ACL_RT_SNAPSHOT_RESTORE_PRE)));
  StageCalls afterwards(ACL_RT_SNAPSHOT_RESTORE_POST);
  FERRY_RETURN_IF_ERROR(restore_device_memory(snapshot().saved));
  drop_saved();
  Operation::reach(ProcessState::kLocked);
  return operation.call_back(std::move(afterwards));
}

Status add_snapshot_callback(aclrtSnapShotStage stage, aclrtSnapShotCallBack function,
                             void* argument) {
  Snapshot& all = snapshot();
  const std::lock_guard lock(all.mutex);
  std::vector<StageCallback>& list = all.callbacks[stage];
  const bool is_known = std::any_of(list.begin(), list.end(), [&](const StageCallback& each) {
    return each.function == function;
  });
  if (is_known) {
    return fail(ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED, kEE1001,
                "the callback is registered for stage %d already", stage);
  }
  list.push_back({function, argument});
  return {};
}

Status remove_snapshot_callback(aclrtSnapShotStage stage, aclrtSnapShotCallBack function) {
  Snapshot& all = snapshot();
  const std::lock_guard lock(all.mutex);
  std::vector<StageCallback>& list = all.callbacks[stage];
  const size_t removed =
      std::erase_if(list, [&](const StageCallback& each) { return each.function == function; });
  if (removed > 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "callback",
                reinterpret_cast<const void*>(function))
      .because(", which is not registered for stage %d", stage);
}

void set_snapshot_limit(uint32_t milliseconds) {
  snapshot().limit.store(std::min<uint32_t>(milliseconds, INT32_MAX), std::memory_order_relaxed);
}

}  // namespace ferry
