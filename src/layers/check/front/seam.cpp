// SPDX-License-Identifier: Apache-2.0
// The table of the listening backend, devices, and work that is done during a call.
#include "layers/check/front/seam.h"

#include "layers/check/calls/call.h"
#include "layers/check/front/seam_objects.h"
#include "layers/check/front/seam_slots.h"
#include "layers/check/front/seam_work.h"

#include "acl/acl_base_rt.h"

#include <array>
#include <atomic>
#include <utility>

namespace ferry::layers::check {
namespace {

// ---- devices ----

int device_memory(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
  CheckedDevice& own = checked(device);
  own.empty_quarantine();  // the program sees the memory it would see without us
  return own.inner->device_memory(own.device, free_bytes, total_bytes);
}

const char* device_name(ferryx_device* device) {
  return checked(device).inner->device_name(checked(device).device);
}

int copy_way(ferryx_device* device, size_t index, ferryx_copy_way* way) {
  return checked(device).inner->copy_way(checked(device).device, index, way);
}

int peer_enable(ferryx_device* device, ferryx_device* peer) {
  return checked(device).inner->peer_enable(checked(device).device, checked(peer).device);
}

int peer_disable(ferryx_device* device, ferryx_device* peer) {
  return checked(device).inner->peer_disable(checked(device).device, checked(peer).device);
}

int memory_alloc(ferryx_device* device, uint64_t size, uint32_t policy, ferryx_memory* out) {
  return checked(device).allocate(size, policy, *out);
}

void memory_free(ferryx_device* device, const ferryx_memory* memory) {
  checked(device).free(*memory);
}

int host_alloc(ferryx_device* device, uint64_t size, ferryx_memory* out) {
  return checked(device).allocate_host(size, *out);
}

void host_free(ferryx_device* device, const ferryx_memory* memory) {
  checked(device).free_host(*memory);
}

int host_register(ferryx_device* device, void* address, uint64_t size, ferryx_memory* mapped) {
  return checked(device).register_host(address, size, mapped);
}

void host_unregister(ferryx_device* device, void* address, uint64_t size,
                     const ferryx_memory* mapped) {
  checked(device).unregister_host(address, size, mapped);
}

// ---- work done during the call ----

void work_now(const std::shared_ptr<Task>& work) {
  const Call* call = Call::current();
  work->function = call != nullptr ? call->name() : "";
  work->site = current_site();
  world().work_now(*work);
  await_told();
}

int copy(ferryx_device* device, const ferryx_copies* copies) {
  CheckedDevice& own = checked(device);
  work_now(work_of(*copies));
  return own.inner->copy(own.device, copies);
}

int copy_2d(ferryx_device* device, const ferryx_copy_2d* copy) {
  CheckedDevice& own = checked(device);
  work_now(work_of(*copy));
  return own.inner->copy_2d(own.device, copy);
}

int fill(ferryx_device* device, const ferryx_fill* fill) {
  CheckedDevice& own = checked(device);
  work_now(work_of(*fill));
  return own.inner->fill(own.device, fill);
}

// ---- one table for each backend, because opening has no handle to say which one is meant ----

constexpr size_t kMostBackends = 8;
std::array<const ferryx_backend*, kMostBackends> inner_backends{};
std::atomic<const ferryx_host*> host_of_all{nullptr};
size_t backend_count = 0;

template <size_t kIndex>
int open(const ferryx_host* host, const ferryx_settings* settings, uint32_t* device_count) {
  host_of_all.store(host);
  return inner_backends[kIndex]->open(host, settings, device_count);
}

template <size_t kIndex>
int device_open(uint32_t index, ferryx_device** device) {
  ferryx_device* inner = nullptr;
  const int code = inner_backends[kIndex]->device_open(index, &inner);
  if (code != ACL_SUCCESS) return code;
  *device =
      reinterpret_cast<ferryx_device*>(new CheckedDevice(inner_backends[kIndex], inner, index));
  return ACL_SUCCESS;
}

constexpr ferryx_backend kListener{
    .struct_size = sizeof(ferryx_backend),
    .abi_major = FERRYX_ABI_MAJOR,
    .abi_minor = FERRYX_ABI_MINOR,
    .name = nullptr,
    .open = nullptr,
    .device_open = nullptr,
    .device_memory = device_memory,
    .peer_enable = peer_enable,
    .peer_disable = peer_disable,
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .host_alloc = host_alloc,
    .host_free = host_free,
    .host_register = host_register,
    .host_unregister = host_unregister,
    .copy = copy,
    .copy_2d = copy_2d,
    .fill = fill,
    .queue_create = slots::queue_create,
    .queue_destroy = slots::queue_destroy,
    .queue_copy = slots::queue_copy,
    .queue_copy_2d = slots::queue_copy_2d,
    .queue_copy_described = slots::queue_copy_described,
    .queue_copy_indirect = slots::queue_copy_indirect,
    .queue_fill = slots::queue_fill,
    .queue_callout = slots::queue_callout,
    .callout_done = slots::callout_done,
    .queue_function = slots::queue_function,
    .queue_query = slots::queue_query,
    .queue_synchronize = slots::queue_synchronize,
    .queue_abort = slots::queue_abort,
    .queue_drop = slots::queue_drop,
    .marker_create = slots::marker_create,
    .marker_retain = slots::marker_retain,
    .marker_release = slots::marker_release,
    .queue_mark = slots::queue_mark,
    .queue_await = slots::queue_await,
    .marker_query = slots::marker_query,
    .marker_synchronize = slots::marker_synchronize,
    .marker_time = slots::marker_time,
    .flag_create = slots::flag_create,
    .flag_release = slots::flag_release,
    .flag_clear = slots::flag_clear,
    .queue_set_flag = slots::queue_set_flag,
    .queue_take_flag = slots::queue_take_flag,
    .device_name = nullptr,
    .copy_way = nullptr,
    // Without it the runtime hands over items one by one, which are what the world looks at.
    .queue_copy_columns = nullptr};

template <size_t... kIndexes>
const ferryx_backend* listener_at(size_t index, std::index_sequence<kIndexes...> /*unused*/) {
  using Open = decltype(ferryx_backend::open);
  using DeviceOpen = decltype(ferryx_backend::device_open);
  static constexpr Open kOpen[] = {open<kIndexes>...};
  static constexpr DeviceOpen kDeviceOpen[] = {device_open<kIndexes>...};
  auto* listener = new ferryx_backend(kListener);
  listener->name = inner_backends[index]->name;
  listener->open = kOpen[index];
  listener->device_open = kDeviceOpen[index];
  if (inner_backends[index]->device_name != nullptr) listener->device_name = device_name;
  if (inner_backends[index]->copy_way != nullptr) listener->copy_way = copy_way;
  return listener;
}

}  // namespace

const ferryx_host* runtime_host() {
  return host_of_all.load();
}

const ferryx_backend* listen_to(const ferryx_backend* backend) {
  if (backend_count == kMostBackends) return nullptr;
  inner_backends[backend_count] = backend;
  return listener_at(backend_count++, std::make_index_sequence<kMostBackends>());
}

}  // namespace ferry::layers::check
