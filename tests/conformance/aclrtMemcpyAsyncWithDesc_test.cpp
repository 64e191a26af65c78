// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsyncWithDesc: a copy whose addresses and length are read when it runs. Writing
// descriptors is in aclrtSetMemcpyDesc_test.cpp.
#include "support/copies.h"

#include <algorithm>

namespace conformance::copies::aclrtMemcpyAsyncWithDesc_test {
namespace {

constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
constexpr size_t kSize = 200;

class AclrtMemcpyAsyncWithDesc : public WithStream {
 protected:
  struct Buffers {
    DeviceBuffer desc{64};
    DeviceBuffer src{kSize};
    DeviceBuffer dst{kSize};

    Buffers() {
      src.write(pattern(kSize, 1));
      dst.write(pattern(kSize, 2));
      set(src.get(), dst.get(), kSize);
    }
    void set(void* from, void* to, size_t count) {
      EXPECT_OK(aclrtSetMemcpyDesc(desc.get(), kKind, from, to, count, nullptr));
    }
  };
};

TEST_F(AclrtMemcpyAsyncWithDesc, QueuesTheCopy) {
  const Buffers buffers;
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  EXPECT_EQ(pattern(kSize, 2), buffers.dst.read()) << "copied too early";
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 1), buffers.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithDesc, CopiesExactlyTheBytesOfTheDescriptor) {
  Buffers buffers;
  for (const size_t count : {size_t{1}, size_t{63}, size_t{64}, size_t{100}}) {
    buffers.dst.write(pattern(kSize, 2));
    buffers.set(buffers.src.at(11), buffers.dst.at(7), count);
    EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    std::vector<uint8_t> expected = pattern(kSize, 2);
    const std::vector<uint8_t> sent = pattern(kSize, 1);
    std::copy_n(sent.begin() + 11, count, expected.begin() + 7);
    EXPECT_EQ(expected, buffers.dst.read());
  }
}

TEST_F(AclrtMemcpyAsyncWithDesc, ReadsTheDescriptorWhenTheTaskRuns) {
  Buffers buffers;
  DeviceBuffer other(kSize);
  other.write(pattern(kSize, 3));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  buffers.set(buffers.src.get(), other.get(), 150);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 2), buffers.dst.read());
  std::vector<uint8_t> expected = pattern(kSize, 3);
  const std::vector<uint8_t> sent = pattern(kSize, 1);
  std::copy_n(sent.begin(), 150, expected.begin());
  EXPECT_EQ(expected, other.read());
}

TEST_F(AclrtMemcpyAsyncWithDesc, AnEarlierTaskMayWriteTheDescriptor) {
  Buffers buffers;
  const DeviceBuffer later(64);
  DeviceBuffer other(kSize);
  EXPECT_OK(aclrtSetMemcpyDesc(later.get(), kKind, buffers.src.get(), other.get(), kSize, nullptr));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  EXPECT_OK(aclrtMemcpyAsync(buffers.desc.get(), 32, later.get(), 32, ACL_MEMCPY_DEVICE_TO_DEVICE,
                             stream_));
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 1), buffers.dst.read());
  EXPECT_EQ(pattern(kSize, 1), other.read());
}

TEST_F(AclrtMemcpyAsyncWithDesc, OneDescriptorServesAnyNumberOfCopies) {
  Buffers buffers;
  for (uint8_t seed = 10; seed < 60; ++seed) {
    buffers.src.write(pattern(kSize, seed));
    EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(pattern(kSize, seed), buffers.dst.read());
  }
}

TEST_F(AclrtMemcpyAsyncWithDesc, RefusesNullBeforeTheKindAndTheStream) {
  const BadStreams bad;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpyAsyncWithDesc(nullptr, kind_of(8), nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpyAsyncWithDesc(nullptr, kKind, bad.destroyed()));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemcpyAsyncWithDesc, RefusesAKindOutOfRangeBeforeTheStream) {
  const Buffers buffers;
  for (const int kind : {8, -1, 0x7FFFFFFF}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kind_of(kind), nullptr));
  }
}

TEST_F(AclrtMemcpyAsyncWithDesc, NullNamesNoStream) {
  const Buffers buffers;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kind_of(3), nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  aclrtStream default_stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, default_stream));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(pattern(kSize, 1), buffers.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithDesc, RefusesHandlesThatAreNoStreamsBeforeOtherKinds) {
  const Buffers buffers;
  const BadStreams bad;
  for (const BadStreams::Entry& entry : bad.all()) {
    SCOPED_TRACE(entry.what);
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, entry.handle));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtMemcpyAsyncWithDesc(buffers.desc.at(1), kind_of(3), entry.handle));
  }
  EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
}

TEST_F(AclrtMemcpyAsyncWithDesc, OtherKindsAreNotSupported) {
  const Buffers buffers;
  clear_errors();
  for (const int kind : {0, 1, 2, 3, 4, 5, 7}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtMemcpyAsyncWithDesc(buffers.desc.at(1), kind_of(kind), stream_));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 2), buffers.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithDesc, RefusesADescriptorOutsideDeviceMemory) {
  PinnedBuffer pinned(64);
  const HostPages pages(1);
  for (void* const desc : {pinned.get(), static_cast<void*>(pages.at(0)), unmapped_address()}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpyAsyncWithDesc(desc, kKind, stream_));
  }
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
}

