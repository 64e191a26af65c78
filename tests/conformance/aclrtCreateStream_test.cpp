// SPDX-License-Identifier: Apache-2.0
// aclrtCreateStream: streams run work in order and concurrently, and their number is limited.
#include "support/streams.h"

#include <unistd.h>

#include <cstdio>
#include <set>

namespace conformance::aclrtCreateStream_test {
namespace {

using streams::current_context;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::Mark;
using streams::OtherContext;
using streams::Stream;

constexpr aclError kNoStreams = 207008;

using AclrtCreateStream = WithDevice;

uint32_t available() {
  uint32_t count = 0;
  EXPECT_OK(aclrtGetStreamAvailableNum(&count));
  return count;
}

// Creates streams until no more can be created, and returns the code of the last call.
aclError make_all(std::vector<aclrtStream>& made) {
  for (;;) {
    aclrtStream stream = nullptr;
    const aclError code = aclrtCreateStream(&stream);
    if (code != ACL_SUCCESS) return code;
    made.push_back(stream);
  }
}

void destroy_all(std::vector<aclrtStream>& made) {
  for (const aclrtStream stream : made)
    EXPECT_OK(aclrtDestroyStream(stream));
  made.clear();
}

TEST_F(AclrtCreateStream, MakesAStreamThatRunsWork) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  ASSERT_NE(nullptr, stream);
  Mark mark;
  EXPECT_OK(mark.queue(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtCreateStream, MakesItWithTheHighestPriorityAndNoFlags) {
  const Stream stream;
  uint32_t priority = 99;
  uint32_t flags = 99;
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_EQ(0u, priority);
  EXPECT_EQ(0u, flags);
}

TEST_F(AclrtCreateStream, MakesANewOneEachTime) {
  std::set<aclrtStream> seen;
  std::vector<Stream> streams(100);
  for (const Stream& stream : streams)
    EXPECT_TRUE(seen.insert(stream).second);
  aclrtStream default_stream = nullptr;
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
  EXPECT_EQ(0u, seen.count(default_stream));
}

TEST_F(AclrtCreateStream, RefusesNull) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStream(nullptr));
}

TEST_F(AclrtCreateStream, NeedsAContext) {
  on_new_thread([] {
    aclrtStream stream = nullptr;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateStream(&stream));
    EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStream(nullptr));
  });
}

TEST_F(AclrtCreateStream, TakesADestroyedContextForNone) {
  on_new_thread([] {
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    EXPECT_OK(aclrtDestroyContext(context));
    aclrtStream stream = nullptr;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateStream(&stream));
  });
}

TEST_F(AclrtCreateStream, TakesAContextDestroyedByAnotherThreadForNone) {
  OtherContext other;
  on_new_thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(other));
    on_new_thread([&] { EXPECT_OK(aclrtDestroyContext(other.release())); });
    aclrtStream stream = nullptr;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateStream(&stream));
  });
}

TEST_F(AclrtCreateStream, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  on_new_thread([context = current_context()] {
    aclrtStream stream = nullptr;
    streams::expect_last_error_rules([] { return aclrtCreateStream(nullptr); },
                                     [&] { return aclrtCreateStream(&stream); },
                                     [&] { return aclrtSetCurrentContext(context); });
  });
}

TEST_F(AclrtCreateStream, FailsWhenAllStreamsAreInUseAndRecovers) {
  const uint32_t before = available();
  std::vector<aclrtStream> made;
  EXPECT_EQ(kNoStreams, make_all(made));
  EXPECT_EQ(before, made.size());
  EXPECT_EQ(0u, available());
  aclrtStream stream = nullptr;
  EXPECT_FAILS_WITH(kNoStreams, aclrtCreateStream(&stream));
  EXPECT_FAILS_WITH(kNoStreams, aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_FAST_SYNC));
  EXPECT_EQ(kNoStreams, aclrtGetLastError(ACL_RT_THREAD_LEVEL));

  EXPECT_OK(aclrtDestroyStream(made.back()));
  made.pop_back();
  EXPECT_EQ(1u, available());
  ASSERT_OK(aclrtCreateStream(&stream));
  made.push_back(stream);
  // The last stream works as the first does.
  Mark mark;
  EXPECT_OK(mark.queue(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(mark.is_reached());

  destroy_all(made);
  EXPECT_EQ(before, available());
}

TEST_F(AclrtCreateStream, GivesStreamsBackWithTheirContext) {
  const uint32_t before = available();
  OtherContext other;
  EXPECT_EQ(before - 1, available()) << "a context has a default stream";
  std::vector<aclrtStream> made;
  {
    const streams::Inside inside(other);
    EXPECT_EQ(kNoStreams, make_all(made));
  }
  EXPECT_EQ(0u, available());
  EXPECT_OK(aclrtDestroyContext(other.release()));
  EXPECT_EQ(before, available());
  for (const aclrtStream stream : made)
    ASSERT_EQ(kBadHandle, aclrtSynchronizeStream(stream));
}

TEST_F(AclrtCreateStream, MakesStreamsThatDieWithTheDevice) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtSynchronizeStream(stream));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyStream(stream));
}

