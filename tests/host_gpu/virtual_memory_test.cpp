// SPDX-License-Identifier: Apache-2.0
// The slots of virtual memory and of memory that processes share.
#include "backend_test.h"
#include "backends/cuda/memory/memory.h"

#include <chrono>
#include <thread>

namespace host_gpu {
namespace {

constexpr int kFeatureNotSupported = 207000;
constexpr int kNoMemory = 207001;
constexpr int kDriverError = 507899;

class HostGpuVirtualMemory : public BackendTest {
 protected:
  void SetUp() override {
    BackendTest::SetUp();
    ASSERT_EQ(0, backend().address_reserve(instance, kRoom, 0, nullptr, &range_));
  }
  void TearDown() override {
    while (!mapped_.empty())
      unmap(mapped_.back());
    for (ferryx_physical* physical : physicals_)
      backend().physical_release(device(), physical);
    backend().address_release(instance, &range_);
    BackendTest::TearDown();
    // The plugin keeps its tables.
    EXPECT_GT(kGranule, memory().used[0]) << "memory of the device was not given back";
  }

  ferryx_physical* create(uint64_t size, bool is_host = false) {
    const ferryx_physical_settings settings{
        .struct_size = sizeof settings, .is_host = is_host ? 1u : 0u, .size = size, .node = -1};
    ferryx_physical* made = nullptr;
    EXPECT_EQ(0, backend().physical_create(device(), &settings, &made)) << fake_runtime().text;
    if (made != nullptr) physicals_.push_back(made);
    return made;
  }
  // As core: the backend maps it, then copies find it.
  ferryx_memory map(ferryx_physical* physical, uint64_t offset, uint64_t size) {
    ferryx_memory mapped{};
    EXPECT_EQ(0, backend().physical_map(device(), physical, &range_, offset, size, &mapped))
        << fake_runtime().text;
    fake_runtime().add(mapped);
    mapped_.push_back(mapped);
    return mapped;
  }
  // As core: copies stop finding it, then the backend unmaps it.
  void unmap(const ferryx_memory& wanted) {
    const ferryx_memory mapped = wanted;
    fake_runtime().remove(mapped);
    EXPECT_EQ(0, backend().physical_unmap(device(), &mapped)) << fake_runtime().text;
    std::erase_if(mapped_, [&](const ferryx_memory& m) { return m.address == mapped.address; });
  }
  char* at(uint64_t offset) const { return static_cast<char*>(range_.address) + offset; }

  // What kernels know of the memory around an address.
  static ferryx_memory live_at(const void* address) {
    const std::shared_lock lock(ferry::cuda::live_memory().lock());
    return ferry::cuda::live_memory().find(address);
  }

