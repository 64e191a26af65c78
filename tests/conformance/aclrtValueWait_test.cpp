// SPDX-License-Identifier: Apache-2.0
// aclrtValueWait: a stream waits until 64 bits of device memory satisfy a comparison, whatever
// stores them.
#include "support/argument_checks.h"
#include "support/values.h"

#include <chrono>

namespace conformance::aclrtValueWait_test {
namespace {

using streams::current_context;
using streams::kAborted;
using streams::kBadValue;
using streams::kTaskFailed;
using streams::Mark;
using streams::start_in;
using streams::Stream;
using values::DeviceValue;
using values::MappedValue;

constexpr aclError kTimedOut = 507046;
constexpr uint64_t kHighest = UINT64_MAX;
constexpr uint64_t kSign = uint64_t{1} << 63;

using AclrtValueWait = WithStream;

struct Comparison {
  uint32_t flag;
  uint64_t present;
  uint64_t value;
  bool is_satisfied;
};

TEST_F(AclrtValueWait, ComparesAsItsFlagSays) {
  constexpr Comparison kComparisons[] = {
      {ACL_STREAM_WAIT_VALUE_GEQ, 5, 5, true},
      {ACL_STREAM_WAIT_VALUE_GEQ, 6, 5, true},
      {ACL_STREAM_WAIT_VALUE_GEQ, 4, 5, false},
      {ACL_STREAM_WAIT_VALUE_GEQ, 0, kHighest, true},  // the difference counts, with its sign
      {ACL_STREAM_WAIT_VALUE_GEQ, kHighest, 0, false},
      {ACL_STREAM_WAIT_VALUE_GEQ, kSign, 0, false},
      {ACL_STREAM_WAIT_VALUE_GEQ, kSign - 1, 0, true},
      {ACL_STREAM_WAIT_VALUE_EQ, 5, 5, true},
      {ACL_STREAM_WAIT_VALUE_EQ, 6, 5, false},
      {ACL_STREAM_WAIT_VALUE_EQ, uint64_t{1} << 32 | 5, 5, false},
      {ACL_STREAM_WAIT_VALUE_EQ, kHighest, kHighest, true},
      {ACL_STREAM_WAIT_VALUE_AND, 6, 4, true},
      {ACL_STREAM_WAIT_VALUE_AND, 6, 1, false},
      {ACL_STREAM_WAIT_VALUE_AND, kSign, kSign, true},
      {ACL_STREAM_WAIT_VALUE_AND, kHighest, 0, false},
      {ACL_STREAM_WAIT_VALUE_NOR, 0, 0, true},
      {ACL_STREAM_WAIT_VALUE_NOR, kHighest, 0, false},
      {ACL_STREAM_WAIT_VALUE_NOR, kHighest - 1, 1, false},
      {ACL_STREAM_WAIT_VALUE_NOR, kHighest - 1, 2, true},
      {ACL_STREAM_WAIT_VALUE_NOR, ~kSign, 0, true},
  };
  DeviceValue value;
  for (const Comparison& row : kComparisons) {
    SCOPED_TRACE(testing::Message()
                 << "flag " << row.flag << ", present " << row.present << ", value " << row.value);
    value.set(row.present);
    EXPECT_OK(aclrtValueWait(value.get(), row.value, row.flag, stream_));
    if (row.is_satisfied) {
      EXPECT_OK(aclrtSynchronizeStream(stream_));
    } else {
      EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
      EXPECT_OK(aclrtStreamAbort(stream_));
    }
  }
}

TEST_F(AclrtValueWait, WaitsForAStoreOfAnotherStream) {
  const Stream storing;
  const DeviceValue value;
  Mark mark;
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  EXPECT_OK(mark.queue(stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_FALSE(mark.is_reached());
  EXPECT_OK(aclrtValueWrite(value.get(), 1, 0, storing));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtValueWait, IsNotSatisfiedByAStoreOfAnotherValue) {
  const Stream storing;
  const DeviceValue value;
  EXPECT_OK(aclrtValueWait(value.get(), 3, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  for (const uint64_t stored : {1, 2}) {
    EXPECT_OK(aclrtValueWrite(value.get(), stored, 0, storing));
    EXPECT_OK(aclrtSynchronizeStream(storing));
    EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  }
  EXPECT_OK(aclrtValueWrite(value.get(), 3, 0, storing));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtValueWait, SeesWhatTheStoringStreamHasDoneBefore) {
  const Stream storing;
  const DeviceValue value;
  constexpr size_t kSize = 1 << 16;
  const DeviceBuffer handed(kSize);
  PinnedBuffer from(kSize);
  const PinnedBuffer to(kSize);
  from.fill(pattern(kSize));
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_GEQ, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(to.get(), kSize, handed.get(), kSize, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(handed.get(), kSize, from.get(), kSize, ACL_MEMCPY_HOST_TO_DEVICE, storing));
  EXPECT_OK(aclrtValueWrite(value.get(), 1, 0, storing));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(kSize), to.copy());
  EXPECT_OK(aclrtSynchronizeStream(storing));
}

TEST_F(AclrtValueWait, WaitsForABlockingCopy) {
  DeviceValue value;
  EXPECT_OK(aclrtValueWait(value.get(), 9, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  value.set(9);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtValueWait, WaitsForAFillOfAnotherStream) {
  const Stream filling;
  const DeviceValue value;
  EXPECT_OK(aclrtValueWait(value.get(), 0x0101010101010101, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  EXPECT_OK(aclrtMemsetAsync(value.get(), 8, 1, 8, filling));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(filling));
}

TEST_F(AclrtValueWait, WaitsForAStoreOfTheHostToMappedMemory) {
  MappedValue value;
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  value.store(1);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtValueWait, PassesAValueBackAndForth) {
  const Stream other;
  const DeviceValue value;
  constexpr uint64_t kRounds = 50;
  for (uint64_t round = 0; round < kRounds; ++round) {
    EXPECT_OK(aclrtValueWait(value.get(), 2 * round, ACL_STREAM_WAIT_VALUE_EQ, stream_));
    EXPECT_OK(aclrtValueWrite(value.get(), 2 * round + 1, 0, stream_));
    EXPECT_OK(aclrtValueWait(value.get(), 2 * round + 1, ACL_STREAM_WAIT_VALUE_EQ, other));
    EXPECT_OK(aclrtValueWrite(value.get(), 2 * round + 2, 0, other));
  }
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(2 * kRounds, value.value());
}

// More streams than any device has threads.
TEST_F(AclrtValueWait, LetsAnyNumberOfStreamsWait) {
  constexpr size_t kStreams = 64;
  const DeviceValue value;
  const std::vector<Stream> waiting(kStreams);
  for (const Stream& each : waiting)
    EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_GEQ, each));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(waiting.back(), 1));
  Mark mark;  // copies still run
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtValueWrite(value.get(), 1, 0, stream_));
  for (const Stream& each : waiting)
    EXPECT_OK(aclrtSynchronizeStream(each));
}

TEST_F(AclrtValueWait, EndsByAnAbortOfItsStream) {
  const DeviceValue value;
  Mark mark;
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  EXPECT_OK(mark.queue(stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(mark.is_reached());
  // The wait is gone: nobody waits for the value, and the stream works.
  EXPECT_OK(aclrtValueWrite(value.get(), 1, 0, stream_));
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtValueWait, EndsByAnAbortWhileAThreadSynchronises) {
  const DeviceValue value;
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  std::thread waiting = start_in(current_context(), [&] {
    // Either it was waiting when the abort came, or it came afterwards.
    const aclError code = aclrtSynchronizeStream(stream_);
    EXPECT_TRUE(code == kAborted || code == ACL_SUCCESS) << code;
  });
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtStreamAbort(stream_));
  waiting.join();
}

TEST_F(AclrtValueWait, EndsWithAStreamThatIsDestroyedByForce) {
  const DeviceValue value;
  Stream stream;
  EXPECT_OK(aclrtValueWait(value.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 1));
  EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
}

TEST_F(AclrtValueWait, FailsWhenItsMemoryIsFreed) {
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  ASSERT_OK(aclrtMemset(freed, 4096, 0, 4096));
  Mark mark;
  EXPECT_OK(aclrtValueWait(freed, 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  EXPECT_OK(mark.queue(stream_));
  EXPECT_EQ(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtFree(freed));
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_NE(std::string::npos, recent_text().find("aclrtValueWait")) << recent_text();
  EXPECT_TRUE(mark.is_reached()) << "the stream continues";
}

TEST_F(AclrtValueWait, FailsWhenItsMemoryWasFreedBeforeItRuns) {
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  Gate gate(stream_);
  EXPECT_OK(aclrtValueWait(freed, 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
  gate.wait_until_reached();
  EXPECT_OK(aclrtFree(freed));
  gate.open();
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtValueWait, ChecksItsArgumentsInOrder) {
  values::expect_value_arguments_checked_in_order(
      "aclrtValueWait", stream_, 4, [](void* address, uint32_t flag, aclrtStream stream) {
        return aclrtValueWait(address, 1, flag, stream);
      });
}

TEST_F(AclrtValueWait, RefusesUnalignedAddresses) {
  const DeviceBuffer buffer(64);
  EXPECT_FAILS(kBadValue, "EE1003",
               aclrtValueWait(buffer.at(4), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
}

TEST_F(AclrtValueWait, NeedsAContext) {
  const DeviceValue value;
  on_new_thread([&] {
    EXPECT_FAILS(streams::kNoContext, "EE1018", aclrtValueWait(value.get(), 1, 0, nullptr));
  });
}

}  // namespace
}  // namespace conformance::aclrtValueWait_test
