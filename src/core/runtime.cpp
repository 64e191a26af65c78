// SPDX-License-Identifier: Apache-2.0
// Starting the runtime, the runtime services for backends, and the child of a fork.
#include "core/runtime.h"

#include "base/config.h"
#include "base/fault_trap.h"
#include "base/log.h"
#include "base/process.h"
#include "core/backend_registry.h"
#include "core/context.h"
#include "core/kernel/kernel_file.h"
#include "core/queue_owner.h"
#include "core/work_watcher.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

namespace ferry {
namespace {

std::atomic<Runtime*> the_runtime{nullptr};
std::atomic<bool> is_forked_child{false};

// Held while the runtime starts or its devices are tapped.
constinit std::mutex start_mutex;
Runtime::Tap the_tap = nullptr;  // guarded by it

// Called in the child of a process that had used the runtime. The runtime's threads do not exist
// there and its locks may be held forever, so it is never touched again.
void disown_runtime_in_child() {
  the_runtime.store(nullptr);
  is_forked_child.store(true);
}

// False when the system has no memory for it; then it may be called again.
bool watch_process() {
  return pthread_atfork(nullptr, nullptr, disown_runtime_in_child) == 0 &&
         watch_for_exit(close_backends);
}

// ---- runtime services ----

int service_fail(int code, const char* text) {
  return fail(code, kEE9999, "%s", text).code();
}

int service_find_memory(const void* address, ferryx_memory* found) {
  Runtime* runtime = the_runtime.load(std::memory_order_acquire);
  return runtime != nullptr && runtime->memory().find(address, *found) ? 1 : 0;
}

uint64_t service_memory_epoch() {
  return the_runtime.load(std::memory_order_acquire)->memory().epoch();
}

ferryx_after_fault service_work_failed(void* cookie, const ferryx_fault* fault) {
  const WorkWatcher* const watcher = work_watcher.load(std::memory_order_acquire);
  if (watcher != nullptr) watcher->work_failed(*fault);
  return static_cast<QueueOwner*>(cookie)->take_fault(*fault);
}

ferryx_after_fault service_before_work(void* cookie) {
  return static_cast<QueueOwner*>(cookie)->is_stopped() ? FERRYX_STOP : FERRYX_CONTINUE;
}

void service_log(int level, const char* text) {
  const auto wanted = static_cast<LogLevel>(level);
  if (is_logged(wanted)) write_log(wanted, "%s", text);
}

uint64_t service_requested_size(const void* address) {
  ferryx_memory found{};
  if (service_find_memory(address, &found) == 0) return 0;
  return the_runtime.load(std::memory_order_acquire)->memory().requested_size(found);
}

const void* service_move_bytes(const ferryx_copy* items, size_t count) {
  return catch_fault([&](FaultTrap& trap) {
    for (size_t i = 0; i < count; ++i) {
      trap.expect(items[i].dst_storage, items[i].src_storage, items[i].size);
      std::memmove(items[i].dst_storage, items[i].src_storage, items[i].size);
    }
  });
}

constexpr ferryx_runtime kServices{.struct_size = sizeof(ferryx_runtime),
                                   .fail = service_fail,
                                   .find_memory = service_find_memory,
                                   .memory_epoch = service_memory_epoch,
                                   .work_failed = service_work_failed,
                                   .before_work = service_before_work,
                                   .log = service_log,
                                   .requested_size = service_requested_size,
                                   .move_bytes = service_move_bytes};

Status fail_in_child() {
  return fail(
      ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
      "this process was forked from one that had used the runtime before; use it only after "
      "the fork, or exec a new program");
}

// Which of `count` devices the program sees.
Problem pick_visible(size_t count, std::vector<uint32_t>& picked) {
  std::optional<std::vector<uint32_t>> visible;
  if (Problem wrong = read_visible_devices(visible)) return wrong;
  if (!visible.has_value()) {
    picked.resize(count);
    std::iota(picked.begin(), picked.end(), 0u);
    return {};
  }
  picked = std::move(*visible);
  for (const uint32_t index : picked) {
    if (index >= count) return wrong_visible_device(index, count);
  }
  return {};
}

}  // namespace

Result<Runtime*> Runtime::get() {
  if (Runtime* runtime = the_runtime.load(std::memory_order_acquire)) return runtime;
  FERRY_RETURN_IF_ERROR(start());
  return the_runtime.load(std::memory_order_acquire);
}

Status Runtime::start() {
  if (is_forked_child.load()) return fail_in_child();
  if (is_loading_kernels()) {
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
                "the runtime is not started yet: ferryRegisterKernels must not use it");
  }
  // One thread starts the runtime and the others wait for it. A failure is permanent, unless memory
  // was short: then the next call tries again.
  const std::lock_guard lock(start_mutex);
  if (the_runtime.load() != nullptr) return {};
  if (config().problems.empty() && problem() == nullptr) {
    // Kept even if opening fails: a backend that did open may still refer to it.
    static auto* runtime = new Runtime;
    install_fault_traps();
    Problem wrong = runtime->open(kServices);
    if (wrong == nullptr) {
      if (!watch_process()) {
        return fail(ACL_ERROR_BAD_ALLOC, kEH9999, "host memory is exhausted");
      }
      runtime->tap_devices();
      the_runtime.store(runtime, std::memory_order_release);
      return {};
    }
    if (wrong->code == ACL_ERROR_RT_MEMORY_ALLOCATION) {
      return fail(ACL_ERROR_RT_DEV_SETUP_ERROR, kEE1001, *wrong);
    }
    the_problem.store(wrong.release(), std::memory_order_release);
  }
  return fail(ACL_ERROR_RT_DEV_SETUP_ERROR, kEE1001,
              config().problems.empty() ? *problem() : config().problems.front(),
              "the configuration is not usable: ");
}

