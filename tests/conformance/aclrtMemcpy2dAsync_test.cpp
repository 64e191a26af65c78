// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2dAsync: copies rows in the order of a stream. Refusals are in
// aclrtMemcpy2dAsync_errors_test.cpp.
#include "support/copies_2d.h"

namespace conformance::copies::aclrtMemcpy2dAsync_test {
namespace {

using AclrtMemcpy2dAsync = WithStream;

TEST_F(AclrtMemcpy2dAsync, CopiesRowsEveryWayAndNoByteBetweenThem) {
  for (const Shape& shape : kShapes) {
    const std::vector<uint8_t> before = pattern(shape.dst_bytes(), 2);
    const std::vector<uint8_t> sent = pattern(shape.src_bytes(), 1);
    const std::vector<uint8_t> expected = shape.put(sent, before);
    DeviceBuffer source(sent.size());
    DeviceBuffer from_host(before.size());
    DeviceBuffer from_device(before.size());
    PinnedBuffer pinned_source(sent.size());
    PinnedBuffer pinned(before.size());
    source.write(sent);
    from_host.write(before);
    from_device.write(before);
    pinned_source.fill(sent);
    pinned.fill(before);
    const auto copy = [&](void* dst, const void* src, aclrtMemcpyKind kind) {
      EXPECT_OK(aclrtMemcpy2dAsync(dst, shape.dpitch, src, shape.spitch, shape.width, shape.height,
                                   kind, stream_));
    };
    copy(from_host.get(), pinned_source.get(), ACL_MEMCPY_HOST_TO_DEVICE);
    copy(pinned.get(), source.get(), ACL_MEMCPY_DEVICE_TO_HOST);
    copy(from_device.get(), source.get(), ACL_MEMCPY_DEVICE_TO_DEVICE);
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(expected, from_host.read());
    EXPECT_EQ(expected, pinned.copy());
    EXPECT_EQ(expected, from_device.read());
  }
}

struct Sides {
  DeviceBuffer device{256};
  DeviceBuffer other_device{256};
  PinnedBuffer pinned{256};
};

TEST_F(AclrtMemcpy2dAsync, QueuesDeviceAndPinnedMemoryAndCorrectsTheKind) {
  Sides sides;
  struct Pair {
    void* dst;
    void* src;
  };
  const Pair pairs[] = {{sides.device.get(), sides.pinned.get()},
                        {sides.pinned.get(), sides.device.get()},
                        {sides.device.get(), sides.other_device.get()}};
  for (const Pair& pair : pairs) {
    for (int kind = ACL_MEMCPY_HOST_TO_DEVICE; kind <= ACL_MEMCPY_DEFAULT; ++kind) {
      const auto read = [](void* address) {
        std::vector<uint8_t> bytes(256);
        EXPECT_OK(aclrtMemcpy(bytes.data(), 256, address, 256, ACL_MEMCPY_DEFAULT));
        return bytes;
      };
      const std::vector<uint8_t> sent = pattern(256, 1);
      const std::vector<uint8_t> before = pattern(256, 2);
      EXPECT_OK(aclrtMemcpy(pair.src, 256, sent.data(), 256, ACL_MEMCPY_DEFAULT));
      EXPECT_OK(aclrtMemcpy(pair.dst, 256, before.data(), 256, ACL_MEMCPY_DEFAULT));
      Gate gate(stream_);
      EXPECT_OK(aclrtMemcpy2dAsync(pair.dst, 16, pair.src, 16, 16, 16, kind_of(kind), stream_));
      EXPECT_EQ(before, read(pair.dst)) << "copied too early";
      gate.open();
      EXPECT_OK(aclrtSynchronizeStream(stream_));
      EXPECT_EQ(sent, read(pair.dst));
    }
  }
}

TEST_F(AclrtMemcpy2dAsync, KeepsTheOrderOfTheStream) {
  Sides sides;
  sides.pinned.fill(pattern(256, 1));
  PinnedBuffer result(256);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(sides.device.get(), 256, 0x21, 256, stream_));
  EXPECT_OK(aclrtMemcpy2dAsync(sides.device.get(), 32, sides.pinned.get(), 32, 16, 8,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtMemcpyAsync(result.get(), 256, sides.device.get(), 256, ACL_MEMCPY_DEVICE_TO_HOST,
                             stream_));
  EXPECT_OK(aclrtMemsetAsync(sides.device.get(), 256, 0, 256, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const Shape shape = {32, 32, 16, 8};
  EXPECT_EQ(shape.put(pattern(256, 1), std::vector<uint8_t>(256, 0x21)), result.copy());
}

TEST_F(AclrtMemcpy2dAsync, NullNamesTheDefaultStream) {
  Sides sides;
  sides.pinned.fill(pattern(256, 1));
  sides.device.write(pattern(256, 2));
  Gate gate(nullptr);
  EXPECT_OK(aclrtMemcpy2dAsync(sides.device.get(), 16, sides.pinned.get(), 16, 16, 16,
                               ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(256, 2), sides.device.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(pattern(256, 1), sides.device.read());
}

TEST_F(AclrtMemcpy2dAsync, PageableMemoryBlocksUntilTheStreamIsDone) {
  const DeviceBuffer device(256);
  for (const aclrtMemcpyKind kind : {ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEFAULT}) {
    std::vector<uint8_t> host(256);
    EXPECT_OK(aclrtMemset(device.get(), 256, 0, 256));
    Gate gate(stream_);
    EXPECT_OK(aclrtMemsetAsync(device.get(), 256, 0x44, 256, stream_));
    CallOnThread call([&] {
      return aclrtMemcpy2dAsync(host.data(), 16, device.get(), 16, 16, 16, kind, stream_);
    });
    EXPECT_FALSE(call.has_returned());
    gate.open();
    EXPECT_EQ(ACL_SUCCESS, call.result()) << call.text();
    EXPECT_EQ(std::vector<uint8_t>(256, 0x44), host);
  }
}

TEST_F(AclrtMemcpy2dAsync, PageableMemoryIsCopiedAfterWhatWasQueuedBefore) {
  const DeviceBuffer device(256);
  for (const aclrtMemcpyKind kind : {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEFAULT}) {
    const std::vector<uint8_t> host = pattern(256);
    Gate gate(stream_);
    EXPECT_OK(aclrtMemsetAsync(device.get(), 256, 0x44, 256, stream_));
    CallOnThread call([&] {
      return aclrtMemcpy2dAsync(device.get(), 16, host.data(), 16, 16, 16, kind, stream_);
    });
    EXPECT_FALSE(call.has_returned());
    gate.open();
    EXPECT_EQ(ACL_SUCCESS, call.result()) << call.text();
    EXPECT_EQ(host, device.read());
    // A copy that ran before the fill would be overwritten by now.
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(host, device.read());
  }
}

TEST_F(AclrtMemcpy2dAsync, PageableMemoryGetsTheFailureOfAnEarlierTask) {
  DeviceBuffer device(256);
  device.write(pattern(256, 2));
  const std::vector<uint8_t> host = pattern(256, 1);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 1000, 0, 1000, stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR,
                    aclrtMemcpy2dAsync(device.get(), 16, host.data(), 16, 16, 16,
                                       ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(pattern(256, 2), device.read());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemcpy2dAsync, RowsOutsideTheAllocationFailOnTheStream) {
  Sides sides;
  sides.device.write(pattern(256));
  sides.other_device.write(pattern(256));
  const size_t room = padded(256);
  EXPECT_OK(aclrtMemcpy2dAsync(sides.device.get(), room - 8, sides.pinned.get(), 8, 8, 2,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtMemcpy2dAsync(sides.device.get(), room - 7, sides.pinned.get(), 8, 8, 2,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpy2dAsync"));
  EXPECT_OK(aclrtMemcpy2dAsync(sides.pinned.get(), 249, sides.device.get(), 8, 8, 2,
                               ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpy2dAsync"));
  EXPECT_OK(aclrtMemcpy2dAsync(sides.device.get(), 8, sides.other_device.get(), SIZE_MAX, 8, 3,
                               ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpy2dAsync"));
}

TEST_F(AclrtMemcpy2dAsync, MemoryFreedBeforeTheCopyRunsFailsIt) {
  Sides sides;
  sides.device.write(pattern(256));
  for (const bool is_destination : {true, false}) {
    void* freed = nullptr;
    ASSERT_OK(aclrtMalloc(&freed, 256, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemset(freed, 256, 0, 256));
    Gate gate(stream_);
    EXPECT_OK(aclrtMemcpy2dAsync(is_destination ? freed : sides.device.get(), 16,
                                 is_destination ? sides.device.get() : freed, 16, 16, 16,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
    EXPECT_OK(aclrtFree(freed));
    gate.open();
    EXPECT_TRUE(task_failed(stream_, "aclrtMemcpy2dAsync"));
  }
}

TEST_F(AclrtMemcpy2dAsync, AStoppedContextRefusesIt) {
  Sides sides;
  const std::vector<uint8_t> host(256);
  sides.device.write(pattern(256, 2));
  {
    const StoppedContext stopped;
    for (const void* const source :
         {static_cast<const void*>(sides.pinned.get()), static_cast<const void*>(host.data())}) {
      EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR,
                        aclrtMemcpy2dAsync(sides.device.get(), 16, source, 16, 16, 16,
                                           ACL_MEMCPY_HOST_TO_DEVICE, stopped.stream()));
    }
  }
  EXPECT_EQ(pattern(256, 2), sides.device.read());
}

TEST_F(AclrtMemcpy2dAsync, ThreadsQueueOnOneStreamAtOnce) {
  static constexpr size_t kThreads = 4;
  PinnedBuffer source(kThreads * 1000);
  const DeviceBuffer device(kThreads * 1000);
  source.fill(pattern(source.size()));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < kThreads; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      for (size_t row = 0; row < 100; ++row) {
        const size_t offset = row * 40 + index * 10;
        EXPECT_OK(aclrtMemcpy2dAsync(device.at(offset), 5, source.bytes() + offset, 5, 5, 2,
                                     ACL_MEMCPY_HOST_TO_DEVICE, stream_));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(source.copy(), device.read());
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpy2dAsync_test
