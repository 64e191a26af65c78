// SPDX-License-Identifier: Apache-2.0
// ferryLaunchDeviceFunction and ferryDeviceAddress: program code that acts as a kernel.
#include "support/devices.h"
#include "support/needs.h"

#include "ferry/ferry.h"

#include <condition_variable>
#include <cstring>
#include <mutex>

namespace conformance::ferry_device_function_test {
namespace {

using FerryLaunchDeviceFunction = WithStream;
using FerryDeviceAddress = WithStream;

void count(void* argument) {
  ++*static_cast<std::atomic<int>*>(argument);
}

// Adds 1 to every byte of device memory.
struct Increment {
  void* device = nullptr;
  size_t size = 0;

  static void run(void* argument) {
    const auto* self = static_cast<Increment*>(argument);
    auto* bytes = static_cast<uint8_t*>(ferryDeviceAddress(self->device));
    ASSERT_NE(nullptr, bytes);
    for (size_t i = 0; i < self->size; ++i)
      bytes[i] = static_cast<uint8_t>(bytes[i] + 1);
  }
};

TEST_F(FerryLaunchDeviceFunction, RunsInTheOrderOfTheStream) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  DeviceBuffer device(64);
  PinnedBuffer first(64), second(64);
  Increment increment{device.get(), 64};
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 10, 64, stream_));
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, Increment::run, &increment));
  EXPECT_OK(
      aclrtMemcpyAsync(first.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, Increment::run, &increment));
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, Increment::run, &increment));
  EXPECT_OK(
      aclrtMemcpyAsync(second.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(64, 11), first.copy());
  EXPECT_EQ(std::vector<uint8_t>(64, 13), second.copy());
}

TEST_F(FerryLaunchDeviceFunction, ReturnsBeforeTheFunctionRuns) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  std::atomic<int> calls{0};
  Gate gate(stream_);
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, count, &calls));
  EXPECT_EQ(0, calls);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(1, calls);
}

TEST_F(FerryLaunchDeviceFunction, TakesNullForTheDefaultStream) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  std::atomic<int> calls{0};
  EXPECT_OK(ferryLaunchDeviceFunction(nullptr, count, &calls));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(1, calls);
}

TEST_F(FerryLaunchDeviceFunction, NeverRunsOnAThreadThatSynchronises) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  for (int round = 0; round < 20; ++round) {
    std::thread::id thread;
    EXPECT_OK(ferryLaunchDeviceFunction(
        stream_,
        [](void* argument) {
          *static_cast<std::thread::id*>(argument) = std::this_thread::get_id();
        },
        &thread));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_NE(std::thread::id(), thread);
    EXPECT_NE(std::this_thread::get_id(), thread);
  }
}

// Waits inside a device function until as many of them have arrived as were announced.
struct Meeting {
  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  int awaited = 0;

  static void attend(void* argument) {
    auto* meeting = static_cast<Meeting*>(argument);
    std::unique_lock lock(meeting->mutex);
    --meeting->awaited;
    meeting->changed.notify_all();
    meeting->changed.wait(lock, [&] { return meeting->awaited <= 0; });
  }
};

void meet_on_streams(int number) {
  Meeting meeting;
  meeting.awaited = number;
  std::vector<aclrtStream> streams(static_cast<size_t>(number));
  for (aclrtStream& stream : streams) {
    ASSERT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(ferryLaunchDeviceFunction(stream, Meeting::attend, &meeting));
  }
  for (const aclrtStream stream : streams) {
    EXPECT_OK(aclrtSynchronizeStream(stream));  // would hang if they ran one after the other
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST_F(FerryLaunchDeviceFunction, RunsSeveralAtOnce) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  meet_on_streams(6);
}

FERRY_PROCESS_TEST(FerryLaunchDeviceFunctionProcess, RunsSeveralAtOnceWithOneThread,
                   "FERRY_THREADS=1") {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  ASSERT_OK(aclrtSetDevice(0));
  meet_on_streams(6);
}

FERRY_PROCESS_TEST(FerryLaunchDeviceFunctionProcess, DoesNotHoldUpOtherStreams, "FERRY_THREADS=1") {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream blocked = nullptr, other = nullptr;
  ASSERT_OK(aclrtCreateStream(&blocked));
  ASSERT_OK(aclrtCreateStream(&other));
  DeviceBuffer device(4096);
  PinnedBuffer host(4096);
  Meeting meeting;
  meeting.awaited = 2;
  EXPECT_OK(ferryLaunchDeviceFunction(blocked, Meeting::attend, &meeting));
  for (int round = 0; round < 10; ++round) {
    EXPECT_OK(aclrtMemsetAsync(device.get(), 4096, round, 4096, other));
    EXPECT_OK(
        aclrtMemcpyAsync(host.get(), 4096, device.get(), 4096, ACL_MEMCPY_DEVICE_TO_HOST, other));
    EXPECT_OK(aclrtSynchronizeStream(other));
    EXPECT_EQ(static_cast<uint8_t>(round), host.bytes()[4095]);
  }
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(blocked, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
  Meeting::attend(&meeting);  // the second participant
  EXPECT_OK(aclrtSynchronizeStream(blocked));
}

TEST_F(FerryLaunchDeviceFunction, IsNotRunWhenTheStreamIsAborted) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  std::atomic<int> calls{0};
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, event));  // never recorded
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, count, &calls));
  EXPECT_OK(aclrtStreamAbort(stream_));
  aclrtSynchronizeStream(stream_);
  EXPECT_EQ(0, calls);
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(FerryLaunchDeviceFunction, RefusesNoFunctionFirst) {
  int variable = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                    ferryLaunchDeviceFunction(&variable, nullptr, nullptr));
  on_new_thread([] {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                      ferryLaunchDeviceFunction(nullptr, nullptr, nullptr));
  });
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(FerryLaunchDeviceFunction, RefusesAStreamThatIsNone) {
  std::atomic<int> calls{0};
  int variable = 0;
  aclrtStream destroyed = nullptr;
  ASSERT_OK(aclrtCreateStream(&destroyed));
  ASSERT_OK(aclrtDestroyStream(destroyed));
  for (void* stream : {destroyed, static_cast<void*>(&variable)}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_HANDLE,
                      ferryLaunchDeviceFunction(stream, count, &calls));
  }
  EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
}