Runtime* Runtime::if_started() {
  return the_runtime.load(std::memory_order_acquire);
}

void Runtime::tap_devices() {
  for (const auto& device : devices_)
    device->set_tapped(the_tap == nullptr ? device->backend() : *the_tap(&device->backend()));
}

void Runtime::set_tap(Tap tap) {
  const std::lock_guard lock(start_mutex);
  the_tap = tap;
  if (Runtime* runtime = if_started()) runtime->tap_devices();
}

Problem Runtime::open(const ferryx_runtime& services) {
  std::vector<DeviceSource> sources;
  if (Problem wrong = open_backends(config(), services, sources)) return wrong;
  logical_device_count_ = static_cast<uint32_t>(sources.size());
  std::vector<uint32_t> picked;
  if (Problem wrong = pick_visible(sources.size(), picked)) return wrong;
  std::vector<std::unique_ptr<Device>> devices;
  for (const uint32_t index : picked) {
    const Device::Identity identity{.id = static_cast<int32_t>(devices.size()),
                                    .logical_id = static_cast<int32_t>(index)};
    devices.push_back(
        std::make_unique<Device>(identity, sources[index], static_cast<uint32_t>(picked.size())));
  }
  devices_ = std::move(devices);
  uses_several_backends = std::any_of(devices_.begin(), devices_.end(), [&](const auto& device) {
    return &device->backend() != &devices_.front()->backend();
  });
  return load_kernel_file(config().kernels.file);
}

Result<Device*> Runtime::device(int64_t id, const char* argument) const {
  if (id >= 0 && id < static_cast<int64_t>(devices_.size())) {
    return devices_[static_cast<size_t>(id)].get();
  }
  if (devices_.empty()) {
    return reject(ACL_ERROR_RT_INVALID_DEVICEID, kEE1003, argument, id)
        .because(", but there is no device: ASCEND_RT_VISIBLE_DEVICES is empty");
  }
  return reject(ACL_ERROR_RT_INVALID_DEVICEID, kEE1003, argument, id)
      .allowed("0 to %lld", static_cast<long long>(devices_.size()) - 1);
}

Device* Runtime::device_with_logical_id(int64_t logical_id) const {
  const auto found = std::find_if(devices_.begin(), devices_.end(), [&](const auto& device) {
    return device->logical_id() == logical_id;
  });
  return found == devices_.end() ? nullptr : found->get();
}

Result<Device*> find_device(int64_t id, const char* argument) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  return (*runtime)->device(id, argument);
}

const Soc& soc() {
  return *config().soc;
}

const Release& release() {
  return *config().release;
}

}  // namespace ferry
