// SPDX-License-Identifier: Apache-2.0
// Many streams, threads, events and notifies at once: everything completes, nothing is lost, and
// using an object that another thread destroys gives a code, never a crash.
#include "acl/acl.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace stress {
namespace {

class Storm : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS); }
  void TearDown() override { ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS); }
};

void add_one(void* counter) {
  static_cast<std::atomic<int>*>(counter)->fetch_add(1);
}

template <class Body>
void on_threads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&body, i] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      body(i);
      ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

// A number goes round a ring of streams, one copy per station; each station waits for the previous.
TEST_F(Storm, AnEventChainKeepsItsOrder) {
  constexpr size_t kStations = 64;
  constexpr int kRounds = 20;
  void* cells = nullptr;
  ASSERT_EQ(aclrtMalloc(&cells, kStations * 64, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(cells, kStations * 64, 0, kStations * 64), ACL_SUCCESS);
  std::vector<aclrtStream> streams(kStations);
  std::vector<aclrtEvent> events(kStations);
  for (size_t i = 0; i < kStations; ++i) {
    ASSERT_EQ(aclrtCreateStream(&streams[i]), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEventExWithFlag(&events[i], ACL_EVENT_SYNC), ACL_SUCCESS);
  }
  const auto cell = [&](size_t i) { return static_cast<char*>(cells) + i % kStations * 64; };
  for (int round = 0; round < kRounds; ++round) {
    ASSERT_EQ(aclrtMemsetAsync(cell(0), 64, round + 1, 64, streams[0]), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(events[0], streams[0]), ACL_SUCCESS);
    for (size_t i = 1; i <= kStations; ++i) {
      const size_t to = i % kStations;
      ASSERT_EQ(aclrtStreamWaitEvent(streams[to], events[i - 1]), ACL_SUCCESS);
      ASSERT_EQ(aclrtMemcpyAsync(cell(to), 64, cell(i - 1), 64, ACL_MEMCPY_DEFAULT, streams[to]),
                ACL_SUCCESS);
      ASSERT_EQ(aclrtRecordEvent(events[to], streams[to]), ACL_SUCCESS);
    }
  }
  ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  for (size_t i = 0; i < kStations; ++i) {
    unsigned char byte = 0;
    ASSERT_EQ(aclrtMemcpy(&byte, 1, cell(i), 1, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
    EXPECT_EQ(byte, kRounds) << "station " << i;
    EXPECT_EQ(aclrtDestroyStream(streams[i]), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(events[i]), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtFree(cells), ACL_SUCCESS);
}

TEST_F(Storm, NotifiesPingAndPong) {
  constexpr int kRounds = 500;
  aclrtStream ping = nullptr;
  aclrtStream pong = nullptr;
  aclrtNotify there = nullptr;
  aclrtNotify back = nullptr;
  ASSERT_EQ(aclrtCreateStream(&ping), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&pong), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateNotify(&there, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateNotify(&back, 0), ACL_SUCCESS);
  std::atomic<int> count{0};
  for (int i = 0; i < kRounds; ++i) {
    ASSERT_EQ(aclrtRecordNotify(there, ping), ACL_SUCCESS);
    ASSERT_EQ(aclrtWaitAndResetNotify(back, ping, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtWaitAndResetNotify(there, pong, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtLaunchHostFunc(pong, add_one, &count), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordNotify(back, pong), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtSynchronizeStream(ping), ACL_SUCCESS);
  EXPECT_EQ(count, kRounds);
  EXPECT_EQ(aclrtDestroyStream(ping), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(pong), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyNotify(there), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyNotify(back), ACL_SUCCESS);
}

// Each thread creates, uses and destroys its own streams; host functions run for all of them.
TEST_F(Storm, StreamsComeAndGo) {
  constexpr int kThreads = 6;
  constexpr int kRounds = 60;
  std::atomic<int> called{0};
  on_threads(kThreads, [&](int /*index*/) {
    void* device = nullptr;
    void* host = nullptr;
    ASSERT_EQ(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&host, 4096), ACL_SUCCESS);
    for (int round = 0; round < kRounds; ++round) {
      aclrtStream stream = nullptr;
      aclrtEvent event = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
      ASSERT_EQ(aclrtMemcpyAsync(device, 4096, host, 4096, ACL_MEMCPY_DEFAULT, stream),
                ACL_SUCCESS);
      ASSERT_EQ(aclrtLaunchHostFunc(stream, add_one, &called), ACL_SUCCESS);
      ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
      if (round % 3 == 0) {
        ASSERT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
      }
      ASSERT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
      ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    }
    ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
    ASSERT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  });
  EXPECT_EQ(called, kThreads * kRounds);
}

// One thread destroys what the others use. They get codes that say so.
TEST_F(Storm, HandlesDieUnderTheirUsers) {
  constexpr int kRounds = 100;
  void* host = nullptr;
  void* device = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, 4096), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  const std::set<aclError> allowed{ACL_SUCCESS, ACL_ERROR_RT_INVALID_HANDLE,
                                   ACL_ERROR_RT_STREAM_ABORT};
  for (int round = 0; round < kRounds; ++round) {
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
    on_threads(3, [&](int index) {
      if (index == 0) {
        const bool force = round % 2 == 0;
        EXPECT_EQ(force ? aclrtDestroyStreamForce(stream) : aclrtDestroyStream(stream),
                  ACL_SUCCESS);
        EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
        return;
      }
      for (int i = 0; i < 10; ++i) {
        aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
        EXPECT_TRUE(allowed.contains(
            aclrtMemcpyAsync(device, 4096, host, 4096, ACL_MEMCPY_DEFAULT, stream)));
        EXPECT_TRUE(allowed.contains(aclrtRecordEvent(event, stream)));
        EXPECT_TRUE(allowed.contains(aclrtStreamWaitEvent(nullptr, event)));
        EXPECT_TRUE(allowed.contains(aclrtStreamQuery(stream, &status)));
        EXPECT_TRUE(allowed.contains(aclrtSynchronizeEvent(event)));
        EXPECT_TRUE(allowed.contains(aclrtSynchronizeStream(stream)));
      }
    });
  }
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

// Aborts hit streams that wait for each other; every synchronisation must return.
TEST_F(Storm, AbortsEndAllWaiting) {
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    aclrtStream streams[3];
    aclrtNotify never = nullptr;
    aclrtEvent event = nullptr;
    for (aclrtStream& stream : streams)
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateNotify(&never, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    ASSERT_EQ(aclrtWaitAndResetNotify(never, streams[0], 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, streams[0]), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(streams[1], event), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(streams[2], event), ACL_SUCCESS);
    on_threads(3, [&](int index) {
      if (index == 0) {
        EXPECT_EQ(aclrtStreamAbort(streams[0]), ACL_SUCCESS);
        return;
      }
      const aclError code = aclrtSynchronizeStream(streams[round % 2 == 0 ? index : 0]);
      EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT) << code;
    });
    for (aclrtStream stream : streams)
      EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyNotify(never), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  }
}

// Threads queue to one stream while it is aborted. What the queue still executes stays in order,
// and so does what another stream does behind an event.
TEST_F(Storm, AbortsHitAStreamThatThreadsQueueTo) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 4000;
  constexpr size_t kSize = 64;
  aclrtStream shared = nullptr;
  void* device = nullptr;
  ASSERT_EQ(aclrtCreateStream(&shared), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&device, kThreads * kSize, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(device, kThreads * kSize, 0, kThreads * kSize), ACL_SUCCESS);
  std::atomic<int> busy{kThreads - 1};
  on_threads(kThreads, [&](int index) {
    while (index == 0 && busy > 0)
      ASSERT_EQ(aclrtStreamAbort(shared), ACL_SUCCESS);
    if (index == 0) return;
    aclrtStream own = nullptr;
    aclrtEvent event = nullptr;
    void* host = nullptr;
    ASSERT_EQ(aclrtCreateStream(&own), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&host, kSize), ACL_SUCCESS);
    void* const part = static_cast<char*>(device) + static_cast<size_t>(index) * kSize;
    for (int i = 0; i < kRounds; ++i) {
      // All threads write the first part, each its own part, which its own stream then reads.
      for (void* dst : {device, part})
        ASSERT_EQ(aclrtMemsetAsync(dst, kSize, i, kSize, shared), ACL_SUCCESS);
      ASSERT_EQ(aclrtRecordEvent(event, shared), ACL_SUCCESS);
      ASSERT_EQ(aclrtStreamWaitEvent(own, event), ACL_SUCCESS);
      ASSERT_EQ(aclrtMemcpyAsync(host, kSize, part, kSize, ACL_MEMCPY_DEFAULT, own), ACL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(own), ACL_SUCCESS);
      const aclError code = aclrtSynchronizeStream(shared);
      ASSERT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT) << code;
    }
    --busy;
    ASSERT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyStream(own), ACL_SUCCESS);
  });
  ASSERT_EQ(aclrtSynchronizeStream(shared), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(shared), ACL_SUCCESS);
}

// Memory is allocated and freed while other threads query it and copy from it.
TEST_F(Storm, AllocationsRaceWithLookups) {
  constexpr int kRounds = 300;
  std::atomic<void*> shared{nullptr};
  std::atomic<bool> stop{false};
  on_threads(4, [&](int index) {
    if (index == 0) {
      for (int i = 0; i < kRounds; ++i) {
        void* device = nullptr;
        ASSERT_EQ(aclrtMalloc(&device, 64u << (i % 16), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
        shared = device;
        ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
      }
      stop = true;
      return;
    }
    while (!stop) {
      void* device = shared;
      if (device == nullptr) continue;
      aclrtPtrAttributes attributes{};
      EXPECT_EQ(aclrtPointerGetAttributes(device, &attributes), ACL_SUCCESS);
      char bytes[64] = {};
      const aclError code = aclrtMemcpy(bytes, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST);
      EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_PARAM_INVALID) << code;
    }
  });
}

}  // namespace
}  // namespace stress