  static constexpr uint64_t kRoom = 16 * kGranule;
  ferryx_memory range_{};
  std::vector<ferryx_memory> mapped_;
  std::vector<ferryx_physical*> physicals_;
};

TEST_F(HostGpuVirtualMemory, ReservesWholePagesAndTakesNoMemory) {
  ferryx_memory range{};
  ASSERT_EQ(0, backend().address_reserve(instance, 512, 0, nullptr, &range));
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(range.address) % kGranule);
  EXPECT_EQ(kGranule, range.size);
  EXPECT_GT(kGranule, memory().used[0]);
  backend().address_release(instance, &range);
}

TEST_F(HostGpuVirtualMemory, RefusesAddressesThatAreTaken) {
  ferryx_memory range{};
  EXPECT_EQ(kNoMemory, backend().address_reserve(instance, kGranule, 0, range_.address, &range));
  EXPECT_NE(std::string::npos, fake_runtime().text.find("are not free")) << fake_runtime().text;
  EXPECT_EQ(kNoMemory, backend().address_reserve(instance, uint64_t{1} << 60, 0, nullptr, &range));
}

TEST_F(HostGpuVirtualMemory, KeepsBytesOfMemoryThatIsMappedElsewhere) {
  ferryx_physical* const physical = create(kGranule);
  char* const host = pinned(64);
  const ferryx_memory first = map(physical, 0, kGranule);
  std::strcpy(host, "kept");
  ASSERT_EQ(0, copy(first.address, host, 64, FERRYX_HOST_TO_DEVICE));
  ASSERT_EQ(0, synchronize());
  unmap(first);
  const ferryx_memory second = map(physical, 4 * kGranule, kGranule);
  std::memset(host, 0, 64);
  ASSERT_EQ(0, copy(host, second.address, 64, FERRYX_DEVICE_TO_HOST));
  ASSERT_EQ(0, synchronize());
  EXPECT_STREQ("kept", host);
}

TEST_F(HostGpuVirtualMemory, CopiesCrossSeams) {
  for (uint64_t i = 0; i < 3; ++i)
    map(create(kGranule), i * kGranule, kGranule);
  char* const host = pinned(2 * kGranule);
  for (uint64_t i = 0; i < 2 * kGranule; ++i)
    host[i] = static_cast<char>(i * 7 + i / 4096);
  ASSERT_EQ(0, copy(at(kGranule / 2), host, 2 * kGranule, FERRYX_HOST_TO_DEVICE));
  ASSERT_EQ(0, synchronize());
  std::vector<char> back(2 * kGranule);
  ASSERT_EQ(0, copy_now(back.data(), at(kGranule / 2), back.size(), FERRYX_DEVICE_TO_HOST));
  EXPECT_EQ(0, std::memcmp(back.data(), host, back.size()));
}

TEST_F(HostGpuVirtualMemory, MappingsThatTouchAreOneLiveRange) {
  std::vector<ferryx_memory> parts;
  for (const uint64_t i : {2, 0, 1})  // the last joins both sides
    parts.push_back(map(create(kGranule), i * kGranule, kGranule));
  ferryx_memory whole = live_at(at(kGranule));
  EXPECT_EQ(range_.address, whole.address);
  EXPECT_EQ(3 * kGranule, whole.size);
  unmap(parts[2]);  // the middle one
  whole = live_at(at(0));
  EXPECT_EQ(kGranule, whole.size);
  whole = live_at(at(2 * kGranule));
  EXPECT_EQ(at(2 * kGranule), whole.address);
  EXPECT_EQ(kGranule, whole.size);
  EXPECT_EQ(at(0), live_at(at(kGranule)).address) << "the hole is behind the first range";
}

TEST_F(HostGpuVirtualMemory, ReservationsSideBySideAreNotJoined) {
  ferryx_memory beside{};
  if (backend().address_reserve(instance, kGranule, 0, at(kRoom), &beside) != 0) {
    GTEST_SKIP() << "the addresses behind the reservation are not free";
  }
  map(create(kGranule), kRoom - kGranule, kGranule);
  ferryx_physical* const other = create(kGranule);
  ferryx_memory mapped{};
  ASSERT_EQ(0, backend().physical_map(device(), other, &beside, 0, kGranule, &mapped));
  EXPECT_EQ(kGranule, live_at(at(kRoom - kGranule)).size);
  EXPECT_EQ(0, backend().physical_unmap(device(), &mapped));
  backend().address_release(instance, &beside);
}

TEST_F(HostGpuVirtualMemory, UnmappingWaitsForWorkThatUsesTheRange) {
  const ferryx_memory mapped = map(create(kGranule), 0, kGranule);
  char* const host = pinned(kGranule);
  hold_streams();
  ASSERT_EQ(0, copy(mapped.address, host, kGranule, FERRYX_HOST_TO_DEVICE));
  std::atomic<bool> is_unmapped{false};
  std::thread unmapping([&] {
    unmap(mapped);
    is_unmapped = true;
  });
  // Not a proof that it waits; that is that the device is not broken at the end.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(is_unmapped);
  release_streams();
  unmapping.join();
  EXPECT_EQ(0, synchronize());
}

TEST_F(HostGpuVirtualMemory, WorkBehindAnUnmappingFailsWithoutTouchingIt) {
  const ferryx_memory mapped = map(create(kGranule), 0, kGranule);
  char* const host = pinned(64);
  const ferryx_copy item{.dst = mapped.address,
                         .src = host,
                         .size = 64,
                         .dst_storage = mapped.storage,
                         .src_storage = host};
  const ferryx_work work = copies_of(&item, 1, FERRYX_HOST_TO_DEVICE);
  unmap(mapped);
  EXPECT_EQ(0, backend().queue_submit(queue_, &work));
  EXPECT_EQ(0, synchronize());
  EXPECT_EQ(507001, fake_runtime().fault_code) << fake_runtime().text;
}

TEST_F(HostGpuVirtualMemory, GivesBackWhatItCannotOpen) {
  ferryx_physical* const physical = create(kGranule);
  for (const char* const function : {"cuMemMap", "cuMemSetAccess"}) {
    refuse(function, CUDA_ERROR_OUT_OF_MEMORY);
    ferryx_memory mapped{};
    EXPECT_EQ(kNoMemory, backend().physical_map(device(), physical, &range_, 0, kGranule, &mapped));
    EXPECT_EQ(0u, live_at(at(0)).size) << function;
  }
  map(physical, 0, kGranule);
}

TEST_F(HostGpuVirtualMemory, SaysWhenThereIsNotEnoughMemory) {
  const ferryx_physical_settings settings{
      .struct_size = sizeof settings, .is_host = 0, .size = capacity() + kGranule, .node = -1};
  ferryx_physical* made = nullptr;
  EXPECT_EQ(kNoMemory, backend().physical_create(device(), &settings, &made));
  EXPECT_EQ(nullptr, made);
  EXPECT_NE(std::string::npos, fake_runtime().text.find("allocating")) << fake_runtime().text;
}

TEST_F(HostGpuVirtualMemory, HostMemoryIsOpenToTheHostAndToDevices) {
  const ferryx_memory mapped = map(create(kGranule, true), 0, kGranule);
  EXPECT_EQ(static_cast<uint32_t>(FERRYX_MEMORY_PINNED), mapped.kind);
  std::strcpy(static_cast<char*>(mapped.address), "by the host");
  const ferryx_memory other = map(create(kGranule), 0 + 2 * kGranule, kGranule);
  ASSERT_EQ(0, copy(other.address, mapped.address, 64, FERRYX_HOST_TO_DEVICE));
  ASSERT_EQ(0, synchronize());
  std::memset(mapped.address, 0, 64);
  ASSERT_EQ(0, copy(mapped.address, other.address, 64, FERRYX_DEVICE_TO_HOST));
  ASSERT_EQ(0, synchronize());
  EXPECT_STREQ("by the host", static_cast<char*>(mapped.address));
  EXPECT_EQ(0, backend().physical_open_to_host(device(), &mapped));
}

TEST_F(HostGpuVirtualMemory, SaysThatTheHostCannotAccessMemoryOfTheGpu) {
  const ferryx_memory mapped = map(create(kGranule), 0, kGranule);
  EXPECT_EQ(kFeatureNotSupported, backend().physical_open_to_host(device(), &mapped));
  EXPECT_NE(std::string::npos, fake_runtime().text.find("the host cannot access"))
      << fake_runtime().text;
}

TEST_F(HostGpuVirtualMemory, NamesTheNumaNodeThatDoesNotExist) {
  const ferryx_physical_settings settings{
      .struct_size = sizeof settings, .is_host = 1, .size = kGranule, .node = 4711};
  ferryx_physical* made = nullptr;
  EXPECT_EQ(kDriverError, backend().physical_create(device(), &settings, &made));
  EXPECT_NE(std::string::npos, fake_runtime().text.find("4711")) << fake_runtime().text;
}

TEST_F(HostGpuVirtualMemory, BatchesAcrossSeamsTakeTheKernel) {
  constexpr uint64_t kBlock = 4096;
  constexpr size_t kBlocks = 1024;
  const ferryx_memory first = map(create(kGranule), 0, kGranule);
  map(create(kGranule), kGranule, kGranule);
  map(create(kGranule), 2 * kGranule, kGranule);
  char* const host = pinned(kBlocks * kBlock);
  for (uint64_t i = 0; i < kBlocks * kBlock; ++i)
    host[i] = static_cast<char>(i * 13 + i / kBlock);
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes(kBlocks, kBlock);
  for (size_t i = 0; i < kBlocks; ++i) {  // in an odd order, one byte beside the seams
    dsts.push_back(at((i * 7 % kBlocks) * kBlock + kGranule / 2));
    srcs.push_back(host + i * kBlock);
  }
  ferryx_copy_way before{};
  ferryx_copy_way after{};
  const auto kernel = static_cast<size_t>(2);
  ASSERT_EQ(0, backend().copy_way(device(), kernel, &before));
  ferryx_work work{};
  work.struct_size = sizeof work;
  work.kind = FERRYX_COLUMNS;
  work.epoch = fake_runtime().epoch.load();
  ferryx_memory whole = first;
  whole.size = 3 * kGranule;
  work.as.columns = {.dsts = dsts.data(),
                     .srcs = srcs.data(),
                     .sizes = sizes.data(),
                     .count = kBlocks,
                     .common_size = kBlock,
                     .dst = whole,
                     .src = {.address = host,
                             .size = kBlocks * kBlock,
                             .storage = host,
                             .kind = FERRYX_MEMORY_PINNED,
                             .device = 0},
                     .direction = FERRYX_HOST_TO_DEVICE};
  ASSERT_EQ(0, backend().queue_submit(queue_, &work));
  ASSERT_EQ(0, synchronize());
  ASSERT_EQ(0, backend().copy_way(device(), kernel, &after));
  EXPECT_STREQ("kernel", after.name);
  EXPECT_EQ(kBlocks * kBlock, after.bytes - before.bytes);
  std::vector<char> block(kBlock);
  for (size_t i = 0; i < kBlocks; ++i) {
    ASSERT_EQ(0, copy_now(block.data(), dsts[i], kBlock, FERRYX_DEVICE_TO_HOST));
    ASSERT_EQ(0, std::memcmp(block.data(), srcs[i], kBlock)) << i;
  }
}

TEST_F(HostGpuVirtualMemory, DescriptorsMayCrossSeamsButNotHoles) {
  map(create(kGranule), 0, kGranule);
  map(create(kGranule), kGranule, kGranule);
  map(create(kGranule), 3 * kGranule, kGranule);
  auto* const descriptor = reinterpret_cast<ferryx_descriptor*>(pinned(4096));
  const auto run = [&](uint64_t dst, uint64_t size) {
    *descriptor = {.reserved = {},
                   .size = static_cast<uint32_t>(size),
                   .src = reinterpret_cast<uint64_t>(descriptor),
                   .dst = reinterpret_cast<uint64_t>(at(dst))};
    ferryx_work work{};
    work.struct_size = sizeof work;
    work.kind = FERRYX_DESCRIBED;
    work.epoch = fake_runtime().epoch.load();
    work.as.described.descriptor = descriptor;
    EXPECT_EQ(0, backend().queue_submit(queue_, &work));
    EXPECT_EQ(0, synchronize());
    return fake_runtime().fault_code;
  };
  EXPECT_EQ(0, run(kGranule - 512, 1024)) << fake_runtime().text;
  EXPECT_EQ(507001, run(2 * kGranule - 512, 1024)) << "the hole is behind the second mapping";
}

// A device that accesses memory without the right to do so is broken from then on.
TEST_F(HostGpuVirtualMemory, AnotherDeviceMayAccessWhatIsOpenedToIt) {
  if (devices.size() < 2) GTEST_SKIP() << "needs HOST_GPU_DEVICES=2";
  const ferryx_memory mapped = map(create(kGranule), 0, kGranule);
  ASSERT_EQ(0, backend().physical_open_to_device(device(), devices[1], &mapped))
      << fake_runtime().text;
  char* const host = pinned(64);
  std::strcpy(host, "by a peer");
  ferryx_queue_settings settings{};
  settings.struct_size = sizeof settings;
  ferryx_queue* queue = nullptr;
  ASSERT_EQ(0, backend().queue_create(devices[1], &settings, &queue));
  const ferryx_copy item{.dst = mapped.address,
                         .src = host,
                         .size = 64,
                         .dst_storage = mapped.storage,
                         .src_storage = host};
  const ferryx_work work = copies_of(&item, 1, FERRYX_HOST_TO_DEVICE);
  EXPECT_EQ(0, backend().queue_submit(queue, &work));
  EXPECT_EQ(0, backend().queue_synchronize(queue, FERRYX_FOREVER));
  backend().queue_destroy(queue);
  EXPECT_EQ(cudaSuccess, failure_of(1));
  ASSERT_EQ(0, copy(host + 32, mapped.address, 32, FERRYX_DEVICE_TO_HOST));
  ASSERT_EQ(0, synchronize());
  EXPECT_STREQ("by a peer", host + 32);
}

TEST_F(HostGpuVirtualMemory, EveryDeviceAccessesHostMemory) {
  if (devices.size() < 2) GTEST_SKIP() << "needs HOST_GPU_DEVICES=2";
  const ferryx_memory mapped = map(create(kGranule, true), 0, kGranule);
  const std::shared_lock lock(memory().mutex);
  for (const int device : {0, 1})
    EXPECT_NE(nullptr, memory().reach(device, mapped.address, kGranule, Access::kKernel)) << device;
}

// The runtime lets a program fill memory of another device.
TEST_F(HostGpuVirtualMemory, EveryDeviceWithAPathAccessesMappedMemory) {
  if (devices.size() < 2) GTEST_SKIP() << "needs HOST_GPU_DEVICES=2";
  const ferryx_memory mapped = map(create(kGranule), 0, kGranule);
  const std::shared_lock lock(memory().mutex);
  EXPECT_NE(nullptr, memory().reach(1, mapped.address, kGranule, Access::kEngine));
}

// ---- memory of other processes, played by this one ----

TEST_F(HostGpuVirtualMemory, ExportedMemoryIsTheSameMemoryWhereItIsImported) {
  ferryx_physical* const physical = create(2 * kGranule);
  const ferryx_memory own = map(physical, 0, 2 * kGranule);
  ferryx_shared shared{};
  shared.struct_size = sizeof shared;
  ASSERT_EQ(0, backend().physical_export(device(), physical, &shared)) << fake_runtime().text;
  EXPECT_EQ(2 * kGranule, shared.size);
  ferryx_physical* imported = nullptr;
  ASSERT_EQ(0, backend().physical_import(device(), &shared, &imported)) << fake_runtime().text;
  physicals_.push_back(imported);
  close(shared.file);
  const ferryx_memory other = map(imported, 8 * kGranule, 2 * kGranule);
  char* const host = pinned(64);
  std::strcpy(host, "shared");
  ASSERT_EQ(0, copy(at(kGranule), host, 64, FERRYX_HOST_TO_DEVICE));
  ASSERT_EQ(
      0, copy(host + 32, static_cast<char*>(other.address) + kGranule, 32, FERRYX_DEVICE_TO_HOST));
  ASSERT_EQ(0, synchronize());
  EXPECT_STREQ("shared", host + 32);
  EXPECT_EQ(own.size, other.size);
}

TEST_F(HostGpuVirtualMemory, AnImportedPartStartsWhereThePartDoes) {
  ferryx_physical* const physical = create(2 * kGranule);
  const ferryx_memory own = map(physical, 0, 2 * kGranule);
  ferryx_shared shared{};
  shared.struct_size = sizeof shared;
  ASSERT_EQ(0, backend().physical_export(device(), physical, &shared));
  shared.offset = kGranule + 8192;
  shared.size = 4096;
  ferryx_physical* imported = nullptr;
  ASSERT_EQ(0, backend().physical_import(device(), &shared, &imported)) << fake_runtime().text;
  physicals_.push_back(imported);
  close(shared.file);
  const ferryx_memory part = map(imported, 8 * kGranule, 4096);
  EXPECT_EQ(4096u, live_at(part.address).size);
  char* const host = pinned(64);
  std::strcpy(host, "a part");
  ASSERT_EQ(
      0, copy(static_cast<char*>(own.address) + kGranule + 8192, host, 64, FERRYX_HOST_TO_DEVICE));
  ASSERT_EQ(0, copy(host + 32, part.address, 32, FERRYX_DEVICE_TO_HOST));
  ASSERT_EQ(0, synchronize());
  EXPECT_STREQ("a part", host + 32);
}

TEST_F(HostGpuVirtualMemory, RefusesADescriptorThatIsNotMemory) {
  int ends[2];
  ASSERT_EQ(0, pipe(ends));
  ferryx_shared shared{.struct_size = sizeof shared,
                       .file = ends[0],
                       .offset = 0,
                       .size = kGranule,
                       .is_host = 0,
                       .remote = nullptr};
  ferryx_physical* imported = nullptr;
  EXPECT_EQ(kDriverError, backend().physical_import(device(), &shared, &imported));
  EXPECT_NE(std::string::npos, fake_runtime().text.find("another process")) << fake_runtime().text;
  close(ends[0]);
  close(ends[1]);
}

TEST_F(HostGpuVirtualMemory, SaysThatCudaOpensNoAllocationInTheExportingProcess) {
  ferryx_memory allocated{};
  ASSERT_EQ(0, backend().memory_alloc(device(), kGranule, 0, &allocated));
  ferryx_shared shared{};
  shared.struct_size = sizeof shared;
  ASSERT_EQ(0, backend().memory_export(device(), &allocated, &shared)) << fake_runtime().text;
  ferryx_physical* imported = nullptr;
  EXPECT_EQ(kFeatureNotSupported, backend().physical_import(device(), &shared, &imported));
  EXPECT_NE(std::string::npos, fake_runtime().text.find("second address")) << fake_runtime().text;
  close(shared.file);
  backend().memory_free(device(), &allocated);
}

}  // namespace
}  // namespace host_gpu
