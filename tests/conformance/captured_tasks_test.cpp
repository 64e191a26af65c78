// SPDX-License-Identifier: Apache-2.0
// What becomes a task of a model: every asynchronous function on a stream that is captured.
#include "support/models.h"

namespace conformance::captured_tasks_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

class CapturedTasks : public WithStream {
 protected:
  // Runs the model twice, so that what is consumed by the first run is missed in the second.
  void run_twice(const Model& model) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
      EXPECT_OK(aclrtSynchronizeStream(stream_));
    }
  }
};

TEST_F(CapturedTasks, CopiesOfPinnedAndDeviceMemory) {
  PinnedBuffer host(64);
  DeviceBuffer a(64);
  DeviceBuffer b(64);
  host.fill(pattern(64, 9));
  a.write(std::vector<uint8_t>(64));
  b.write(std::vector<uint8_t>(64));
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtMemcpyAsyncWithCondition(a.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE,
                                            stream_));
    EXPECT_OK(aclrtMemcpyAsync(b.get(), 64, a.get(), 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  });
  EXPECT_EQ(std::vector<uint8_t>(64), b.read());
  run_twice(model);
  EXPECT_EQ(pattern(64, 9), b.read());
}

TEST_F(CapturedTasks, CopiesOfRowsAndFills) {
  PinnedBuffer host(64);
  DeviceBuffer a(64);
  DeviceBuffer b(64);
  host.fill(pattern(64, 4));
  const Model model = capture(stream_, [&] {
    EXPECT_OK(
        aclrtMemcpy2dAsync(a.get(), 16, host.get(), 16, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(aclrtMemsetAsync(b.get(), 64, 7, 64, stream_));
    EXPECT_OK(aclrtMemsetD32Async(b.at(32), 32, 0x01020304, 4, stream_));
  });
  a.write(std::vector<uint8_t>(64));
  b.write(std::vector<uint8_t>(64));
  run_twice(model);
  std::vector<uint8_t> rows(64);
  for (size_t row = 0; row < 4; ++row)
    std::copy_n(pattern(64, 4).begin() + static_cast<ptrdiff_t>(row * 16), 8,
                rows.begin() + static_cast<ptrdiff_t>(row * 16));
  EXPECT_EQ(rows, a.read());
  EXPECT_EQ(7, b.read()[0]);
  EXPECT_EQ(4, b.read()[32]);
  EXPECT_EQ(7, b.read()[48]);
}

TEST_F(CapturedTasks, ABatchIsOneTask) {
  PinnedBuffer host(128);
  DeviceBuffer device(128);
  host.fill(pattern(128, 5));
  void* dsts[] = {device.get(), device.at(64)};
  void* srcs[] = {host.get(), host.bytes() + 64};
  size_t sizes[] = {32, 48};
  size_t index = 0;
  size_t fail = 7;
  aclrtMemcpyBatchAttr attr{};
  attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 2, &attr, &index, 1, &fail, stream_));
  });
  dsts[0] = srcs[0] = nullptr;  // the arrays are read during the call
  sizes[0] = 0;
  device.write(std::vector<uint8_t>(128));
  run_twice(model);
  const std::vector<uint8_t> expected = pattern(128, 5);
  EXPECT_TRUE(std::equal(expected.begin(), expected.begin() + 32, device.read().begin()));
  EXPECT_EQ(std::vector<uint8_t>(expected.begin() + 64, expected.begin() + 112),
            device.read(64, 48));
}

TEST_F(CapturedTasks, DescriptorsAreReadByEachRun) {
  DeviceBuffer descriptor(256);
  DeviceBuffer a(64);
  DeviceBuffer b(64);
  DeviceBuffer c(64);
  a.write(pattern(64, 1));
  b.write(pattern(64, 2));
  const Model model = capture(stream_, [&] {
    EXPECT_OK(
        aclrtMemcpyAsyncWithDesc(descriptor.get(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream_));
  });
  EXPECT_OK(aclrtSetMemcpyDesc(descriptor.get(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, a.get(),
                               c.get(), 64, nullptr));
  run_twice(model);
  EXPECT_EQ(pattern(64, 1), c.read());
  EXPECT_OK(aclrtSetMemcpyDesc(descriptor.get(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, b.get(),
                               c.get(), 64, nullptr));
  run_twice(model);
  EXPECT_EQ(pattern(64, 2), c.read());
}

TEST_F(CapturedTasks, KindFiveTakesTheBytesOfTheCapture) {
  PinnedBuffer host(64);
  DeviceBuffer device(64);
  host.fill(pattern(64, 1));
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtMemcpyAsync(device.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
                               stream_));
  });
  host.fill(pattern(64, 2));
  run_twice(model);
  EXPECT_EQ(pattern(64, 1), device.read());
}