TEST_F(FerryLaunchDeviceFunction, NeedsAContextAndItsOwnStream) {
  std::atomic<int> calls{0};
  on_new_thread([&] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_NULL, ferryLaunchDeviceFunction(stream_, count, &calls));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_NULL, ferryLaunchDeviceFunction(nullptr, count, &calls));
  });
  const aclrtContext mine = current_context();
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_CONTEXT, ferryLaunchDeviceFunction(stream_, count, &calls));
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_EQ(0, calls);
}

TEST_F(FerryDeviceAddress, GivesNothingOutsideOfADeviceFunction) {
  DeviceBuffer device(64);
  clear_errors();
  EXPECT_EQ(nullptr, ferryDeviceAddress(device.get()));
  EXPECT_EQ(0u, recent_text().find("ferryDeviceAddress: "));
  EXPECT_EQ(nullptr, ferryDeviceAddress(nullptr));
}

// Resolves addresses inside a device function, and keeps the results.
struct Question {
  std::vector<const void*> asked;
  std::vector<void*> answers;
  bool on_another_thread = false;

  static void ask(void* argument) {
    auto* self = static_cast<Question*>(argument);
    const auto look_up = [self] {
      for (const void* address : self->asked)
        self->answers.push_back(ferryDeviceAddress(address));
    };
    if (self->on_another_thread) {
      on_new_thread(look_up);
    } else {
      look_up();
    }
  }
};

TEST_F(FerryDeviceAddress, KnowsEveryByteOfLiveMemory) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  DeviceBuffer device(1000);
  Question question;
  question.asked = {device.get(), device.at(1), device.at(999)};
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, Question::ask, &question));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  ASSERT_EQ(3u, question.answers.size());
  ASSERT_NE(nullptr, question.answers[0]);
  EXPECT_NE(device.get(), question.answers[0]);  // the program's address stays inaccessible
  auto* base = static_cast<char*>(question.answers[0]);
  EXPECT_EQ(base + 1, question.answers[1]);
  EXPECT_EQ(base + 999, question.answers[2]);
}

TEST_F(FerryDeviceAddress, GivesNothingForWhatIsNoDeviceMemory) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  PinnedBuffer host(64);
  int variable = 0;
  Question question;
  question.asked = {nullptr, freed, host.get(), &variable, reinterpret_cast<void*>(1)};
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, Question::ask, &question));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<void*>(5, nullptr), question.answers);
}

TEST_F(FerryDeviceAddress, GivesNothingInAHostFunction) {
  DeviceBuffer device(64);
  Question question;
  question.asked = {device.get()};
  EXPECT_OK(aclrtLaunchHostFunc(stream_, Question::ask, &question));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<void*>(1, nullptr), question.answers);
}

TEST_F(FerryDeviceAddress, GivesNothingToOtherThreadsOfADeviceFunction) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  DeviceBuffer device(64);
  Question question;
  question.asked = {device.get()};
  question.on_another_thread = true;
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, Question::ask, &question));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<void*>(1, nullptr), question.answers);
}

TEST_F(FerryDeviceAddress, ReachesTheBytesThatCopiesSee) {
  NEEDS_CPU_DEVICE("host functions cannot access the memory of other devices");
  DeviceBuffer device(256);
  device.write(pattern(256));
  struct Both {
    void* device;
    std::vector<uint8_t> seen;
  } both{device.get(), {}};
  const auto swap = [](void* argument) {
    auto* self = static_cast<Both*>(argument);
    auto* bytes = static_cast<uint8_t*>(ferryDeviceAddress(self->device));
    ASSERT_NE(nullptr, bytes);
    self->seen.assign(bytes, bytes + 256);
    std::memset(bytes, 9, 256);
  };
  EXPECT_OK(ferryLaunchDeviceFunction(stream_, swap, &both));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(256), both.seen);
  EXPECT_EQ(std::vector<uint8_t>(256, 9), device.read());
}

}  // namespace
}  // namespace conformance::ferry_device_function_test
