// SPDX-License-Identifier: Apache-2.0
// aclrtMemsetD32Async: fills device memory with 32-bit words in the order of a stream, pinned
// memory during the call.
#include "support/memset_d32.h"

namespace conformance::copies::aclrtMemsetD32Async_test {
namespace {

using AclrtMemsetD32Async = WithStream;

TEST_F(AclrtMemsetD32Async, QueuesDeviceMemory) {
  DeviceBuffer device(400);
  device.write(pattern(400));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetD32Async(device.at(4), 396, 0x12345678, 50, stream_));
  EXPECT_EQ(pattern(400), device.read()) << "filled too early";
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  std::vector<uint32_t> expected = words_of(pattern(400));
  std::fill_n(expected.begin() + 1, 50, 0x12345678u);
  EXPECT_EQ(expected, words_of(device.read()));
}

TEST_F(AclrtMemsetD32Async, KeepsTheOrderOfTheStream) {
  const DeviceBuffer device(64);
  PinnedBuffer seen(64);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetD32Async(device.get(), 64, 0xaabbccdd, 16, stream_));
  EXPECT_OK(aclrtMemcpyAsync(seen.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtMemsetD32Async(device.get(), 64, 1, 16, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint32_t>(16, 0xaabbccdd), words_of(seen.copy()));
  EXPECT_EQ(std::vector<uint32_t>(16, 1), words_of(device.read()));
}

TEST_F(AclrtMemsetD32Async, FillsPinnedMemoryDuringTheCallWhateverTheStream) {
  PinnedBuffer pinned(64);
  const OtherContext other;
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetD32Async(pinned.get(), 64, 0x11223344, 16, stream_));
  EXPECT_EQ(std::vector<uint32_t>(16, 0x11223344), words_of(pinned.copy()));
  EXPECT_OK(aclrtMemsetD32Async(pinned.get(), 64, 0x55667788, 16, other.stream()));
  EXPECT_EQ(std::vector<uint32_t>(16, 0x55667788), words_of(pinned.copy()));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemsetD32Async, NullNamesTheDefaultStream) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  Gate gate(nullptr);
  EXPECT_OK(aclrtMemsetD32Async(device.get(), 64, 7, 16, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(64), device.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(std::vector<uint32_t>(16, 7), words_of(device.read()));
}

TEST_F(AclrtMemsetD32Async, NoWordsSucceedsBeforeAnyOtherCheck) {
  const BadStreams bad;
  EXPECT_OK(aclrtMemsetD32Async(nullptr, 0, 0, 0, bad.destroyed()));
  on_new_thread([] { EXPECT_OK(aclrtMemsetD32Async(nullptr, 0, 0, 0, nullptr)); });
}

TEST_F(AclrtMemsetD32Async, RefusesArgumentsInTheirOrderAndBeforeTheStream) {
  const BadStreams bad;
  std::vector<uint32_t> pageable(16);
  auto* const bytes = reinterpret_cast<uint8_t*>(pageable.data());  // NOLINT: to misalign it
  aclrtStream const dead = bad.destroyed();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemsetD32Async(nullptr, 0, 0, 1, dead));
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtMemsetD32Async(bytes + 1, 0, 0, 1, dead));
  const std::string unaligned = recent_text();
  EXPECT_EQ(std::string::npos, unaligned.find("memSize")) << unaligned;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
               aclrtMemsetD32Async(pageable.data(), 3, 0, 1, dead));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999",
               aclrtMemsetD32Async(pageable.data(), 4, 0, 1, dead));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemsetD32Async, RefusesMoreWordsThanMemSizeHolds) {
  const DeviceBuffer device(64);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
               aclrtMemsetD32Async(device.get(), 63, 0, 16, stream_));
  for (const size_t count : kTooManyWords) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
                 aclrtMemsetD32Async(device.get(), SIZE_MAX, 0, count, stream_));
  }
}