TEST_F(CapturedTasks, PageableMemoryIsRefusedAndTheCaptureGoesOn) {
  std::vector<uint8_t> host(128, 3);
  PinnedBuffer pinned(64);
  DeviceBuffer device(128);
  void* dsts[] = {device.get(), device.at(64)};
  void* srcs[] = {pinned.get(), host.data()};
  size_t sizes[] = {64, 64};
  size_t index = 0;
  size_t fail = 7;
  aclrtMemcpyBatchAttr attr{};
  attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  device.write(std::vector<uint8_t>(128, 1));
  pinned.fill(pattern(64));
  const Model model = capture(stream_, [&] {
    EXPECT_FAILS(
        kBadValue, "EE1016",
        aclrtMemcpyAsync(device.get(), 64, host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_FAILS(kBadValue, "EE1016",
                 aclrtMemcpy2dAsync(device.get(), 8, host.data(), 8, 8, 8,
                                    ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_FAILS(
        kBadValue, "EE1016",
        aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 2, &attr, &index, 1, &fail, stream_));
    EXPECT_EQ(SIZE_MAX, fail);
    EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  });
  run_twice(model);
  EXPECT_EQ(std::vector<uint8_t>(128, 1), device.read());
}

TEST_F(CapturedTasks, HostMemoryIsFilledAtOnce) {
  PinnedBuffer host(64);
  host.fill(std::vector<uint8_t>(64));
  const Model model =
      capture(stream_, [&] { EXPECT_OK(aclrtMemsetAsync(host.get(), 64, 5, 64, stream_)); });
  EXPECT_EQ(std::vector<uint8_t>(64, 5), host.copy());
  host.fill(std::vector<uint8_t>(64));
  run_twice(model);
  EXPECT_EQ(std::vector<uint8_t>(64), host.copy());
}

TEST_F(CapturedTasks, NotifiesOutliveTheirHandles) {
  const Stream side;
  const Event fork = Event::ex();
  const Event back = Event::ex();
  Mark mark;
  Model model;
  {
    const streams::Notify notify;
    model = capture(stream_, [&] {
      EXPECT_OK(aclrtRecordEvent(fork, stream_));
      EXPECT_OK(aclrtStreamWaitEvent(side, fork));
      EXPECT_OK(aclrtWaitAndResetNotify(notify, side, 0));
      EXPECT_OK(mark.queue(side));
      EXPECT_OK(aclrtRecordEvent(back, side));
      EXPECT_OK(aclrtRecordNotify(notify, stream_));
      EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
    });
  }
  run_twice(model);
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(CapturedTasks, HostFunctionsRunOncePerRun) {
  Counter counter;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(counter.queue(stream_));
    EXPECT_OK(counter.queue(stream_));
  });
  EXPECT_EQ(0, counter.calls());
  run_twice(model);
  EXPECT_EQ(4, counter.calls());
}

TEST_F(CapturedTasks, ACallbackNeedsASubscriptionAtCapture) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS_WITH(107015,
                    aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  discard(stream_);
}

TEST_F(CapturedTasks, ABadArgumentLeavesTheCaptureValid) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  DeviceBuffer device(64);
  EXPECT_NE(ACL_SUCCESS, aclrtMemsetAsync(device.get(), 8, 0, 64, stream_));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  discard(stream_);
}

TEST_F(CapturedTasks, TheDefaultStreamIsNotRecorded) {
  Mark mark;
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kGlobal));
  EXPECT_OK(mark.queue(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark.is_reached());
  discard(stream_);
}

TEST_F(CapturedTasks, MemoryAllocatedLaterDoesNotDisturbRuns) {
  PinnedBuffer host(64);
  DeviceBuffer device(64);
  host.fill(pattern(64, 8));
  const Model model = capture(stream_, [&] {
    EXPECT_OK(
        aclrtMemcpyAsync(device.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  });
  const DeviceBuffer more(1 << 20);
  run_twice(model);
  EXPECT_EQ(pattern(64, 8), device.read());
}

TEST_F(CapturedTasks, FreedMemoryFailsTheRun) {
  if (is_checked()) GTEST_SKIP() << "the checker ends programs that use freed memory";
  PinnedBuffer host(64);
  Mark behind;
  Model model;
  {
    DeviceBuffer device(64);
    model = capture(stream_, [&] {
      EXPECT_OK(
          aclrtMemcpyAsync(device.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
      EXPECT_OK(behind.queue(stream_));
    });
  }
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(behind.is_reached());
}

TEST_F(CapturedTasks, APoolFreeCannotBeRecorded) {
  aclrtMemPool pool = nullptr;
  aclrtMemPoolProps properties{};
  properties.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  properties.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  ASSERT_OK(aclrtMemPoolCreate(&pool, &properties));
  void* block = nullptr;
  EXPECT_OK(aclrtMemPoolMallocAsync(&block, 64, pool, stream_));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS_WITH(kNotSupported, aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  discard(stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

}  // namespace
}  // namespace conformance::captured_tasks_test
