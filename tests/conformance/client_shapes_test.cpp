// SPDX-License-Identifier: Apache-2.0
// How real programs use the library, beyond the tests of single functions: without aclInit, with
// odd policies, through dlopen, behind an interposed library.
#include "support/contract.h"
#include "support/report_server.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace conformance::client_shapes_test {
namespace {

using ClientShapes = WithStream;

// Copies to the device and back on a new stream, and compares.
void expect_copies_work(void* device, size_t size) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  {
    PinnedBuffer source(size), sink(size);
    source.fill(pattern(size, 3));
    EXPECT_OK(
        aclrtMemcpyAsync(device, size, source.get(), size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_OK(aclrtMemcpyAsync(sink.get(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(pattern(size, 3), sink.copy());
  }
  EXPECT_OK(aclrtDestroyStream(stream));
}

// ---- 1: libraries that never call aclInit ----

FERRY_PROCESS_TEST(ClientShapesProcess, WorkWithoutAclInit) {
  ASSERT_OK(aclrtSetDevice(0));
  DeviceBuffer device(4096);
  expect_copies_work(device.get(), 4096);
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(ClientShapesProcess, MayBeginWithAnyCall) {
  int variable = 0;
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(&variable, &attributes));
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtSynchronizeDevice());
  void* memory = nullptr;
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_STREQ("Ascend910B1", aclrtGetSocName());
  EXPECT_OK(aclrtSetDevice(0));
}

// ---- 2: policies alone and combined ----

TEST_F(ClientShapes, AllocateWithAnyPolicy) {
  for (const int policy :
       {int{ACL_MEM_TYPE_HIGH_BAND_WIDTH}, int{ACL_MEM_TYPE_LOW_BAND_WIDTH},
        ACL_MEM_TYPE_HIGH_BAND_WIDTH | ACL_MEM_MALLOC_HUGE_FIRST,
        ACL_MEM_TYPE_HIGH_BAND_WIDTH | ACL_MEM_MALLOC_HUGE_ONLY,
        ACL_MEM_TYPE_HIGH_BAND_WIDTH | ACL_MEM_MALLOC_NORMAL_ONLY_P2P,
        ACL_MEM_TYPE_HIGH_BAND_WIDTH | ACL_MEM_ACCESS_USER_SPACE_READONLY, 0x7FFFFFFF}) {
    void* memory = nullptr;
    ASSERT_OK(aclrtMalloc(&memory, 1 << 20, static_cast<aclrtMemMallocPolicy>(policy)));
    expect_copies_work(memory, 1 << 20);
    EXPECT_OK(aclrtFree(memory));
  }
}

// ---- 3: a thread that polls for callbacks all the time ----

TEST_F(ClientShapes, PollBeforeSubscribingAndWhileUnsubscribing) {
  ReportServer server;  // polls from now on
  for (int round = 0; round < 20; ++round) {
    Note note;
    EXPECT_OK(aclrtSubscribeReport(server.number(), stream_));
    EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(1, note.calls);
    EXPECT_OK(aclrtUnSubscribeReport(server.number(), stream_));
  }
}

// ---- 4: registering memory ----

TEST_F(ClientShapes, RegisterMemoryOfAclrtMallocHost) {
  PinnedBuffer host(8192);
  void* on_device = nullptr;
  ASSERT_OK(aclrtHostRegister(host.get(), 8192, ACL_HOST_REGISTER_MAPPED, &on_device));
  EXPECT_NE(nullptr, on_device);
  DeviceBuffer device(8192);
  device.write(pattern(8192));
  EXPECT_OK(
      aclrtMemcpyAsync(on_device, 8192, device.get(), 8192, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(8192), host.copy());
  EXPECT_OK(aclrtHostUnregister(host.get()));
}

TEST_F(ClientShapes, RegisterMappedMemoryAndUseItLater) {
  const size_t size = 16384;
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(MAP_FAILED, pages);
  void* on_device = nullptr;
  ASSERT_OK(aclrtHostRegister(pages, size, ACL_HOST_REGISTER_MAPPED, &on_device));
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(pages, &attributes));
  EXPECT_EQ(ACL_MEM_LOCATION_TYPE_HOST, attributes.location.type);
  auto* bytes = static_cast<uint8_t*>(pages);
  DeviceBuffer device(size);
  for (uint8_t round = 1; round <= 3; ++round) {
    std::fill(bytes, bytes + size, round);
    EXPECT_OK(aclrtMemcpyAsync(device.get(), size, on_device, size, ACL_MEMCPY_DEVICE_TO_DEVICE,
                               stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(std::vector<uint8_t>(size, round), device.read());
  }
  EXPECT_OK(aclrtHostUnregister(pages));
  EXPECT_EQ(0, munmap(pages, size));
}

// ---- 5, 6: batches as the transfer libraries send them ----

struct Blocks {
  explicit Blocks(size_t number, size_t size)
      : host(number * size), device(number * size), sizes(number, size), indexes(number) {
    for (size_t i = 0; i < number; ++i) {
      dsts.push_back(device.at(i * size));
      srcs.push_back(host.bytes() + (number - 1 - i) * size);  // scattered
    }
    std::iota(indexes.begin(), indexes.end(), size_t{0});
    host.fill(pattern(number * size));
    attributes.resize(number);
    for (aclrtMemcpyBatchAttr& attribute : attributes) {
      attribute = {};
      attribute.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
      attribute.srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST};
    }
  }

  std::vector<uint8_t> expected() const {
    std::vector<uint8_t> bytes;
    for (const void* source : srcs) {
      const auto* start = static_cast<const uint8_t*>(source);
      bytes.insert(bytes.end(), start, start + sizes[0]);
    }
    return bytes;
  }

  PinnedBuffer host;
  DeviceBuffer device;
  std::vector<void*> dsts, srcs;
  std::vector<size_t> sizes, indexes;
  std::vector<aclrtMemcpyBatchAttr> attributes;
};

// One attribute per item, dest_max and size in the same array, single copies when the batch is
// refused.
aclError copy_with_fallback(Blocks& blocks) {
  size_t fail_index = SIZE_MAX;
  const aclError code =
      aclrtMemcpyBatch(blocks.dsts.data(), blocks.sizes.data(), blocks.srcs.data(),
                       blocks.sizes.data(), blocks.dsts.size(), blocks.attributes.data(),
                       blocks.indexes.data(), blocks.indexes.size(), &fail_index);
  EXPECT_EQ(SIZE_MAX, fail_index);
  if (code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT) return code;
  for (size_t i = 0; i < blocks.dsts.size(); ++i) {
    EXPECT_OK(aclrtMemcpy(blocks.dsts[i], blocks.sizes[i], blocks.srcs[i], blocks.sizes[i],
                          ACL_MEMCPY_HOST_TO_DEVICE));
  }
  return code;
}

TEST_F(ClientShapes, SendBatchesWithOneAttributeForEachItem) {
  for (const size_t number : {size_t{1}, size_t{100}, size_t{4096}}) {
    Blocks blocks(number, 128);
    EXPECT_EQ(ACL_SUCCESS, copy_with_fallback(blocks)) << recent_text();
    EXPECT_EQ(blocks.expected(), blocks.device.read());
  }
}

TEST_F(ClientShapes, SendBatchesWithOneAttributeForAll) {
  Blocks blocks(64, 256);
  blocks.attributes[0].srcLoc.id = 5;  // host memory "of device 5": the id is ignored
  size_t first = 0, fail_index = SIZE_MAX;
  EXPECT_OK(aclrtMemcpyBatchAsync(blocks.dsts.data(), blocks.sizes.data(), blocks.srcs.data(),
                                  blocks.sizes.data(), 64, blocks.attributes.data(), &first, 1,
                                  &fail_index, stream_));
  EXPECT_EQ(SIZE_MAX, fail_index);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(blocks.expected(), blocks.device.read());
}

void expect_fallback() {
  ASSERT_OK(aclrtSetDevice(0));
  Blocks blocks(16, 128);
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, copy_with_fallback(blocks));
  EXPECT_EQ(blocks.expected(), blocks.device.read());
}

FERRY_PROCESS_TEST(ClientShapesProcess, FallBackOnAProductWithoutBatches, "FERRY_SOC=Ascend310P3") {
  expect_fallback();
}

FERRY_PROCESS_TEST(ClientShapesProcess, FallBackOnAFailureOnPurpose,
                   "FERRY_FAIL=aclrtMemcpyBatch:*=207000") {
  expect_fallback();
}

// ---- 7, 8, 12, 13, 14 ----

TEST_F(ClientShapes, AskAboutAnyPointer) {
  static int s_variable = 0;
  int local = 0;
  std::vector<char> heap(1000);
  PinnedBuffer pinned(64);
  const void* const pageable[] = {&s_variable,
                                  &local,
                                  heap.data(),
                                  "text",
                                  stream_,
                                  reinterpret_cast<void*>(1),
                                  reinterpret_cast<void*>(~uintptr_t{0})};
  for (const void* address : pageable) {
    aclrtPtrAttributes attributes = {};
    attributes.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
    EXPECT_EQ(ACL_MEM_LOCATION_TYPE_UNREGISTERED, attributes.location.type);
    EXPECT_EQ(0u, attributes.location.id);
  }
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(pinned.get(), &attributes));
  EXPECT_EQ(ACL_MEM_LOCATION_TYPE_HOST, attributes.location.type);
}

TEST_F(ClientShapes, TestTheContextInsteadOfTheCode) {
  on_new_thread([] {
    int marker = 0;
    aclrtContext context = &marker;
    aclrtGetCurrentContext(&context);
    EXPECT_EQ(nullptr, context);
  });
}

FERRY_PROCESS_TEST(ClientShapesProcess, CallAclInitTwice) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  int32_t device = -1;
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetDevice(&device));
  ASSERT_OK(aclrtSetDevice(0));
  DeviceBuffer memory(64);
  expect_copies_work(memory.get(), 64);
}

TEST_F(ClientShapes, CopyWithAnyKind) {
  DeviceBuffer first(64), second(64);
  std::vector<uint8_t> host(64);
  for (const aclrtMemcpyKind kind :
       {ACL_MEMCPY_DEFAULT, ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE,
        ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE}) {
    const std::vector<uint8_t> sent = pattern(64, static_cast<uint8_t>(kind));
    EXPECT_OK(aclrtMemcpy(first.get(), 64, sent.data(), 64, kind));
    EXPECT_OK(aclrtMemcpy(second.get(), 64, first.get(), 64, kind));
    EXPECT_OK(aclrtMemcpy(host.data(), 64, second.get(), 64, kind));
    EXPECT_EQ(sent, host) << kind;
  }
}

// ---- 10: an interposed library ----

TEST(ClientShapesProcess, StandBehindAnotherLibrary) {
  if (is_child()) {
    const auto frees =
        reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "conformance_interposed_frees"));
    const auto allocations =
        reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "conformance_interposed_allocations"));
    ASSERT_NE(nullptr, frees) << "the interposed library was not preloaded";
    ASSERT_NE(nullptr, allocations);
    ASSERT_OK(aclrtSetDevice(0));
    void *first = nullptr, *second = nullptr;
    ASSERT_OK(aclrtMallocAlign32(&first, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMalloc(&second, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_EQ(1, allocations());
    expect_copies_work(first, 4096);
    EXPECT_OK(aclrtFree(first));
    EXPECT_EQ(1, frees());
    // The library itself never calls through the replaced symbol.
    EXPECT_OK(aclrtFreeWithDevSync(second));
    EXPECT_EQ(1, frees());
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(first));
    EXPECT_EQ(2, frees());
    return;
  }
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string library = (here / "libconformance_interpose.so").string();
  ASSERT_TRUE(std::filesystem::exists(library)) << library << " is built next to this binary";
  // A sanitizer must be the first library and would refuse to start.
  const char* options = std::getenv("ASAN_OPTIONS");
  EXPECT_EQ(0, run_in_process(
                   "ClientShapesProcess.StandBehindAnotherLibrary",
                   {"LD_PRELOAD=" + library, std::string("ASAN_OPTIONS=verify_asan_link_order=0:") +
                                                 (options == nullptr ? "" : options)}));
}

