// SPDX-License-Identifier: Apache-2.0
// What both sides need of AscendCL: memory that is exported or imported by a FABRIC handle, and
// notifies.
#pragma once

#include "bench/client.h"
#include "bench/fabric/protocol.h"

namespace ferry::bench::fabric {

/// Device memory of kPoolBytes, made here or imported, and mapped.
class FabricMemory {
 public:
  FabricMemory();
  explicit FabricMemory(const char (&handle)[128]);
  ~FabricMemory();
  FabricMemory(const FabricMemory&) = delete;
  FabricMemory& operator=(const FabricMemory&) = delete;

  std::byte* start() const { return start_; }
  /// Only for memory that was made here, and once.
  void export_to(char (&handle)[128]) const;

 private:
  void map();
  void release();

  aclrtDrvMemHandle handle_ = nullptr;
  std::byte* start_ = nullptr;
  bool is_mapped_ = false;
};

/// A notify of this process, or another's.
class SharedNotify {
 public:
  SharedNotify() { check(aclrtCreateNotify(&handle_, 0)); }
  explicit SharedNotify(const char* key) { check(aclrtNotifyImportByKey(&handle_, key, 0)); }
  ~SharedNotify() { static_cast<void>(aclrtDestroyNotify(handle_)); }
  SharedNotify(const SharedNotify&) = delete;
  SharedNotify& operator=(const SharedNotify&) = delete;

  void export_to(char (&key)[65]) const;
  void record(const Stream& stream) const { check(aclrtRecordNotify(handle_, stream.handle())); }
  void wait(const Stream& stream) const {
    check(aclrtWaitAndResetNotify(handle_, stream.handle(), 0));
  }

 private:
  aclrtNotify handle_ = nullptr;
};

}  // namespace ferry::bench::fabric
