// SPDX-License-Identifier: Apache-2.0
// The runtime's side of the interface, as small as the tests need it.
#include "backend_test.h"

#include <cstdio>

namespace host_gpu {
namespace {

int fail(int code, const char* text) {
  const std::lock_guard lock(fake_runtime().mutex);
  fake_runtime().text = text;
  return code;
}

int find_memory(const void* address, ferryx_memory* found) {
  const std::lock_guard lock(fake_runtime().mutex);
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  const auto behind = fake_runtime().live.upper_bound(wanted);
  if (behind == fake_runtime().live.begin()) return 0;
  const ferryx_memory& memory = std::prev(behind)->second;
  if (wanted - reinterpret_cast<uintptr_t>(memory.address) >= memory.size) return 0;
  *found = memory;
  return 1;
}

uint64_t memory_epoch() {
  return fake_runtime().epoch.load();
}

ferryx_after_fault work_failed(void* /*cookie*/, const ferryx_fault* fault) {
  const std::lock_guard lock(fake_runtime().mutex);
  fake_runtime().fault_code = fault->code;
  fake_runtime().text = fault->text;
  return FERRYX_CONTINUE;
}

ferryx_after_fault before_work(void* /*cookie*/) {
  return FERRYX_CONTINUE;
}

void log(int /*level*/, const char* text) {
  std::fprintf(stderr, "%s\n", text);
}

uint64_t requested_size(const void* address) {
  ferryx_memory memory{};
  return find_memory(address, &memory) != 0 ? memory.size : 0;
}

const void* move_bytes(const ferryx_copy* items, size_t count) {
  for (size_t i = 0; i < count; ++i)
    std::memmove(items[i].dst_storage, items[i].src_storage, items[i].size);
  return nullptr;
}

constexpr ferryx_runtime kRuntime{.struct_size = sizeof(ferryx_runtime),
                                  .fail = fail,
                                  .find_memory = find_memory,
                                  .memory_epoch = memory_epoch,
                                  .work_failed = work_failed,
                                  .before_work = before_work,
                                  .log = log,
                                  .requested_size = requested_size,
                                  .move_bytes = move_bytes};

ferryx_copy item_of(void* dst, const void* src, uint64_t size) {
  return {.dst = dst, .src = src, .size = size, .dst_storage = dst, .src_storage = src};
}

}  // namespace

FakeRuntime& fake_runtime() {
  static auto* runtime = new FakeRuntime;
  return *runtime;
}

ferryx_instance* BackendTest::instance = nullptr;
std::vector<ferryx_device*> BackendTest::devices;

void BackendTest::SetUpTestSuite() {
  if (instance != nullptr) return;
  const char* const entries[] = {nullptr};
  ferryx_settings settings{};
  settings.struct_size = sizeof settings;
  settings.entry_count = 1;
  settings.entries = entries;
  settings.options = "";
  uint32_t count = 0;
  ASSERT_EQ(0, backend().open(&backend(), &kRuntime, &settings, &count, &instance));
  for (uint32_t i = 0; i < count; ++i) {
    devices.push_back(nullptr);
    ASSERT_EQ(0, backend().device_open(instance, i, i, &devices.back())) << fake_runtime().text;
  }
}

void BackendTest::SetUp() {
  ferryx_queue_settings settings{};
  settings.struct_size = sizeof settings;
  ASSERT_EQ(0, backend().queue_create(device(), &settings, &queue_));
  fake_runtime().fault_code = 0;
}

void BackendTest::TearDown() {
  release_streams();
  refuse("", CUDA_SUCCESS);
  if (queue_ != nullptr) backend().queue_destroy(queue_);
  for (const ferryx_memory& memory : pinned_) {
    fake_runtime().remove(memory);
    backend().host_free(device(), &memory);
  }
  EXPECT_EQ(cudaSuccess, failure_of(0)) << "the device was broken";
}

ferryx_work copies_of(const ferryx_copy* items, size_t count, uint32_t direction) {
  ferryx_work work{};
  work.struct_size = sizeof work;
  work.kind = FERRYX_COPIES;
  work.epoch = fake_runtime().epoch.load();
  work.as.copies = {
      .items = items, .count = count, .direction = direction, .flags = FERRYX_COPY_RESOLVED};
  return work;
}

int BackendTest::copy(void* dst, const void* src, uint64_t size, uint32_t direction) {
  const ferryx_copy item = item_of(dst, src, size);
  const ferryx_work work = copies_of(&item, 1, direction);
  return backend().queue_submit(queue_, &work);
}

int BackendTest::copy_now(void* dst, const void* src, uint64_t size, uint32_t direction) {
  const ferryx_copy item = item_of(dst, src, size);
  const ferryx_work work = copies_of(&item, 1, direction);
  return backend().device_execute(device(), &work);
}

char* BackendTest::pinned(uint64_t size) {
  ferryx_memory memory{};
  EXPECT_EQ(0, backend().host_alloc(device(), size, &memory));
  fake_runtime().add(memory);
  pinned_.push_back(memory);
  return static_cast<char*>(memory.address);
}

}  // namespace host_gpu
