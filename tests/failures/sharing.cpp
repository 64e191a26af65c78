// SPDX-License-Identifier: Apache-2.0
// Chapters about what processes share. The program imports what it has exported itself: handles on
// its second device, keys on the first.
#include "attempt.h"
#include "program.h"

#include <unistd.h>

namespace failures {
namespace {

constexpr size_t kPage = size_t{2} << 20;
constexpr size_t kBytes = 4096;
constexpr size_t kKeySize = 65;

// The thread that answers other processes frees memory that was imported last, later than the call
// that ends the import. An import of a notify waits for it: the answer comes over the same
// connection, which stays as long as another import lives.
class Answers {
 public:
  Answers() {
    OK(aclrtCreateNotify(&notify_, 0));
    if (notify_ == nullptr) return;
    OK(aclrtNotifyGetExportKey(notify_, key_, kKeySize,
                               ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    OK(aclrtNotifyImportByKey(&imported_, key_, 0));
  }
  ~Answers() {
    await();
    if (imported_ != nullptr) OK(aclrtDestroyNotify(imported_));
    if (notify_ != nullptr) OK(aclrtDestroyNotify(notify_));
  }
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

 private:
  void await() const {
    if (imported_ == nullptr) return;
    aclrtNotify again = nullptr;
    OK(aclrtNotifyImportByKey(&again, key_, 0));
    if (again != nullptr) OK(aclrtDestroyNotify(again));
  }

  aclrtNotify notify_ = nullptr;
  aclrtNotify imported_ = nullptr;
  char key_[kKeySize] = {};
};

// Reserved addresses with physical memory of one handle.
struct View {
  void make(aclrtDrvMemHandle handle) {
    OK(aclrtReserveMemAddress(&address, kPage, 0, nullptr, 1));
    if (address == nullptr) return;
    OK(aclrtMapMem(address, kPage, 0, handle, 0));
  }
  void destroy() {
    if (address == nullptr) return;
    OK(aclrtUnmapMem(address));
    OK(aclrtReleaseMemAddress(address));
  }

  void* address = nullptr;
};

// The bytes that the exporter has written are there for the importer.
void compare_views(aclrtDrvMemHandle exported, aclrtDrvMemHandle imported) {
  View here;
  View there;
  if (exported != nullptr) here.make(exported);
  if (imported != nullptr) there.make(imported);
  if (here.address != nullptr && there.address != nullptr) {
    OK(aclrtMemset(here.address, kBytes, 5, kBytes));
    char back[kBytes] = {};
    OK(aclrtMemcpy(back, kBytes, there.address, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
    expect_filled("imported physical memory", back, 5, kBytes);
  }
  here.destroy();
  there.destroy();
}

aclrtDrvMemHandle make_physical() {
  aclrtPhysicalMemProp prop{};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtDrvMemHandle handle = nullptr;
  OK(aclrtMallocPhysical(&handle, kPage, &prop, 0));
  return handle;
}

void share_by_number() {
  aclrtDrvMemHandle handle = make_physical();
  if (handle == nullptr) return;
  uint64_t number = 0;
  OK(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE,
                                     ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION, &number));
  aclrtDrvMemHandle imported = nullptr;
  OK(aclrtMemImportFromShareableHandle(number, 1, &imported));
  compare_views(handle, imported);
  if (imported != nullptr) OK(aclrtFreePhysical(imported));
  OK(aclrtFreePhysical(handle));
}

// For the processes of a list. The exporter frees its memory first.
void share_by_fabric_handle() {
  aclrtDrvMemHandle handle = make_physical();
  if (handle == nullptr) return;
  aclrtMemFabricHandle bytes{};
  OK(aclrtMemExportToShareableHandleV2(handle, ACL_RT_VMM_EXPORT_FLAG_DEFAULT,
                                       ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &bytes));
  int32_t self = getpid();
  OK(aclrtMemSetPidToShareableHandleV2(&bytes, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &self, 1));
  OK(aclrtSetDevice(1));
  aclrtDrvMemHandle imported = nullptr;
  OK(aclrtMemImportFromShareableHandleV2(&bytes, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &imported));
  OK(aclrtFreePhysical(handle));
  if (imported != nullptr) OK(aclrtFreePhysical(imported));
  OK(aclrtSetDevice(0));
  OK(aclrtResetDevice(1));
  OK(aclrtResetDevice(0));  // of the second call of aclrtSetDevice
}

}  // namespace

void share_physical_memory() {
  uint32_t devices = 0;
  OK(aclrtGetDeviceCount(&devices));
  if (uses_cuda() || devices < 2) return;
  const Answers answers;
  share_by_number();
  share_by_fabric_handle();
}

void share_memory() {
  if (uses_cuda()) return;
  const Answers answers;
  void* memory = nullptr;
  OK(aclrtMalloc(&memory, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  if (memory == nullptr) return;
  OK(aclrtMemset(memory, kBytes, 6, kBytes));
  char listed[kKeySize] = {};
  // Whole large pages: how many nodes AddressMap keeps for smaller ranges depends on the addresses
  // that the system happens to choose.
  OK(aclrtIpcMemGetExportKey(memory, kPage, listed, kKeySize, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT));
  int32_t self = getpid();
  OK(aclrtIpcMemSetImportPid(listed, &self, 1));
  void* imported = nullptr;
  OK(aclrtIpcMemImportByKey(&imported, listed, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS));
  void* again = nullptr;
  OK(aclrtIpcMemImportByKey(&again, listed, 0));
  char back[kBytes] = {};
  if (again != nullptr) OK(aclrtMemcpy(back, kBytes, again, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  expect_filled("imported memory", back, 6, kBytes);
  // Two imports; the third call closes the key itself.
  if (imported != nullptr) OK(aclrtIpcMemClose(listed));
  if (again != nullptr) OK(aclrtIpcMemClose(listed));
  OK(aclrtIpcMemClose(listed));

  char open[kKeySize] = {};
  OK(aclrtIpcMemGetExportKey(memory, kPage, open, kKeySize,
                             ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
  void* kept = nullptr;
  OK(aclrtIpcMemImportByKey(&kept, open, 0));
  OK(aclrtFree(memory));  // the memory lives on until it is closed
  if (kept != nullptr) OK(aclrtIpcMemClose(open));
}

void share_notifies(Bench& bench) {
  if (uses_cuda()) return;
  aclrtNotify notify = nullptr;
  OK(aclrtCreateNotify(&notify, 0));
  if (notify == nullptr) return;
  char key[kKeySize] = {};
  OK(aclrtNotifyGetExportKey(notify, key, kKeySize, ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT));
  int32_t self = getpid();
  OK(aclrtNotifySetImportPid(notify, &self, 1));
  aclrtNotify imported = nullptr;
  OK(aclrtNotifyImportByKey(&imported, key, 0));
  if (imported != nullptr) {
    OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 4, Bench::kBytes, bench.stream));
    OK(aclrtRecordNotify(imported, bench.stream));
    OK(aclrtWaitAndResetNotify(notify, bench.other, 1000));
    OK(aclrtMemcpyAsync(bench.target, Bench::kBytes, bench.device, Bench::kBytes,
                        ACL_MEMCPY_DEVICE_TO_HOST, bench.other));
    OK(aclrtSynchronizeStream(bench.stream));
    OK(aclrtSynchronizeStream(bench.other));
    expect_filled("a copy behind an imported notify", bench.target, 4, Bench::kBytes);
    OK(aclrtDestroyNotify(imported));
  }
  OK(aclrtDestroyNotify(notify));
}

}  // namespace failures
