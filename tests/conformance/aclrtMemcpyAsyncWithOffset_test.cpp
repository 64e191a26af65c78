// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsyncWithOffset: a copy between addresses that are stored in device memory and read
// when it runs, plus offsets.
#include "support/copies.h"

#include <algorithm>

namespace conformance::copies::aclrtMemcpyAsyncWithOffset_test {
namespace {

constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
constexpr size_t kSize = 200;
constexpr size_t kLargest = size_t{1} << 32;
constexpr size_t kFarthest = 0xFFFFFFFFFFFF;

// Two buffers, and a table in device memory with their addresses.
struct Areas {
  DeviceBuffer table{2 * sizeof(void*)};
  DeviceBuffer src{kSize};
  DeviceBuffer dst{kSize};

  Areas() {
    src.write(pattern(kSize, 1));
    dst.write(pattern(kSize, 2));
    store(dst.get(), src.get());
  }
  // Writes both addresses with a blocking copy, outside of any stream.
  void store(const void* to, const void* from) {
    const void* const addresses[] = {to, from};
    EXPECT_OK(aclrtMemcpy(table.get(), sizeof addresses, addresses, sizeof addresses,
                          ACL_MEMCPY_HOST_TO_DEVICE));
  }
  void** dst_slot() const { return reinterpret_cast<void**>(table.get()); }  // NOLINT
  const void** src_slot() const {
    return reinterpret_cast<const void**>(table.at(sizeof(void*)));  // NOLINT
  }
  // The expected destination after a copy of `count` bytes.
  static std::vector<uint8_t> result(size_t dst_offset, size_t src_offset, size_t count) {
    std::vector<uint8_t> bytes = pattern(kSize, 2);
    const std::vector<uint8_t> sent = pattern(kSize, 1);
    std::copy_n(sent.begin() + static_cast<ptrdiff_t>(src_offset), count,
                bytes.begin() + static_cast<ptrdiff_t>(dst_offset));
    return bytes;
  }
};

class AclrtMemcpyAsyncWithOffset : public WithStream {
 protected:
  static aclError copy(const Areas& areas, size_t dst_offset, size_t src_offset, size_t count,
                       aclrtStream stream) {
    return aclrtMemcpyAsyncWithOffset(areas.dst_slot(), kSize, dst_offset, areas.src_slot(), count,
                                      src_offset, kKind, stream);
  }
};

TEST_F(AclrtMemcpyAsyncWithOffset, QueuesTheCopy) {
  const Areas areas;
  Gate gate(stream_);
  EXPECT_OK(copy(areas, 0, 0, kSize, stream_));
  EXPECT_EQ(pattern(kSize, 2), areas.dst.read()) << "copied too early";
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 1), areas.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithOffset, AddsTheOffsets) {
  Areas areas;
  const size_t cases[][3] = {{1, 0, 1},      {0, 1, 1},      {199, 0, 1},
                             {50, 100, 100}, {100, 50, 100}, {64, 64, 64}};
  for (const auto& [dst_offset, src_offset, count] : cases) {
    areas.dst.write(pattern(kSize, 2));
    EXPECT_OK(copy(areas, dst_offset, src_offset, count, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(Areas::result(dst_offset, src_offset, count), areas.dst.read());
  }
}

TEST_F(AclrtMemcpyAsyncWithOffset, ReadsTheAddressesWhenTheTaskRuns) {
  Areas areas;
  DeviceBuffer other(kSize);
  other.write(pattern(kSize, 2));
  Gate gate(stream_);
  EXPECT_OK(copy(areas, 10, 20, 30, stream_));
  areas.store(other.get(), areas.src.get());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 2), areas.dst.read());
  EXPECT_EQ(Areas::result(10, 20, 30), other.read());
}

TEST_F(AclrtMemcpyAsyncWithOffset, AnEarlierTaskMayWriteTheAddresses) {
  Areas areas;
  PinnedBuffer address(sizeof(void*));
  *static_cast<void**>(address.get()) = areas.dst.get();
  areas.store(unmapped_address(), areas.src.get());
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(areas.table.get(), sizeof(void*), address.get(), sizeof(void*),
                             ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(copy(areas, 0, 0, kSize, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 1), areas.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithOffset, NullNamesTheDefaultStream) {
  const Areas areas;
  Gate gate(nullptr);
  EXPECT_OK(copy(areas, 0, 0, kSize, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 2), areas.dst.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(pattern(kSize, 1), areas.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithOffset, ACountOfZeroSucceedsBeforeAnyOtherCheck) {
  const BadStreams bad;
  EXPECT_OK(aclrtMemcpyAsyncWithOffset(nullptr, 0, SIZE_MAX, nullptr, 0, SIZE_MAX, kind_of(99),
                                       bad.destroyed()));
  on_new_thread([] {
    EXPECT_OK(aclrtMemcpyAsyncWithOffset(nullptr, 0, 0, nullptr, 0, 0, kind_of(-1), nullptr));
  });
}

TEST_F(AclrtMemcpyAsyncWithOffset, RefusesOtherKindsFirst) {
  const BadStreams bad;
  for (const int kind : {0, 1, 2, 3, 4, 5, 7, 8, -1, 0x7FFFFFFF}) {
    EXPECT_FAILS(
        ACL_ERROR_RT_PARAM_INVALID, "EE1003",
        aclrtMemcpyAsyncWithOffset(nullptr, 0, 0, nullptr, 1, 0, kind_of(kind), bad.destroyed()));
  }
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
}

TEST_F(AclrtMemcpyAsyncWithOffset, RefusesHandlesThatAreNoStreamsBeforeNull) {
  const BadStreams bad;
  for (const BadStreams::Entry& entry : bad.all()) {
    SCOPED_TRACE(entry.what);
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtMemcpyAsyncWithOffset(nullptr, 0, 0, nullptr, 1, 0, kKind, entry.handle));
  }
}

TEST_F(AclrtMemcpyAsyncWithOffset, RefusesNullBeforeTheSizes) {
  const Areas areas;
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID,
            aclrtMemcpyAsyncWithOffset(nullptr, 0, 0, nullptr, 1, 0, kKind, stream_));
  EXPECT_TRUE(text_has("dst"));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
               aclrtMemcpyAsyncWithOffset(nullptr, 0, 0, areas.src_slot(), 1, 0, kKind, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
               aclrtMemcpyAsyncWithOffset(areas.dst_slot(), 0, 0, nullptr, 1, 0, kKind, stream_));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
}

TEST_F(AclrtMemcpyAsyncWithOffset, RefusesSizesAndOffsetsInTheirOrder) {
  const Areas areas;
  struct Case {
    size_t dest_max;
    size_t dst_offset;
    size_t count;
    size_t src_offset;
    const char* message_code;  // "": any
    const char* named;
  };
  const Case cases[] = {
      {199, SIZE_MAX, 200, SIZE_MAX, "", "count"},
      {0, 0, 1, 0, "", "count"},
      {kLargest, SIZE_MAX, SIZE_MAX, SIZE_MAX, "", "count"},
      {SIZE_MAX, SIZE_MAX, kLargest + 1, SIZE_MAX, "EE1011", "count"},
      {SIZE_MAX, SIZE_MAX, 1, kFarthest + 1, "", "srcDataOffset"},
      {SIZE_MAX, kFarthest + 1, 1, kFarthest, "", "dstDataOffset"},
      {200, kFarthest, 1, 0, "", "dstDataOffset"},
      {200, 200, 1, 0, "", "dstDataOffset"},
      {200, 201, 200, 0, "", "dstDataOffset"},
      {200, 1, 200, 0, "", "count"},
      {200, 199, 2, 0, "", "count"},
  };
  for (const Case& wrong : cases) {
    const auto call = [&] {
      return aclrtMemcpyAsyncWithOffset(areas.dst_slot(), wrong.dest_max, wrong.dst_offset,
                                        areas.src_slot(), wrong.count, wrong.src_offset, kKind,
                                        stream_);
    };
    EXPECT_TRUE(failed_as("aclrtMemcpyAsyncWithOffset", ACL_ERROR_RT_PARAM_INVALID,
                          wrong.message_code, call()));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, call());
    EXPECT_TRUE(text_has(wrong.named));
    // Checked before the context.
    on_new_thread([&] { EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, call()); });
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 2), areas.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithOffset, NeedsAContext) {
  const Areas areas;
  on_new_thread([&] {
    EXPECT_TRUE(failed_as("aclrtMemcpyAsyncWithOffset", ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                          copy(areas, 0, 0, kSize, stream_)));
    EXPECT_TRUE(failed_as("aclrtMemcpyAsyncWithOffset", ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                          copy(areas, 0, 0, kSize, nullptr)));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtMemcpyAsyncWithOffset, RefusesAStreamOfAnotherContext) {
  const Areas areas;
  const OtherContext other;
  EXPECT_TRUE(failed_as("aclrtMemcpyAsyncWithOffset", ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
                        copy(areas, 0, 0, kSize, other.stream())));
  EXPECT_OK(aclrtSynchronizeStream(other.stream()));
  EXPECT_EQ(pattern(kSize, 2), areas.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithOffset, ARangeOutsideItsAllocationFailsOnTheStream) {
  Areas areas;
  const size_t room = padded(kSize);
  EXPECT_OK(aclrtMemset(areas.src.get(), room, 0, room));
  // The last accessible byte of the source, and the one after it.
  EXPECT_OK(copy(areas, 0, room - 1, 1, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(copy(areas, 0, room, 1, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithOffset"));
  EXPECT_OK(copy(areas, 0, kFarthest, 1, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithOffset"));
  EXPECT_OK(aclrtMemcpyAsyncWithOffset(areas.dst_slot(), SIZE_MAX, room, areas.src_slot(), 1, 0,
                                       kKind, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithOffset"));
  EXPECT_OK(aclrtMemcpyAsyncWithOffset(areas.dst_slot(), SIZE_MAX, kFarthest, areas.src_slot(),
                                       kLargest, kFarthest, kKind, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithOffset"));
}

TEST_F(AclrtMemcpyAsyncWithOffset, StoredAddressesThatAreNoDeviceMemoryFailOnTheStream) {
  Areas areas;
  for (const void* const wrong :
       {static_cast<const void*>(nullptr), static_cast<const void*>(unmapped_address())}) {
    areas.store(areas.dst.get(), wrong);
    EXPECT_OK(copy(areas, 0, 0, kSize, stream_));
    EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithOffset"));
    areas.store(wrong, areas.src.get());
    EXPECT_OK(copy(areas, 0, 0, kSize, stream_));
    EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithOffset"));
  }
}

TEST_F(AclrtMemcpyAsyncWithOffset, MemoryFreedBeforeTheCopyRunsFailsIt) {
  Areas areas;
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  areas.store(freed, areas.src.get());
  Gate gate(stream_);
  EXPECT_OK(copy(areas, 0, 0, kSize, stream_));
  EXPECT_OK(aclrtFree(freed));
  gate.open();
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithOffset"));
}

TEST_F(AclrtMemcpyAsyncWithOffset, ATableFreedBeforeTheCopyRunsFailsIt) {
  const Areas areas;
  void* table = nullptr;
  ASSERT_OK(aclrtMalloc(&table, sizeof(void*), ACL_MEM_MALLOC_HUGE_FIRST));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsyncWithOffset(static_cast<void**>(table), kSize, 0, areas.src_slot(),
                                       kSize, 0, kKind, stream_));
  EXPECT_OK(aclrtFree(table));
  gate.open();
  EXPECT_TRUE(task_failed(stream_, "aclrtMemcpyAsyncWithOffset"));
}

TEST_F(AclrtMemcpyAsyncWithOffset, AStoppedContextRefusesIt) {
  const Areas areas;
  {
    const StoppedContext stopped;
    EXPECT_TRUE(failed_as("aclrtMemcpyAsyncWithOffset", ACL_ERROR_RT_TS_ERROR, "",
                          copy(areas, 0, 0, kSize, stopped.stream())));
    EXPECT_TRUE(failed_as("aclrtMemcpyAsyncWithOffset", ACL_ERROR_RT_TS_ERROR, "",
                          copy(areas, 0, 0, kSize, nullptr)));
  }
  EXPECT_EQ(pattern(kSize, 2), areas.dst.read());
}

TEST_F(AclrtMemcpyAsyncWithOffset, ThreadsQueueOnOneStreamAtOnce) {
  const Areas areas;
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      for (size_t byte = index; byte < kSize; byte += 4)
        EXPECT_OK(copy(areas, byte, byte, 1, stream_));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize, 1), areas.dst.read());
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncWithOffsetProducts, EarlierOnesLackIt, "FERRY_SOC=Ascend910A") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Areas areas;
    // Checked after the kind, and before the stream and NULL.
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtMemcpyAsyncWithOffset(areas.dst_slot(), kSize, 0, areas.src_slot(),
                                                 kSize, 0, kKind, nullptr));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtMemcpyAsyncWithOffset(nullptr, kSize, 0, nullptr, kSize, 0, kKind,
                                                 unmapped_address()));
    EXPECT_FAILS(
        ACL_ERROR_RT_PARAM_INVALID, "EE1003",
        aclrtMemcpyAsyncWithOffset(nullptr, kSize, 0, nullptr, kSize, 0, kind_of(3), nullptr));
    EXPECT_EQ(pattern(kSize, 2), areas.dst.read());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtMemcpyAsyncWithOffsetProducts, Ascend950HasIt,
                   "FERRY_SOC=Ascend950PR_9579") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Areas areas;
    EXPECT_OK(aclrtMemcpyAsyncWithOffset(areas.dst_slot(), kSize, 3, areas.src_slot(), 100, 5,
                                         kKind, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(Areas::result(3, 5, 100), areas.dst.read());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsyncWithOffset_test