TEST_F(AclrtCreateStream, NeverGivesAHandleTwice) {
  aclrtStream dead = nullptr;
  ASSERT_OK(aclrtCreateStream(&dead));
  EXPECT_OK(aclrtDestroyStream(dead));
  for (int i = 0; i < 3000; ++i) {
    const Stream stream;
    ASSERT_NE(dead, static_cast<aclrtStream>(stream));
    ASSERT_EQ(kBadHandle, aclrtSynchronizeStream(dead));
  }
}

TEST_F(AclrtCreateStream, RunsTheWorkOfAStreamInOrder) {
  constexpr size_t kCells = 200;
  constexpr size_t kBytes = 512;
  DeviceBuffer cells(kCells * kBytes);
  cells.write(pattern(kBytes));
  const Stream stream;
  for (size_t i = 1; i < kCells; ++i) {
    ASSERT_OK(aclrtMemcpyAsync(cells.at(i * kBytes), kBytes, cells.at((i - 1) * kBytes), kBytes,
                               ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(pattern(kBytes), cells.read((kCells - 1) * kBytes, kBytes));
}

TEST_F(AclrtCreateStream, DoesNotLetStreamsWaitForEachOther) {
  const Stream busy;
  const Stream free;
  Mark mark;
  Gate gate(busy);
  EXPECT_OK(mark.queue(free));
  EXPECT_OK(aclrtSynchronizeStream(free));
  EXPECT_TRUE(mark.is_reached());
  mark.clear();
  EXPECT_OK(mark.queue(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtCreateStream, DoesNotTieStreamsToTheDefaultStream) {
  const Stream free;
  Mark mark;
  Gate gate(nullptr);
  EXPECT_OK(mark.queue(free));
  EXPECT_OK(aclrtSynchronizeStream(free));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtCreateStream, WorksOnManyThreadsAtOnce) {
  const uint32_t before = available();
  std::vector<std::vector<aclrtStream>> made(4);
  streams::on_threads(4, [&](int thread) {
    for (int i = 0; i < 50; ++i) {
      aclrtStream stream = nullptr;
      EXPECT_OK(aclrtCreateStream(&stream));
      made[static_cast<size_t>(thread)].push_back(stream);
      const Stream another;
    }
  });
  std::set<aclrtStream> seen;
  for (const auto& streams : made)
    seen.insert(streams.begin(), streams.end());
  EXPECT_EQ(200u, seen.size());
  EXPECT_EQ(before - 200, available());
  for (auto& streams : made)
    destroy_all(streams);
  EXPECT_EQ(before, available());
}

FERRY_PROCESS_TEST(AclrtCreateStreamProcess, HasTheDocumentedNumberOnEachDevice,
                   "FERRY_DEVICES=cpu:2") {
  std::vector<aclrtStream> made;
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(kNoStreams, make_all(made));
  EXPECT_EQ(1983u, made.size()) << "the default stream is one of 1984";
  ASSERT_OK(aclrtSetDevice(1));
  std::vector<aclrtStream> made_on_second;
  EXPECT_EQ(kNoStreams, make_all(made_on_second));
  EXPECT_EQ(1983u, made_on_second.size());
  destroy_all(made_on_second);
  EXPECT_OK(aclrtResetDevice(1));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(0u, available());
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtResetDevice(0));
}

// Streams, events and notifies are created on the default device when a thread has no context.
FERRY_PROCESS_TEST(AclrtCreateStreamProcess, SetsTheDefaultDeviceOfTheConfiguration,
                   "FERRY_DEVICES=cpu:2") {
  // Runs with other schedules may take place at the same time.
  const std::string path =
      ::testing::TempDir() + "ferry_default_device_" + std::to_string(getpid()) + ".json";
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(nullptr, file);
  std::fputs("{\"defaultDevice\": {\"default_device\": \"1\"}}", file);
  std::fclose(file);
  ASSERT_OK(aclInit(path.c_str()));
  std::remove(path.c_str());
  on_new_thread([] {
    const Stream stream;
    int32_t device = -1;
    EXPECT_OK(aclrtGetDevice(&device));
    EXPECT_EQ(1, device);
  });
  on_new_thread([] { streams::Event::plain(); });
  on_new_thread([] { const streams::Notify notify; });
  EXPECT_OK(aclFinalize());
}

}  // namespace
}  // namespace conformance::aclrtCreateStream_test
