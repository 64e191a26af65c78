// SPDX-License-Identifier: Apache-2.0
// One launch of a kernel: a value that can be executed any number of times, so that captured models
// can replay it. Executing it calls the stand-in.
#pragma once

#include "base/fixed_text.h"
#include "base/status.h"
#include "core/kernel/argument_memory.h"
#include "core/kernel/binary.h"
#include "core/stream.h"

#include "acl/acl_rt.h"
#include "ferry/backend.h"
#include "ferry/kernel.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <vector>

namespace ferry {

constexpr uint32_t kMostBlocks = 65535;  // the field of the hardware has 16 bits

struct LaunchShape {
  uint32_t blocks = 1;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t threads[3] = {1, 1, 1};
  size_t ubuf_size = 0;

  static LaunchShape of_blocks(uint32_t blocks) {
    return {.blocks = blocks, .grid = {blocks, 1, 1}, .threads = {1, 1, 1}, .ubuf_size = 0};
  }
};

// Attributes of a launch, with valid values. Unknown ones are left out.
using LaunchAttributes = std::vector<aclrtLaunchKernelAttr>;
// 107000 when a value is not allowed. NULL is allowed.
Result<LaunchAttributes> check_launch_config(const aclrtLaunchKernelCfg* config);

// Bytes aligned to 64.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(size_t size) : bytes_(new (kAlignment) char[size]), size_(size) {}
  char* data() const { return bytes_.get(); }
  size_t size() const { return size_; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Delete {
    void operator()(char* bytes) const { operator delete[](bytes, kAlignment); }
  };

  std::unique_ptr<char[], Delete> bytes_;
  size_t size_ = 0;
};

// The arguments as the program passes them: bytes in host memory, whose placeholder words are set
// to device addresses; or an address in device memory, which is read when the kernel runs.
struct LaunchArguments {
  AlignedBytes bytes;
  std::vector<aclrtPlaceHolderInfo> placeholders;
  const void* device_address = nullptr;  // of arguments in device memory
  size_t device_size = 0;
};

// Copies bytes of the program, which may not be readable: 107000 then.
Status take_bytes(char* to, const void* from, size_t size, const Argument& argument);

struct LaunchRequest {
  Ref<KernelFunction> function;
  LaunchShape shape;
  LaunchAttributes attributes;
  LaunchArguments arguments;
};

// Never changed once it is made. May be shared between threads.
class KernelLaunch {
 public:
  // 507027 when the kernel has no stand-in any more, 207000 when the device cannot run any.
  static Result<std::shared_ptr<const KernelLaunch>> make(Device& device, LaunchRequest request);

  KernelFunction& function() const { return *request_.function; }
  const LaunchShape& shape() const { return request_.shape; }
  const LaunchAttributes& attributes() const { return request_.attributes; }
  // Where the argument block lies on the device, and its size.
  const void* address() const;
  size_t size() const;
  // The program has put the arguments into device memory: they are read at execution.
  bool has_device_arguments() const { return request_.arguments.device_address != nullptr; }
  // The host's copy of the block otherwise.
  std::span<const char> bytes() const;
  std::span<const ferryx_access> accesses() const { return accesses_; }
  const char* call() const { return call_; }
  const StandIn* stand_in() const { return stand_in_.get(); }  // nullptr: the launch is skipped

 private:
  KernelLaunch(LaunchRequest request, std::shared_ptr<const StandIn> stand_in);
  Status place_arguments(Device& device);
  Status declare(const Device& device);

  LaunchRequest request_;
  const std::shared_ptr<const StandIn> stand_in_;
  std::unique_ptr<ArgumentMemory> memory_;
  std::vector<ferryx_access> accesses_;
  const char* const call_;
};

// Queues one execution. The stream belongs to the calling thread's context. On a stream that
// changes a task group the launch replaces the next task of the group.
Status submit_launch(Stream& stream, const std::shared_ptr<const KernelLaunch>& launch);

// A launch in a model: it executes any number of times, and can be replaced. May be shared between
// threads.
class RecordedLaunch {
 public:
  // The stand-in is told the id of `stream`.
  RecordedLaunch(const Stream& stream, std::shared_ptr<const KernelLaunch> launch);

  std::shared_ptr<const KernelLaunch> launch() const;
  // What starts from now on executes this launch instead.
  void replace(std::shared_ptr<const KernelLaunch> launch);
  // Work that executes it, as long as this object lives. It declares the memory that the launch
  // uses as it is now.
  ferryx_work work();

 private:
  static int run(void* argument, int run);

  const int32_t stream_id_;
  const int32_t device_;
  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<const KernelLaunch> launch_;
  // The launch whose argument block the present one reads: a program can read the address of a
  // block and pass it on.
  std::shared_ptr<const KernelLaunch> block_owner_;
};

// 107017 when the function belongs to a binary on another device.
Status check_device_of(const KernelFunction& function, const Device& device);

// Whether the calling thread runs a kernel of the binary.
bool is_running_kernel_of(const Binary& binary);

// Inside a stand-in: translates an address of device memory. 100000 elsewhere, or when the range is
// not in live device memory.
Result<void*> kernel_address(const ferryKernelContext* context, const void* address, size_t size);

// The kernel that has just failed on the calling thread, and why; the launch is empty when none has
// since the last question.
struct KernelFailure {
  std::shared_ptr<const KernelLaunch> launch;
  FixedText text;
};
KernelFailure take_kernel_failure();

}  // namespace ferry

// The opaque type of ferry/kernel.h.
struct ferryKernelRanges {
  std::vector<ferryx_access>* accesses;
};
