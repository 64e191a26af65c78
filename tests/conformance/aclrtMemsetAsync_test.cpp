// SPDX-License-Identifier: Apache-2.0
// aclrtMemsetAsync: fills device memory in the order of a stream, host memory during the call.
#include "support/copies.h"

#include <algorithm>

namespace conformance::copies::aclrtMemsetAsync_test {
namespace {

using AclrtMemsetAsync = WithStream;

TEST_F(AclrtMemsetAsync, QueuesDeviceMemory) {
  DeviceBuffer device(300);
  device.write(pattern(300));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(device.at(3), 297, 0x5e, 200, stream_));
  EXPECT_EQ(pattern(300), device.read()) << "filled too early";
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  std::vector<uint8_t> expected = pattern(300);
  std::fill_n(expected.begin() + 3, 200, uint8_t{0x5e});
  EXPECT_EQ(expected, device.read());
}

TEST_F(AclrtMemsetAsync, OnlyTheLowByteOfTheValueCounts) {
  const DeviceBuffer device(16);
  const std::pair<int32_t, uint8_t> cases[] = {
      {0x1234, 0x34}, {-1, 255}, {256, 0}, {INT32_MAX, 255}};
  for (const auto& [value, byte] : cases) {
    EXPECT_OK(aclrtMemsetAsync(device.get(), 16, value, 16, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(std::vector<uint8_t>(16, byte), device.read());
  }
}

TEST_F(AclrtMemsetAsync, KeepsTheOrderOfTheStream) {
  const DeviceBuffer device(64);
  PinnedBuffer first(64);
  PinnedBuffer second(64);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 1, 64, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(first.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 2, 64, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(second.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(64, 1), first.copy());
  EXPECT_EQ(std::vector<uint8_t>(64, 2), second.copy());
}

TEST_F(AclrtMemsetAsync, FillsHostMemoryDuringTheCall) {
  PinnedBuffer pinned(64);
  pinned.fill(pattern(64));
  std::vector<uint8_t> pageable = pattern(64);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(pinned.get(), 64, 7, 60, stream_));
  EXPECT_OK(aclrtMemsetAsync(pageable.data(), 64, 8, 64, stream_));
  EXPECT_EQ(60, std::count(pinned.bytes(), pinned.bytes() + 60, 7));
  EXPECT_EQ(pattern(64)[60], pinned.bytes()[60]);
  EXPECT_EQ(std::vector<uint8_t>(64, 8), pageable);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemsetAsync, NullNamesTheDefaultStream) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  Gate gate(nullptr);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 7, 64, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(64), device.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(std::vector<uint8_t>(64, 7), device.read());
}

TEST_F(AclrtMemsetAsync, ACountOfZeroSucceedsBeforeAnyOtherCheck) {
  const BadStreams bad;
  EXPECT_OK(aclrtMemsetAsync(nullptr, 0, 0, 0, bad.destroyed()));
  on_new_thread([] { EXPECT_OK(aclrtMemsetAsync(nullptr, 0, 0, 0, nullptr)); });
}

TEST_F(AclrtMemsetAsync, RefusesNullBeforeTheStream) {
  const BadStreams bad;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemsetAsync(nullptr, 1, 0, 2, bad.destroyed()));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemsetAsync, RefusesHandlesThatAreNoStreamsBeforeTheCount) {
  const DeviceBuffer device(64);
  const BadStreams bad;
  for (const BadStreams::Entry& entry : bad.all()) {
    SCOPED_TRACE(entry.what);
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtMemsetAsync(device.get(), 1, 0, 2, entry.handle));
    on_new_thread([&] {
      EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                   aclrtMemsetAsync(device.get(), 64, 0, 64, entry.handle));
    });
  }
  EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
}

