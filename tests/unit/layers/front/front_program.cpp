// SPDX-License-Identifier: Apache-2.0
// The steps of the program.
#include "tests/unit/layers/front/front_program.h"

#include "backends/cpu/backend.h"
#include "backends/cpu/services.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <iterator>
#include <thread>

namespace ferry::layers {
namespace {

int open_once(const ferryx_backend* self, const ferryx_runtime* runtime,
              const ferryx_settings* settings, uint32_t* counts, ferryx_instance** instance) {
  static ferryx_instance* only = nullptr;
  if (only == nullptr) {
    EXPECT_EQ(0, cpu::backend()->open(self, runtime, settings, counts, &only));
  }
  cpu::services = runtime;
  *counts = 2;
  *instance = only;
  return ACL_RT_SUCCESS;
}
int open_device_once(ferryx_instance* instance, uint32_t index, uint32_t number,
                     ferryx_device** device) {
  static std::array<ferryx_device*, 2> all{};
  if (all[index] == nullptr) {
    EXPECT_EQ(0, cpu::backend()->device_open(instance, index, number, &all[index]));
  }
  *device = all[index];
  return ACL_RT_SUCCESS;
}

// The kernel can, qemu-user cannot.
bool can_map_pages_twice() {
  constexpr size_t kPage = 4096;
  void* const first = mmap(nullptr, kPage, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  void* const second = mremap(first, 0, kPage, MREMAP_MAYMOVE);
  munmap(first, kPage);
  if (second == MAP_FAILED) return false;
  munmap(second, kPage);
  return true;
}

}  // namespace

ferryx_backend cpu_backend_opened_once() {
  ferryx_backend table = *cpu::backend();
  table.open = open_once;
  table.device_open = open_device_once;
  return table;
}

void FrontProgram::start(void* argument, ferryx_callout* callout) {
  auto& calls = *static_cast<Calls*>(argument);
  if (callout == nullptr) {
    ++calls.dropped_callouts;
    return;
  }
  ++calls.callouts;
  std::thread([callout] { callout->done(callout); }).detach();
}

ferryx_kernel FrontProgram::kernel(const ferryx_access* accesses, uint64_t count, int code) {
  calls_.kernel_code = code;
  return {.run = run_kernel,
          .argument = &calls_,
          .name = "a_kernel",
          .accesses = accesses,
          .access_count = count};
}

int FrontProgram::run_kernel(void* argument, int run) {
  auto& calls = *static_cast<Calls*>(argument);
  ++(run != 0 ? calls.kernels : calls.dropped_kernels);
  return calls.kernel_code;
}

void FrontProgram::run(void* argument, int run) {
  auto& calls = *static_cast<Calls*>(argument);
  ++(run != 0 ? calls.functions : calls.dropped_functions);
}

void FrontProgram::open() {
  const char* const entries[] = {"2"};
  const ferryx_settings settings{.struct_size = sizeof settings,
                                 .entry_count = 1,
                                 .entries = entries,
                                 .options = "",
                                 .memory = uint64_t{64} << 20,
                                 .threads = 1,
                                 .schedule = FERRYX_EAGER,
                                 .seed = 0,
                                 .memory_is_shared = 0};
  const ferryx_runtime* runtime = FrontRuntime::services();
  uint32_t count = 0;
  ok(top_.check_settings(&top_, runtime, &settings, &count));
  EXPECT_EQ(count, 2u);
  count = 0;
  ok(top_.open(&top_, runtime, &settings, &count, &instance_));
  EXPECT_EQ(count, 2u);
  keep_forever(instance_);
  for (uint32_t i = 0; i < 2; ++i) {
    ok(top_.device_open(instance_, i, i, &devices_[i]));
    keep_forever(devices_[i]);
  }
  if (top_.device_name != nullptr) {
    EXPECT_STREQ(top_.device_name(device()), "a processor");
  }
  if (top_.device_bus_id != nullptr) {
    EXPECT_STREQ(top_.device_bus_id(device()), "0000:fe:00.0");
  }
  if (top_.copy_way != nullptr) {
    ferryx_copy_way way{};
    EXPECT_EQ(top_.copy_way(device(), 1, &way), ACL_ERROR_RT_PARAM_INVALID);
  }
  ok(top_.peer_enable(devices_[0], devices_[1]));
  ok(top_.peer_disable(devices_[0], devices_[1]));
}

void FrontProgram::use_memory() {
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
  ok(top_.device_memory(device(), &free_bytes, &total_bytes));
  EXPECT_GT(total_bytes, 0u);
  ok(top_.memory_alloc(device(), kSize, 0, &memory_));
  ok(top_.host_alloc(device(), kSize, &pinned_));
  ok(top_.host_register(device(), registered_.data(), kSize, &mapped_));
  for (const ferryx_memory& memory : {memory_, pinned_, mapped_})
    FrontRuntime::instance().add(memory);
}

// The null backend has none.
void FrontProgram::use_virtual_memory() {
  if (top_.address_reserve == nullptr) return;
  constexpr uint64_t kPage = uint64_t{2} << 20;
  ferryx_memory range{};
  ok(top_.address_reserve(instance_, 2 * kPage, kPage, nullptr, &range));
  EXPECT_EQ(range.size, 2 * kPage);
  const ferryx_physical_settings settings{
      .struct_size = sizeof settings, .is_host = 0, .size = kPage, .node = -1};
  ferryx_physical* physical = nullptr;
  ok(top_.physical_create(device(), &settings, &physical));
  ferryx_memory mapped{};
  ok(top_.physical_map(device(), physical, &range, kPage, kPage, &mapped));
  EXPECT_EQ(mapped.kind, uint32_t{FERRYX_MEMORY_DEVICE});
  EXPECT_EQ(mapped.address, static_cast<char*>(range.address) + kPage);
  static_cast<char*>(mapped.storage)[kPage - 1] = 1;
  const int opened = top_.physical_open_to_host(device(), &mapped);
  if (can_map_pages_twice()) {
    ok(opened);
    EXPECT_EQ(static_cast<char*>(mapped.address)[kPage - 1], 1);
  }
  ok(top_.physical_unmap(device(), &mapped));
  share_physical_memory(physical, range);
  top_.physical_release(device(), physical);
  top_.address_release(instance_, &range);
}

// Exported and imported again, as another process would.
void FrontProgram::share_physical_memory(ferryx_physical* physical, const ferryx_memory& range) {
  if (top_.physical_export == nullptr) return;
  ferryx_shared shared{};
  ok(top_.physical_export(device(), physical, &shared));
  EXPECT_EQ(shared.size, range.size / 2);
  EXPECT_EQ(shared.is_host, 0u);
  ferryx_physical* imported = nullptr;
  ok(top_.physical_import(device(), &shared, &imported));
  close(shared.file);
  ferryx_memory mapped{};
  ok(top_.physical_map(device(), imported, &range, 0, shared.size, &mapped));
  EXPECT_EQ(static_cast<char*>(mapped.storage)[shared.size - 1], 1);
  ok(top_.physical_unmap(device(), &mapped));
  top_.physical_release(device(), imported);
}

// The null backend has none.
void FrontProgram::share_memory() {
  if (top_.memory_export == nullptr) return;
  ferryx_shared shared{};
  ok(top_.memory_export(device(), &memory_, &shared));
  EXPECT_GE(shared.size, kSize);
  char first = 0;
  EXPECT_EQ(pread(shared.file, &first, 1, static_cast<off_t>(shared.offset)), 1);
  EXPECT_EQ(first, *static_cast<char*>(memory_.storage));
  close(shared.file);
}

// The null backend has none.
void FrontProgram::use_managed_memory() {
  if (top_.managed_alloc == nullptr) return;
  constexpr uint64_t kPage = uint64_t{2} << 20;
  ferryx_memory managed{};
  ok(top_.managed_alloc(device(), kPage, &managed));
  EXPECT_EQ(managed.kind, uint32_t{FERRYX_MEMORY_MANAGED});
  EXPECT_EQ(managed.size, kPage);
  for (const int32_t place : {FERRYX_PLACE_DEVICE, FERRYX_PLACE_HOST, 0})
    ok(top_.managed_prefetch(device(), managed.address, kPage, place));
  static_cast<char*>(managed.address)[kPage - 1] = 1;
  EXPECT_EQ(static_cast<char*>(managed.storage)[kPage - 1], 1);
  top_.managed_free(device(), &managed);
}

ferryx_copy FrontProgram::copy(const ferryx_memory& dst, uint64_t to, const ferryx_memory& src,
                               uint64_t from) const {
  return {.dst = static_cast<char*>(dst.address) + to,
          .src = static_cast<char*>(src.address) + from,
          .size = kBlock,
          .dst_storage = static_cast<char*>(dst.storage) + to,
          .src_storage = static_cast<char*>(src.storage) + from};
}

// As a copy from pageable memory to the device, during the call.
void FrontProgram::store(uint64_t offset, const void* bytes, uint64_t size) {
  const ferryx_copy item{.dst = static_cast<char*>(memory_.address) + offset,
                         .src = bytes,
                         .size = size,
                         .dst_storage = storage(offset),
                         .src_storage = bytes};
  const ferryx_work work = work_of(FERRYX_COPIES, &ferryx_payload::copies,
                                   {.items = &item,
                                    .count = 1,
                                    .direction = FERRYX_HOST_TO_DEVICE,
                                    .flags = FERRYX_COPY_RESOLVED});
  ok(top_.device_execute(device(), &work));
}

void FrontProgram::execute_during_calls() {
  const std::array<char, kBlock> ones = [] {
    std::array<char, kBlock> bytes{};
    bytes.fill(1);
    return bytes;
  }();
  store(0, ones.data(), ones.size());
  expect_byte(kBlock - 1, 1);
  const ferryx_work rows = work_of(FERRYX_ROWS, &ferryx_payload::rows,
                                   {.corner = copy(memory_, 1024, memory_, 0),
                                    .dst_pitch = kBlock,
                                    .src_pitch = kBlock,
                                    .height = 1,
                                    .direction = FERRYX_DEVICE_TO_DEVICE});
  ok(top_.device_execute(device(), &rows));
  expect_byte(1024, 1);
  const ferryx_work fill = work_of(FERRYX_FILL, &ferryx_payload::fill,
                                   {.dst = memory_.address,
                                    .dst_storage = memory_.storage,
                                    .size = kBlock,
                                    .value = 2,
                                    .width = 1});
  ok(top_.device_execute(device(), &fill));
  expect_byte(0, 2);
}

void FrontProgram::create_queues() {
  for (ferryx_queue*& queue : queues_) {
    const ferryx_queue_settings settings{.struct_size = sizeof settings,
                                         .priority = 0,
                                         .cookie = &FrontRuntime::instance().cookie,
                                         .stream = 3,
                                         .flags = 0};
    ok(top_.queue_create(device(), &settings, &queue));
  }
}

// Device memory at the start: 0 to 64 holds 2, 1024 to 1088 holds 1.
void FrontProgram::submit_bytes() {
  ferryx_queue* const queue = queues_[0];
  const ferryx_copy item = copy(pinned_, 0, memory_, 0);
  submit(queue, FERRYX_COPIES, &ferryx_payload::copies,
         {.items = &item, .count = 1, .direction = FERRYX_DEVICE_TO_HOST, .flags = 0});
  if ((top_.capabilities & FERRYX_TAKES_COLUMNS) != 0) {
    void* dst = item.dst;
    void* src = memory_.address;
    const size_t size = kBlock;
    submit(queue, FERRYX_COLUMNS, &ferryx_payload::columns,
           {.dsts = &dst,
            .srcs = &src,
            .sizes = &size,
            .count = 1,
            .common_size = kBlock,
            .dst = pinned_,
            .src = memory_,
            .direction = FERRYX_DEVICE_TO_HOST});
  }
  synchronize();  // the checker looks at host memory that a task reads when it is submitted
  submit(queue, FERRYX_ROWS, &ferryx_payload::rows,
         {.corner = copy(memory_, 512, pinned_, 0),
          .dst_pitch = kBlock,
          .src_pitch = kBlock,
          .height = 1,
          .direction = FERRYX_HOST_TO_DEVICE});
  const auto base = reinterpret_cast<uint64_t>(memory_.address);
  const ferryx_descriptor descriptor{
      .reserved = {}, .size = kBlock, .src = base, .dst = base + 1536};
  store(2048, &descriptor, sizeof descriptor);
  submit(queue, FERRYX_DESCRIBED, &ferryx_payload::described,
         {.descriptor = static_cast<char*>(memory_.address) + 2048});
  store(3072, &base, sizeof base);
  submit(queue, FERRYX_INDIRECT, &ferryx_payload::indirect,
         {.dst_pointer = static_cast<char*>(memory_.address) + 3072,
          .src_pointer = static_cast<char*>(memory_.address) + 3072,
          .dst_offset = 1600,
          .src_offset = 1024,
          .size = kBlock});
  submit(queue, FERRYX_FILL, &ferryx_payload::fill,
         {.dst = static_cast<char*>(memory_.address) + 256,
          .dst_storage = storage(256),
          .size = kBlock,
          .value = 0x03030303,
          .width = 4});
  synchronize();
  expect_byte(512, 2);
  expect_byte(1536, 2);
  expect_byte(1600, 1);
  expect_byte(256 + kBlock - 1, 3);
}

void FrontProgram::submit_functions() {
  submit(queues_[0], FERRYX_CALLOUT, &ferryx_payload::callout,
         {.start = start, .argument = &calls_});
  submit(queues_[0], FERRYX_FUNCTION, &ferryx_payload::function, {.run = run, .argument = &calls_});
  synchronize();
  EXPECT_EQ(calls_.callouts, 1);
  EXPECT_EQ(calls_.functions, 1);
  int done = 0;
  ok(top_.queue_query(queues_[0], &done));
  EXPECT_EQ(done, 1);
}

// With and without declared accesses; then some that fail.
void FrontProgram::submit_kernels() {
  FrontRuntime& runtime = FrontRuntime::instance();
  const ferryx_access writes{
      .address = memory_.address, .size = kBlock, .writes = 1, .reserved = 0};
  for (const uint64_t count : {uint64_t{0}, uint64_t{1}})
    submit(queues_[0], FERRYX_KERNEL, &ferryx_payload::kernel, kernel(&writes, count));
  synchronize();
  EXPECT_EQ(calls_.kernels, 2);
  EXPECT_TRUE(runtime.faults().empty());
  for (const uint64_t count : {uint64_t{0}, uint64_t{1}}) {
    submit(queues_[0], FERRYX_KERNEL, &ferryx_payload::kernel, kernel(&writes, count, 507015));
    synchronize();
    EXPECT_EQ(runtime.faults(), std::vector{507015});
    runtime.forget_faults();
  }
}

void FrontProgram::mark(ferryx_queue* queue, ferryx_marker* marker) {
  submit(queue, FERRYX_MARK, &ferryx_payload::marker, {.marker = marker, .timeout = 0});
}

void FrontProgram::await(ferryx_queue* queue, ferryx_marker* marker, int64_t timeout) {
  submit(queue, FERRYX_AWAIT, &ferryx_payload::marker, {.marker = marker, .timeout = timeout});
}

void FrontProgram::submit_points() {
  ferryx_marker* marker = nullptr;
  ok(top_.marker_create(device(), &marker));
  await(queues_[0], marker);  // before the mark is queued
  mark(queues_[1], marker);
  ok(top_.marker_synchronize(marker, FERRYX_FOREVER));
  int reached = 0;
  ok(top_.marker_query(marker, &reached));
  EXPECT_EQ(reached, 1);
  uint64_t time = 0;
  ok(top_.marker_time(marker, &time));
  top_.marker_retain(marker);
  top_.marker_release(marker);
  await(queues_[0], marker);  // its last reference but for queued work
  top_.marker_release(marker);

  ferryx_flag* flag = nullptr;
  ok(top_.flag_create(device(), &flag));
  ok(top_.flag_clear(flag));
  submit(queues_[0], FERRYX_TAKE_FLAG, &ferryx_payload::flag,
         {.flag = flag, .timeout = FERRYX_FOREVER});
  submit(queues_[1], FERRYX_SET_FLAG, &ferryx_payload::flag, {.flag = flag, .timeout = 0});
  top_.flag_release(flag);
  synchronize();
}

// As other processes do. The null backend never waits.
void FrontProgram::finish_from_outside() {
  if (top_.marker_finish == nullptr) return;
  ferryx_marker* marker = nullptr;
  ok(top_.marker_create(device(), &marker));
  await(queues_[0], marker);
  ok(top_.marker_finish(marker, 0));
  ok(top_.marker_synchronize(marker, FERRYX_FOREVER));
  top_.marker_release(marker);
  ferryx_flag* flag = nullptr;
  ok(top_.flag_create(device(), &flag));
  submit(queues_[0], FERRYX_TAKE_FLAG, &ferryx_payload::flag,
         {.flag = flag, .timeout = FERRYX_FOREVER});
  ok(top_.flag_set(flag));
  synchronize();
  top_.flag_release(flag);
}

void FrontProgram::submit_several() {
  if (top_.queue_submit_all == nullptr) return;
  const int functions = calls_.functions;
  const ferryx_work works[2] = {
      work_of(FERRYX_FUNCTION, &ferryx_payload::function, {.run = run, .argument = &calls_}),
      work_of(FERRYX_FUNCTION, &ferryx_payload::function, {.run = run, .argument = &calls_})};
  for (const ferryx_work& work : works)
    correlations_.insert(work.origin.correlation);
  ok(top_.queue_submit_all(queues_[0], works, std::size(works)));
  synchronize();
  EXPECT_EQ(calls_.functions, functions + 2);
}

void FrontProgram::give_everything_back() {
  for (ferryx_queue* queue : queues_)
    top_.queue_destroy(queue);
  FrontRuntime::instance().clear();
  // A pool keeps the memory for a while.
  if (top_.memory_rest != nullptr) top_.memory_rest(device(), &memory_);
  if (top_.memory_reuse != nullptr) top_.memory_reuse(device(), &memory_);
  top_.host_unregister(device(), registered_.data(), kSize, &mapped_);
  top_.host_free(device(), &pinned_);
  top_.memory_free(device(), &memory_);
  uint64_t bytes = 0;
  ok(top_.device_memory(device(), &bytes, &bytes));  // also ends the checker's quarantine
  if (top_.close != nullptr) top_.close(instance_);
}

}  // namespace ferry::layers
