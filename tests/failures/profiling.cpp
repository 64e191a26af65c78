// SPDX-License-Identifier: Apache-2.0
// The chapters about profiling, dumps, buffers of queues and snapshots.
#include "attempt.h"
#include "program.h"

#include "acl/acl_dump.h"
#include "acl/acl_prof.h"
#include "ferry/ferry.h"

#include <unistd.h>

#include <cstring>

namespace failures {
namespace {

void mark_and_range(void* stamp, Bench& bench) {
  uint32_t range = 0;
  uint64_t long_range = 0;
  OK(aclprofSetStampTraceMessage(stamp, "a text that is too long for no allocation", 41));
  OK(aclprofMark(stamp));
  OK(aclprofPush(stamp));
  OK(aclprofRangeStart(stamp, &range));
  OK(aclprofMarkEx("mark", 4, bench.stream));
  OK(ferryRangeStart("domain", "range", bench.stream, &long_range));
  if (long_range != 0) OK(ferryRangeEnd("domain", long_range));
  if (range != 0) OK(aclprofRangeStop(range));
  OK(aclprofPop());
  char data[18] = {};
  OK(aclrtProfTrace(data, sizeof data, bench.stream));
}

void stamp_step(Bench& bench) {
  aclprofStepInfo* step = MADE(aclprofCreateStepInfo());
  if (step == nullptr) return;
  OK(aclprofGetStepTimestamp(step, ACL_STEP_START, bench.stream));
  OK(aclprofGetStepTimestamp(step, ACL_STEP_END, bench.stream));
  aclprofDestroyStepInfo(step);
}

uint32_t succeed(int32_t /*device*/, void* /*argument*/) {
  return 0;
}

// The contract has one code for a failed backup, whatever the reason.
aclError back_up() {
  const aclError code = aclrtSnapShotProcessBackup(getpid(), nullptr);
  return code == ACL_ERROR_SNAPSHOT_BACKUP_FAILED ? ACL_ERROR_BAD_ALLOC : code;
}

}  // namespace

void use_profiling(Bench& bench) {
  constexpr const char* kFolder = "/proc/ferry";  // where no trace can be written
  OK(aclprofInit(kFolder, std::strlen(kFolder)));
  uint32_t device = 0;
  aclprofConfig* config =
      MADE(aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_MSPROFTX));
  void* stamp = MADE(aclprofCreateStamp());
  if (config != nullptr && stamp != nullptr) {
    OK(aclprofStart(config));
    mark_and_range(stamp, bench);
    stamp_step(bench);
    OK(aclprofStop(config));
  }
  if (config != nullptr) OK(aclprofDestroyConfig(config));
  if (stamp != nullptr) aclprofDestroyStamp(stamp);
  OK(aclprofFinalize());
  OK(aclrtSynchronizeStream(bench.stream));
}

void use_dumps() {
  OK(aclmdlInitDump());
  OK(aclmdlFinalizeDump());
  OK(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, "/tmp"));
  OK(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
}

void use_buffers() {
  aclrtMbuf head = nullptr;
  aclrtMbuf member = nullptr;
  aclrtMbuf shared = nullptr;
  OK(aclrtAllocBuf(&head, Bench::kBytes));
  if (head == nullptr) return;
  OK(aclrtAllocBuf(&member, Bench::kBytes));
  OK(aclrtCopyBufRef(head, &shared));
  if (member != nullptr) OK(aclrtAppendBufChain(head, member));
  if (shared != nullptr) OK(aclrtFreeBuf(shared));
  OK(aclrtFreeBuf(head));
}

void use_snapshots(Bench& bench) {
  OK(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_BACKUP_POST, succeed, nullptr));
  OK(aclrtMemset(bench.device, Bench::kBytes, 6, Bench::kBytes));
  OK(aclrtSnapShotProcessLock(getpid(), nullptr));
  OK(back_up());
  OK(aclrtMemset(bench.device, Bench::kBytes, 7, Bench::kBytes));
  OK(aclrtSnapShotProcessRestore(getpid(), nullptr));
  OK(aclrtSnapShotProcessUnlock(getpid(), nullptr));
  OK(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_BACKUP_POST, succeed));
  OK(aclrtMemcpy(bench.target, Bench::kBytes, bench.device, Bench::kBytes,
                 ACL_MEMCPY_DEVICE_TO_HOST));
  expect_filled("restored memory", bench.target, 6, Bench::kBytes);
}

}  // namespace failures
