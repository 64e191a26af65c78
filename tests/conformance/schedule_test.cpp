// SPDX-License-Identifier: Apache-2.0
// The schedules of the CPU device: what lazy postpones, when it stops postponing, and that a seed
// of shuffle gives the same run every time.
#include "support/conformance.h"
#include "support/needs.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>

namespace conformance::schedule_test {
namespace {

using Clock = std::chrono::steady_clock;

// Within this time, lazy runs no work that nothing waits for.
constexpr std::chrono::milliseconds kSafe{90};

struct Signal {
  std::mutex mutex;  // guards is_set
  std::condition_variable changed;
  bool is_set = false;

  static void set(void* argument) {
    auto* signal = static_cast<Signal*>(argument);
    const std::lock_guard lock(signal->mutex);
    signal->is_set = true;
    signal->changed.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_set; });
  }
};

FERRY_PROCESS_TEST(ScheduleLazy, RunsNothingBeforeSomebodyWaits, "FERRY_SCHEDULE=lazy") {
  NEEDS_CPU_DEVICE("other devices have no schedules");
  ASSERT_OK(aclrtSetDevice(0));
  const DeviceBuffer device(64);
  const PinnedBuffer host(64);
  // A machine that pauses for long between submission and check shows nothing; then it is tried
  // again.
  for (bool has_shown = false; !has_shown;) {
    std::memset(host.get(), 0, 64);
    ASSERT_OK(aclrtMemset(device.get(), 64, 7, 64));
    const Clock::time_point start = Clock::now();
    ASSERT_OK(
        aclrtMemcpyAsync(host.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, nullptr));
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    ASSERT_OK(aclrtStreamQuery(nullptr, &status));
    const uint8_t seen = host.bytes()[0];
    if (Clock::now() - start < kSafe) {
      EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
      EXPECT_EQ(seen, 0) << "the copy ran although nothing waited for it";
      has_shown = true;
    }
    ASSERT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(host.bytes()[0], 7);
  }
}

FERRY_PROCESS_TEST(ScheduleLazy, EndsForThoseWhoPoll, "FERRY_SCHEDULE=lazy") {
  NEEDS_CPU_DEVICE("other devices have no schedules");
  ASSERT_OK(aclrtSetDevice(0));
  const DeviceBuffer device(64);
  const PinnedBuffer host(64);
  ASSERT_OK(aclrtMemset(device.get(), 64, 0, 64));
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  ASSERT_OK(aclrtMemcpyAsync(host.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, nullptr));
  ASSERT_OK(aclrtRecordEvent(event, nullptr));
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  while (recorded != ACL_EVENT_RECORDED_STATUS_COMPLETE) {
    ASSERT_OK(aclrtQueryEventStatus(event, &recorded));
  }
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  while (status != ACL_STREAM_STATUS_COMPLETE)
    ASSERT_OK(aclrtStreamQuery(nullptr, &status));
  ASSERT_OK(aclrtDestroyEvent(event));
}

FERRY_PROCESS_TEST(ScheduleLazy, EndsForThoseWhoWaitInTheirOwnWay, "FERRY_SCHEDULE=lazy") {
  NEEDS_CPU_DEVICE("other devices have no schedules");
  ASSERT_OK(aclrtSetDevice(0));
  Signal done;
  ASSERT_OK(aclrtLaunchHostFunc(nullptr, Signal::set, &done));
  done.wait();
}

FERRY_PROCESS_TEST(ScheduleLazy, RunsWhatTheAwaitedStreamWaitsFor, "FERRY_SCHEDULE=lazy") {
  NEEDS_CPU_DEVICE("other devices have no schedules");
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateStream(&first));
  ASSERT_OK(aclrtCreateStream(&second));
  ASSERT_OK(aclrtCreateEvent(&event));
  const DeviceBuffer device(64);
  const PinnedBuffer host(64);
  ASSERT_OK(aclrtMemsetAsync(device.get(), 64, 5, 64, first));
  ASSERT_OK(aclrtRecordEvent(event, first));
  ASSERT_OK(aclrtStreamWaitEvent(second, event));
  ASSERT_OK(aclrtMemcpyAsync(host.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, second));
  ASSERT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(host.bytes()[63], 5);
  ASSERT_OK(aclrtDestroyEvent(event));
  ASSERT_OK(aclrtDestroyStream(first));
  ASSERT_OK(aclrtDestroyStream(second));
}

// Unordered streams write to the same cells: the last writer of each cell shows the order in which
// everything ran.
std::string order_of_this_run() {
  constexpr size_t kStreams = 8;
  constexpr size_t kCells = 64;
  EXPECT_OK(aclrtSetDevice(0));
  std::string cells(kCells, '?');
  {
    const DeviceBuffer device(kCells);
    std::vector<aclrtStream> streams(kStreams);
    for (aclrtStream& stream : streams)
      EXPECT_OK(aclrtCreateStream(&stream));
    for (size_t cell = 0; cell < kCells; ++cell) {
      for (size_t i = 0; i < kStreams; ++i) {
        EXPECT_OK(
            aclrtMemsetAsync(device.at(cell), 1, static_cast<int32_t>('a' + i), 1, streams[i]));
      }
    }
    EXPECT_OK(aclrtSynchronizeDevice());
    EXPECT_OK(aclrtMemcpy(cells.data(), kCells, device.get(), kCells, ACL_MEMCPY_DEVICE_TO_HOST));
    for (aclrtStream stream : streams)
      EXPECT_OK(aclrtDestroyStream(stream));
  }
  return cells;
}

constexpr const char* kOrderFile = "CONFORMANCE_ORDER_FILE";

// Writes the order to the file that the parent has chosen.
void write_order() {
  const char* file = std::getenv(kOrderFile);
  ASSERT_NE(file, nullptr);
  std::ofstream(file) << order_of_this_run();
}

TEST(ScheduleShuffle, MeansTheSameRunForTheSameSeed) {
  NEEDS_CPU_DEVICE("other devices have no schedules");
  constexpr const char* kName = "ScheduleShuffle.MeansTheSameRunForTheSameSeed";
  if (is_child()) return write_order();
  if (is_checked()) {
    GTEST_SKIP() << "reports take time, and work that has waited for 100 ms runs out of order";
  }
  std::set<std::string> orders;
  for (int seed = 1; seed <= 6; ++seed) {
    std::string of_seed;
    for (int run = 0; run < 3; ++run) {
      const std::string file = ::testing::TempDir() + "/order." + std::to_string(getpid());
      ASSERT_EQ(0, run_in_process(kName, {"FERRY_SCHEDULE=shuffle:" + std::to_string(seed),
                                          std::string(kOrderFile) + "=" + file}));
      std::string order;
      std::getline(std::ifstream(file), order);
      std::remove(file.c_str());
      ASSERT_EQ(order.size(), 64u);
      if (run == 0) of_seed = order;
      EXPECT_EQ(order, of_seed) << "seed " << seed << ", run " << run;
    }
    orders.insert(of_seed);
  }
  EXPECT_GE(orders.size(), 5u) << "different seeds give different orders";
}

}  // namespace
}  // namespace conformance::schedule_test