TEST_F(AclrtMemsetD32Async, RefusesAnAddressThatIsNotAMultipleOf4) {
  const DeviceBuffer device(64);
  for (const size_t offset : {size_t{1}, size_t{2}, size_t{3}}) {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                      aclrtMemsetD32Async(device.at(offset), 32, 0, 1, stream_));
  }
}

TEST_F(AclrtMemsetD32Async, RefusesHandlesThatAreNoStreamsBeforeTheContextForEveryMemory) {
  const DeviceBuffer device(64);
  PinnedBuffer pinned(64);
  const BadStreams bad;
  for (const BadStreams::Entry& entry : bad.all()) {
    SCOPED_TRACE(entry.what);
    for (void* const memory : {device.get(), pinned.get()}) {
      EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                   aclrtMemsetD32Async(memory, 64, 0, 16, entry.handle));
      on_new_thread([&] {
        EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                     aclrtMemsetD32Async(memory, 64, 0, 16, entry.handle));
      });
    }
  }
}

TEST_F(AclrtMemsetD32Async, NeedsAContextForEveryMemory) {
  const DeviceBuffer device(64);
  PinnedBuffer pinned(64);
  on_new_thread([&] {
    for (void* const memory : {device.get(), pinned.get()}) {
      EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                   aclrtMemsetD32Async(memory, 64, 0, 16, stream_));
      EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                   aclrtMemsetD32Async(memory, 64, 0, 16, nullptr));
    }
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtMemsetD32Async, RefusesAStreamOfAnotherContextForDeviceMemory) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  const OtherContext other;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
               aclrtMemsetD32Async(device.get(), 64, 0, 16, other.stream()));
  EXPECT_OK(aclrtSynchronizeStream(other.stream()));
  EXPECT_EQ(pattern(64), device.read());
}

TEST_F(AclrtMemsetD32Async, ARangeOutsideDeviceMemoryFailsOnTheStream) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  EXPECT_OK(aclrtMemsetD32Async(device.get(), SIZE_MAX, 0, padded(64) / 4 + 1, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemsetD32Async"));
  EXPECT_EQ(pattern(64), device.read());
  EXPECT_OK(aclrtMemsetD32Async(device.get(), SIZE_MAX, 0, padded(64) / 4, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemsetD32Async, ARangeOutsidePinnedMemoryIsRefusedAtTheCall) {
  PinnedBuffer pinned(64);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemsetD32Async(pinned.get(), SIZE_MAX, 0, 17, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemsetD32Async, MemoryFreedBeforeTheFillRunsFailsIt) {
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetD32Async(freed, 64, 0, 16, stream_));
  EXPECT_OK(aclrtFree(freed));
  gate.open();
  EXPECT_TRUE(task_failed(stream_, "aclrtMemsetD32Async"));
}

TEST_F(AclrtMemsetD32Async, AStoppedContextRefusesIt) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  {
    const StoppedContext stopped;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR,
                      aclrtMemsetD32Async(device.get(), 64, 0, 16, stopped.stream()));
  }
  EXPECT_EQ(pattern(64), device.read());
}

TEST_F(AclrtMemsetD32Async, ThreadsQueueOnOneStreamAtOnce) {
  const DeviceBuffer device(4 * 100);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (uint32_t index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      for (uint32_t word = index; word < 100; word += 4)
        EXPECT_OK(aclrtMemsetD32Async(device.at(word * 4), 4, word + 1000, 1, stream_));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const std::vector<uint32_t> words = words_of(device.read());
  for (uint32_t word = 0; word < 100; ++word)
    EXPECT_EQ(word + 1000, words[word]);
}

FERRY_PROCESS_TEST(AclrtMemsetD32AsyncProducts, EarlierOnesLackIt, "FERRY_SOC=Ascend310B4") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer device(64);
    std::vector<uint32_t> pageable(16);
    // Checked after the arguments and before the stream.
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtMemsetD32Async(device.get(), 64, 0, 16, nullptr));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtMemsetD32Async(device.get(), 64, 0, 16, unmapped_address()));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999",
                 aclrtMemsetD32Async(pageable.data(), 64, 0, 16, nullptr));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemsetD32Async_test