TEST_F(AclrtMemcpyAsyncWithDesc, RefusesADescriptorThatIsNotAMultipleOf64BeforeTheContext) {
  const DeviceBuffer desc(256);
  for (const size_t offset : {size_t{1}, size_t{32}, size_t{63}, size_t{65}}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                 aclrtMemcpyAsyncWithDesc(desc.at(offset), kKind, stream_));
  }
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                 aclrtMemcpyAsyncWithDesc(desc.at(1), kKind, stream_));
  });
}

TEST_F(AclrtMemcpyAsyncWithDesc, NeedsAContext) {
  const Buffers buffers;
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtMemcpyAsyncWithDesc, RefusesAStreamOfAnotherContext) {
  const Buffers buffers;
  const OtherContext other;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
               aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, other.stream()));
  EXPECT_OK(aclrtSynchronizeStream(other.stream()));
  EXPECT_EQ(pattern(kSize, 2), buffers.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithDesc, ARangeOutsideItsAllocationFailsOnTheStream) {
  Buffers buffers;
  const DeviceBuffer large(1000);
  buffers.set(buffers.src.get(), large.get(), padded(kSize) + 1);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithDesc"));
  buffers.set(large.get(), buffers.dst.get(), padded(kSize) + 1);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithDesc"));
  EXPECT_EQ(pattern(kSize, 2), buffers.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithDesc, ADescriptorOf4GiBMeans4GiB) {
  Buffers buffers;
  // If the stored length 0 meant no bytes, this copy would succeed.
  buffers.set(buffers.src.get(), buffers.dst.get(), size_t{1} << 32);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithDesc"));
}

TEST_F(AclrtMemcpyAsyncWithDesc, ADescriptorOfRubbishFailsOnTheStream) {
  const Buffers buffers;
  EXPECT_OK(aclrtMemset(buffers.desc.get(), 64, 0xff, 64));
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithDesc"));
  EXPECT_OK(aclrtMemset(buffers.desc.get(), 64, 0, 64));
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithDesc"));
}

TEST_F(AclrtMemcpyAsyncWithDesc, MemoryFreedBeforeTheCopyRunsFailsIt) {
  Buffers buffers;
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  buffers.set(freed, buffers.dst.get(), kSize);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stream_));
  EXPECT_OK(aclrtFree(freed));
  gate.open();
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithDesc"));
}

TEST_F(AclrtMemcpyAsyncWithDesc, ADescriptorFreedBeforeTheCopyRunsFailsIt) {
  const Buffers buffers;
  void* desc = nullptr;
  ASSERT_OK(aclrtMalloc(&desc, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtSetMemcpyDesc(desc, kKind, buffers.src.get(), buffers.dst.get(), kSize, nullptr));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(desc, kKind, stream_));
  EXPECT_OK(aclrtFree(desc));
  gate.open();
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithDesc"));
}

TEST_F(AclrtMemcpyAsyncWithDesc, AStoppedContextRefusesIt) {
  const Buffers buffers;
  {
    const StoppedContext stopped;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR,
                      aclrtMemcpyAsyncWithDesc(buffers.desc.get(), kKind, stopped.stream()));
  }
  EXPECT_EQ(pattern(kSize, 2), buffers.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithDesc, ThreadsQueueOnOneStreamAtOnce) {
  static constexpr size_t kThreads = 4;
  const DeviceBuffer descs(kThreads * 64);
  DeviceBuffer src(kThreads * 100);
  const DeviceBuffer dst(kThreads * 100);
  src.write(pattern(kThreads * 100));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < kThreads; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      EXPECT_OK(aclrtSetMemcpyDesc(descs.at(index * 64), kKind, src.at(index * 100),
                                   dst.at(index * 100), 100, nullptr));
      for (int round = 0; round < 50; ++round)
        EXPECT_OK(aclrtMemcpyAsyncWithDesc(descs.at(index * 64), kKind, stream_));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(src.read(), dst.read());
}

void check_product_with_descriptors() {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  {
    size_t size = 0;
    ASSERT_OK(aclrtGetMemcpyDescSize(kKind, &size));
    const DeviceBuffer desc(size);
    DeviceBuffer src(kSize);
    const DeviceBuffer dst(kSize);
    src.write(pattern(kSize));
    EXPECT_OK(aclrtSetMemcpyDesc(desc.get(), kKind, src.get(), dst.get(), kSize, nullptr));
    EXPECT_OK(aclrtMemcpyAsyncWithDesc(desc.get(), kKind, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(pattern(kSize), dst.read());
  }
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncWithDescProducts, A3HasIt, "FERRY_SOC=Ascend910_9381") {
  check_product_with_descriptors();
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncWithDescProducts, Ascend950HasIt, "FERRY_SOC=Ascend950DT_9582") {
  check_product_with_descriptors();
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncWithDescProducts, EarlierOnesLackIt, "FERRY_SOC=Ascend310P1") {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  {
    const DeviceBuffer desc(64);
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtMemcpyAsyncWithDesc(desc.get(), kKind, stream));
    EXPECT_EQ(ACL_SUCCESS, last_error());
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclrtMemcpyAsyncWithDesc(desc.get(), kKind, nullptr));
  }
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsyncWithDesc_test