TEST_F(AclrtMemsetAsync, RefusesACountAboveMaxCountBeforeTheContext) {
  const DeviceBuffer device(64);
  const std::pair<size_t, size_t> cases[] = {{0, 1}, {31, 32}, {63, SIZE_MAX}};
  for (const auto& [max_count, count] : cases) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemsetAsync(device.get(), max_count, 0, count, stream_));
  }
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemsetAsync(device.get(), 31, 0, 32, stream_));
  });
}

TEST_F(AclrtMemsetAsync, NeedsAContextForEveryMemory) {
  const DeviceBuffer device(64);
  PinnedBuffer pinned(64);
  on_new_thread([&] {
    for (void* const memory : {device.get(), pinned.get()}) {
      EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                   aclrtMemsetAsync(memory, 64, 0, 64, stream_));
      EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                   aclrtMemsetAsync(memory, 64, 0, 64, nullptr));
    }
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtMemsetAsync, RefusesAStreamOfAnotherContextForEveryMemory) {
  DeviceBuffer device(64);
  PinnedBuffer pinned(64);
  std::vector<uint8_t> pageable = pattern(64);
  const OtherContext other;
  device.write(pattern(64));
  pinned.fill(pattern(64));
  for (void* const memory : {device.get(), pinned.get(), static_cast<void*>(pageable.data())}) {
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
                 aclrtMemsetAsync(memory, 64, 0, 64, other.stream()));
  }
  EXPECT_OK(aclrtSynchronizeStream(other.stream()));
  EXPECT_EQ(pattern(64), device.read());
  EXPECT_EQ(pattern(64), pinned.copy());
  EXPECT_EQ(pattern(64), pageable);
}

TEST_F(AclrtMemsetAsync, ARangeOutsideDeviceMemoryFailsOnTheStream) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  EXPECT_OK(aclrtMemsetAsync(device.get(), padded(64), 0, padded(64), stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  device.write(pattern(64));
  for (const size_t count : {padded(64) + 1, SIZE_MAX}) {
    EXPECT_OK(aclrtMemsetAsync(device.get(), SIZE_MAX, 0, count, stream_));
    EXPECT_TRUE(task_failed(stream_, "aclrtMemsetAsync"));
  }
  EXPECT_EQ(pattern(64), device.read());
}

TEST_F(AclrtMemsetAsync, ARangeOutsideHostMemoryIsRefusedAtTheCall) {
  PinnedBuffer pinned(64);
  HostPages pages(2);
  pages.forbid(1);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetAsync(pinned.get(), 65, 0, 65, stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemsetAsync(unmapped_address(), 64, 0, 64, stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemsetAsync(pages.at(HostPages::page() - 1), 2, 0, 2, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemsetAsync, MemoryFreedBeforeTheFillRunsFailsIt) {
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(freed, 64, 0, 64, stream_));
  EXPECT_OK(aclrtFree(freed));
  gate.open();
  EXPECT_TRUE(task_failed(stream_, "aclrtMemsetAsync"));
}

TEST_F(AclrtMemsetAsync, AStoppedContextRefusesIt) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  {
    const StoppedContext stopped;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR,
                      aclrtMemsetAsync(device.get(), 64, 0, 64, stopped.stream()));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtMemsetAsync(device.get(), 64, 0, 64, nullptr));
  }
  EXPECT_EQ(pattern(64), device.read());
}

TEST_F(AclrtMemsetAsync, ThreadsQueueOnOneStreamAtOnce) {
  const DeviceBuffer device(4 * 100);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      for (int32_t byte = 0; byte < 100; ++byte) {
        EXPECT_OK(aclrtMemsetAsync(device.at(index * 100 + static_cast<size_t>(byte)), 1, byte, 1,
                                   stream_));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const std::vector<uint8_t> bytes = device.read();
  for (size_t index = 0; index < bytes.size(); ++index)
    EXPECT_EQ(index % 100, bytes[index]);
}

}  // namespace
}  // namespace conformance::copies::aclrtMemsetAsync_test
