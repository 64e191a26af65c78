// SPDX-License-Identifier: Apache-2.0
// What is measured for a profile: memory, streams, events, and single experiments on them.
#pragma once

#include "trace/trace.h"

#include "acl/acl.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ferry::tools::replay {

/// A call of the library failed.
struct CallFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void require(const char* function, aclError code);

/// Median of `rounds` runs of `body`, in nanoseconds, after one that does not count. `after` is not
/// measured.
double time_of(uint32_t rounds, const std::function<void()>& body,
               const std::function<void()>& after = {});

/// Blocks of one size, each a block apart, in a loop over both memories.
class Ground {
 public:
  Ground(int32_t device, trace::Direction direction, trace::Memory memory, uint64_t bytes);
  ~Ground();
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;

  /// From now on copies are of `bytes`, and use `footprint` bytes of both sides together.
  void shape(uint64_t bytes, uint64_t footprint);
  uint64_t blocks() const { return blocks_; }

  /// One copy of the next block.
  void copy(uint32_t stream = 0) { submit(next(), stream); }
  void call();
  /// Chooses the next blocks for batches; arrays are not a part of their time.
  void prepare_batch(uint32_t items);
  void batch();
  void synchronize(uint32_t stream = 0) const;
  aclrtStream stream(uint32_t index) const { return streams_[index]; }
  aclrtEvent event() const { return event_; }
  void* device_memory() const { return is_in_ ? dst_ : src_; }

 private:
  uint64_t next();
  void submit(uint64_t offset, uint32_t stream);
  void allocate();
  void* allocate_side(bool is_device);
  void release() noexcept;

  int32_t device_;
  trace::Direction direction_;
  trace::Memory memory_;
  uint64_t bytes_;  // of each side
  aclrtMemcpyKind kind_ = ACL_MEMCPY_HOST_TO_DEVICE;
  bool is_in_ = true;  // the destination is on the device
  void* dst_allocation_ = nullptr;
  void* src_allocation_ = nullptr;
  std::byte* dst_ = nullptr;  // in them
  std::byte* src_ = nullptr;
  aclrtStream streams_[2] = {nullptr, nullptr};
  aclrtEvent event_ = nullptr;
  uint64_t size_ = 0;
  uint64_t blocks_ = 1;
  uint64_t block_ = 0;          // the next one
  std::vector<void*> targets_;  // of a batch
  std::vector<void*> sources_;
  std::vector<size_t> sizes_;
};

}  // namespace ferry::tools::replay
