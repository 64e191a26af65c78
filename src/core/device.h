// SPDX-License-Identifier: Apache-2.0
// One device of the program: its backend, its primary context, counts of its limited resources, and
// the devices it may copy to.
#pragma once

#include "base/status.h"
#include "core/core_limits.h"
#include "core/handle_table.h"

#include "ferry/backend.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace ferry {

class Context;
class Stream;

class ResourceCount;

// One of a limited number, given back at the end of its life.
class Resource {
 public:
  Resource() = default;
  Resource(Resource&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
  Resource& operator=(Resource&&) = delete;
  ~Resource();

  explicit operator bool() const { return of_ != nullptr; }

 private:
  friend class ResourceCount;
  explicit Resource(ResourceCount* of) : of_(of) {}

  ResourceCount* of_ = nullptr;
};

// Counts a resource of which a device has a limited number. May be shared between threads.
class ResourceCount {
 public:
  explicit ResourceCount(uint32_t limit) : limit_(limit) {}
  // Empty when all are taken.
  Resource take();
  uint32_t limit() const { return limit_; }
  uint32_t available() const { return limit_ - used_.load(std::memory_order_relaxed); }

 private:
  friend class Resource;

  const uint32_t limit_;
  std::atomic<uint32_t> used_{0};
};

// Where a device comes from: an opened backend and the device's index in it.
struct DeviceSource {
  const ferryx_backend* backend = nullptr;
  ferryx_instance* instance = nullptr;
  uint32_t index = 0;
};

// May be shared between threads; never destroyed.
class Device {
 public:
  struct Identity {
    int32_t id = 0;          // what the program calls it
    int32_t logical_id = 0;  // its place before ASCEND_RT_VISIBLE_DEVICES
  };

  Device(Identity identity, const DeviceSource& source, uint32_t device_count);

  int32_t id() const { return identity_.id; }
  int32_t logical_id() const { return identity_.logical_id; }
  const ferryx_backend& backend() const { return backend_; }
  // The table through which the program's work and memory go: backend(), or that of a tap over it,
  // which shares its handles and may come and go at any time. Everything else uses backend(), whose
  // address is the identity of the backend.
  const ferryx_backend& tapped() const { return *tapped_.load(std::memory_order_acquire); }
  // A table must live forever: a thread may still be inside.
  void set_tapped(const ferryx_backend& table) { tapped_.store(&table, std::memory_order_release); }
  ferryx_instance* instance() const { return instance_; }

  // Opens the device on first use; 507033 when that fails.
  Result<ferryx_device*> open();
  // nullptr until the device is open. Every device with a context or memory is.
  ferryx_device* handle() const { return handle_.load(std::memory_order_acquire); }

  // Executes work during the call.
  Status execute(ferryx_work& work) const;
  // The same for work that the program does not know of: the checker ignores it.
  Status execute_unseen(ferryx_work& work) const;

  // The primary context and the count of aclrtSetDevice.
  Result<Ref<Context>> retain_primary();
  Status release_primary();
  Status release_primary_now();
  bool has_primary();

  // The contexts on it, primary or not, and all their streams.
  void add_context(void* handle);
  void forget_context(void* handle);
  std::vector<Ref<Stream>> all_streams() const;

  // While the tasks of the device are aborted it refuses work with 107022. The number of aborts
  // that have begun tells a thread that waited whether one came meanwhile.
  void begin_task_abort();
  void end_task_abort() { aborting_.fetch_sub(1, std::memory_order_release); }
  uint64_t task_aborts() const { return task_aborts_.load(std::memory_order_acquire); }
  static uint64_t task_aborts_of_all();
  Status check_accepts_work() const {
    if (aborting_.load(std::memory_order_acquire) == 0) [[likely]]
      return {};
    return fail_aborting();
  }

  // A mode that programs set and read back; nothing depends on it.
  std::atomic<int> overflow_mode{1};
  // Limits for kernels, which ask for them: cores, and sizes by aclrtDeviceLimit.
  CoreLimits core_limits;
  std::array<std::atomic<uint32_t>, 5> kernel_limits{0, 0, 32768, 1048576, 0};

  ResourceCount& streams() { return streams_; }
  ResourceCount& events() { return events_; }
  ResourceCount& notifies() { return notifies_; }

  // Direct copies from this device to another, which A2 products require to be enabled first.
  bool is_peer_enabled(int32_t peer) const;
  Status enable_peer(Device& peer);
  Status disable_peer(Device& peer);

 private:
  Status fail_not_set() const;
  Status fail_aborting() const;

  const Identity identity_;
  const ferryx_backend& backend_;
  std::atomic<const ferryx_backend*> tapped_;
  ferryx_instance* const instance_;
  const uint32_t backend_index_;
  std::atomic<ferryx_device*> handle_{nullptr};
  std::atomic<uint32_t> aborting_{0};  // calls that abort its tasks now
  std::atomic<uint64_t> task_aborts_{0};

  std::mutex mutex_;  // guards opening, the primary context and its count, and changes of peers_
  Ref<Context> primary_;
  uint64_t set_count_ = 0;
  std::vector<std::atomic<bool>> peers_;

  mutable std::mutex contexts_mutex_;  // guards contexts_
  std::vector<void*> contexts_;

  ResourceCount streams_{1984};
  ResourceCount events_{65536};
  ResourceCount notifies_{8192};
};

}  // namespace ferry