// ---- 11: dlopen and dlsym ----

TEST(ClientShapesLoading, FindEveryFunctionWithDlsym) {
  NEEDS_THE_CONTRACT();
  void* library = dlopen("libascendcl.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(nullptr, library) << dlerror();
  for (const std::string& name : contract_functions())
    EXPECT_NE(nullptr, dlsym(library, name.c_str())) << name;
  EXPECT_EQ(nullptr, dlsym(library, "aclrtNoSuchFunction"));
  // The process has one library, however it was loaded.
  EXPECT_EQ(reinterpret_cast<void*>(aclrtMalloc), dlsym(library, "aclrtMalloc"));
  EXPECT_EQ(0, dlclose(library));
  EXPECT_GE(device_count(), 1u);  // closing must not unload it
}

TEST(ClientShapesLoading, CallThroughDlsym) {
  void* library = dlopen("libascendcl.so", RTLD_LAZY);
  ASSERT_NE(nullptr, library) << dlerror();
  const auto set = reinterpret_cast<aclError (*)(int32_t)>(dlsym(library, "aclrtSetDevice"));
  const auto reset = reinterpret_cast<aclError (*)(int32_t)>(dlsym(library, "aclrtResetDevice"));
  EXPECT_EQ(ACL_SUCCESS, set(0));
  EXPECT_NE(nullptr, current_context());
  EXPECT_EQ(ACL_SUCCESS, reset(0));
  EXPECT_EQ(0, dlclose(library));
}

}  // namespace
}  // namespace conformance::client_shapes_test
