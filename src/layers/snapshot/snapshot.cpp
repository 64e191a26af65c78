// SPDX-License-Identifier: Apache-2.0
// Which functions pass the gate follows from their names, so that new functions of the list need no
// line here. Functions that do not keep the slot of the table below.
#include "layers/snapshot/snapshot.h"

#include "base/call_gate.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ferry::layers::snapshot {
namespace {

// Whoever waits, queries, frees or destroys passes: none of it gives a device something to do, and
// a thread that ends its objects must not be held up.
constexpr std::string_view kHeldParts[] = {
    // memory
    "rtMalloc", "MemAllocManaged", "AllocBuf", "CopyBufRef", "HostRegister", "ReserveMemAddress",
    "rtMapMem", "MemMapSelectedLink", "MemMapNoAccess", "MemP2PMap", "MemImportFromShareableHandle",
    "IpcMemImportByKey", "MemPoolCreate", "MemPoolMalloc",
    // copies
    "Memcpy", "Memset", "CmoSetDesc",
    // objects
    "rtCreate", "NotifyCreate", "HandleCreate", "IpcOpenEventHandle", "NotifyImportByKey",
    "BinaryLoad", "RIBuildBegin", "CaptureBegin", "CaptureToModelRIBegin",
    // submissions
    "Async", "rtLaunch", "rtRecord", "StreamWaitEvent", "ResetEvent", "ResetNotify", "NotifyRecord",
    "NotifyWait", "NotifyReset", "ValueWrite", "ValueWait", "CmoWaitBarrier", "ProfTrace", "MarkEx",
    "GetStepTimestamp", "RIExecute", "SwitchStream", "ActiveStream", "SetLabel", "SwitchLabel",
    "EndTask", "AddCondTask", "OverflowStatus", "OverFlowStatus"};
constexpr std::string_view kAlsoHeld[] = {"aclrtSetDevice"};
constexpr std::string_view kNeverHeld[] = {"aclrtGetMemcpyDescSize"};

template <size_t N>
constexpr bool is_listed(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

constexpr bool is_held(std::string_view name) {
  if (is_listed(kNeverHeld, name)) return false;
  if (is_listed(kAlsoHeld, name)) return true;
  return std::any_of(std::begin(kHeldParts), std::end(kHeldParts), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

static_assert(is_held("aclrtMemcpyAsync") && is_held("aclrtMalloc") &&
              is_held("aclrtCreateStream"));
static_assert(!is_held("aclrtFree") && !is_held("aclrtSynchronizeStream"));
static_assert(!is_held("aclrtSnapShotProcessUnlock") && !is_held("aclrtSetDeviceSatMode"));

const DispatchTable* next_table = nullptr;

#define FERRY_API(ret, name, params, args, failure) \
  [[maybe_unused]] ret name params {                \
    const CallGate::Entry entry;                    \
    return next_table->name args;                   \
  }
#include "dispatch/api_list.def"

}  // namespace

// NOLINTNEXTLINE(readability-function-size): one line per function of the list
const DispatchTable& table_over(const DispatchTable& next) {
  static DispatchTable table;
  next_table = &next;
  table = next;
#define FERRY_API(ret, name, params, args, failure) \
  if constexpr (is_held(#name)) table.name = snapshot::name;
#include "dispatch/api_list.def"
  return table;
}

}  // namespace ferry::layers::snapshot
