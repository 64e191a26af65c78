// SPDX-License-Identifier: Apache-2.0
// Opens CPU devices, and executes work done during a call.
#include "backends/cpu/device.h"

#include "backends/cpu/address_space.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/fault_handler.h"
#include "backends/cpu/memory_use.h"
#include "backends/cpu/queue.h"
#include "backends/cpu/refresh.h"
#include "backends/cpu/services.h"
#include "backends/cpu/stream_copy.h"
#include "backends/cpu/value_watch.h"
#include "base/fault_trap.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <unistd.h>

#include <algorithm>
#include <memory>

namespace ferry::cpu {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;
constexpr uint64_t kAllDeviceAddresses = 1024 * kGiB;
// Extra addresses, so that contiguous ranges remain despite fragmentation.
constexpr uint64_t kAddressesPerByte = 4;
// Every block has pages of its own, and blocks can be as small as an eighth of a page. A device of
// 4 GiB or less can be filled with the smallest ones.
constexpr uint64_t kAddressesPerSmallByte = 16;
constexpr uint64_t kMostSmallAddresses = 64 * kGiB;
constexpr uint32_t kMostDefaultThreads = 4;

uint32_t core_count() {
  return static_cast<uint32_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
}

// The program's own threads use the cores too: they copy while they wait.
uint32_t default_threads() {
  return std::clamp(core_count(), 1u, kMostDefaultThreads);
}

// Runs a prepared task with the help of the copy threads, and returns when it is done: nullptr, or
// an address that could not be accessed.
const void* run_shared(ferryx_device& device, std::unique_ptr<Task> task) {
  task->is_prepared = true;
  const uint64_t cost = cost_of(*task);
  task->bypasses_cache = cost > cache_size();
  // Running it alone takes no longer than asking for help; under shuffle no other thread helps.
  if (device.engine.shuffles() || cost <= kLeastShared || device.engine.start() != ACL_SUCCESS) {
    return run_whole(*task);
  }
  Queue queue(device.engine, nullptr);
  queue.submit(std::move(task));
  queue.synchronize(FERRYX_FOREVER);
  return queue.fault();
}

const void* run_now(ferryx_device& device, const ferryx_work& work) {
  const DirectUse use;
  const ferryx_copies& copies = work.as.copies;
  if (work.kind == FERRYX_COPIES && copies.count == 1 && copies.items->size <= kLargestPiece) {
    ferryx_copy copy = *copies.items;
    const void* const gone = refresh(copy);
    return gone != nullptr ? gone : run_copy(copy);
  }
  auto task = std::make_unique<Task>();
  task->adopt(work);
  if (const void* const gone = refresh(*task)) return gone;
  return run_shared(device, std::move(task));
}

[[gnu::cold, gnu::noinline]] int fail_inaccessible(const void* address) {
  return fail(ACL_ERROR_RT_PARAM_INVALID, "%s", not_accessible(address).c_str());
}

}  // namespace

ValueWatch& value_watch() {
  static auto* watch = new ValueWatch;
  return *watch;
}

BackendSettings resolve_settings(const ferryx_settings& settings, uint32_t device_count) {
  BackendSettings resolved;
  resolved.device_count = device_count;
  resolved.capacity =
      settings.memory != 0 ? settings.memory : usable_memory() / 2 / resolved.device_count;
  // Each device reserves its share twice. Under a limit, devices get half of all addresses, and
  // what they share with the host a quarter.
  const uint64_t share = std::min(kAllDeviceAddresses, address_limit() / 4) / resolved.device_count;
  const uint64_t for_large = std::max(resolved.capacity, kGiB) * kAddressesPerByte;
  const uint64_t for_small = resolved.capacity * kAddressesPerSmallByte;
  resolved.span = std::min(share, std::max(for_large, std::min(for_small, kMostSmallAddresses)));
  resolved.threads = settings.threads != 0 ? settings.threads : default_threads();
  resolved.schedule = static_cast<ferryx_schedule>(settings.schedule);
  resolved.seed = settings.seed;
  return resolved;
}

int open_device(const BackendSettings& settings, uint32_t index, ferryx_device** device) {
  auto opened = std::make_unique<ferryx_device>(
      EngineSettings{.device = index,
                     .threads = settings.threads,
                     .parallelism = std::min(settings.threads + 1, core_count()),
                     .schedule = settings.schedule,
                     .seed = settings.seed + index});
  if (!opened->memory.reserve(settings.capacity, settings.span)) {
    return fail(ACL_ERROR_RT_DEV_SETUP_ERROR,
                "CPU device %u cannot be opened: the process has no addresses left for its memory "
                "(see ulimit -v)",
                index);
  }
  opened->memory.share_capacity(settings.ledger, index);
  watch_device_window(opened->memory.window_start(), opened->memory.window_size());
  *device = opened.release();
  return ACL_SUCCESS;
}

int execute(ferryx_device& device, const ferryx_work& work) {
  const void* const fault = run_now(device, work);
  if (fault == nullptr) return ACL_SUCCESS;
  return fail_inaccessible(fault);
}

}  // namespace ferry::cpu
