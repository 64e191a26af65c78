// SPDX-License-Identifier: Apache-2.0
// The call sequences with which real programs capture and run models, without their kernels.
#include "support/models.h"

#include <deque>

namespace conformance::client_models_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using ClientModels = WithStream;

// llama.cpp: capture and run at once on the same stream, a cache that destroys the oldest model
// without a synchronisation, plain events between captures.
TEST_F(ClientModels, LlamaCppKeepsACacheOfModels) {
  PinnedBuffer result(64);
  const DeviceBuffer a(64);
  const DeviceBuffer b(64);
  const Event event = Event::plain();
  std::deque<aclmdlRI> cache;
  for (int token = 0; token < 12; ++token) {
    aclmdlRI model = nullptr;
    ASSERT_OK(aclmdlRICaptureBegin(stream_, kGlobal));
    EXPECT_OK(aclrtMemsetAsync(a.get(), 64, token, 64, stream_));
    EXPECT_OK(aclrtMemcpyAsync(b.get(), 64, a.get(), 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
    ASSERT_OK(aclmdlRICaptureEnd(stream_, &model));
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    cache.push_front(model);
    if (cache.size() > 3) {
      EXPECT_OK(aclmdlRIDestroy(cache.back()));
      cache.pop_back();
    }
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtMemcpyAsync(result.get(), 64, b.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(std::vector<uint8_t>(64, static_cast<uint8_t>(token)), result.copy());
  }
  for (aclmdlRI model : cache)
    EXPECT_OK(aclmdlRIDestroy(model));
}

// InfiniCore: any mode, runs on any stream.
TEST_F(ClientModels, InfiniCoreRunsOnAnyStream) {
  for (const auto mode : {kGlobal, kThreadLocal, kRelaxed}) {
    Mark mark;
    aclmdlRI model = nullptr;
    EXPECT_OK(aclmdlRICaptureBegin(stream_, mode));
    EXPECT_OK(mark.queue(stream_));
    EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
    const Stream other;
    for (aclrtStream stream : {stream_, aclrtStream(other), aclrtStream(nullptr)}) {
      mark.clear();
      EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_TRUE(mark.is_reached());
    }
    EXPECT_OK(aclmdlRIDestroy(model));
  }
}

// candle: a capture that is given up, perhaps by a finaliser on another thread.
TEST_F(ClientModels, CandleGivesACaptureUp) {
  Mark mark;
  const aclrtContext context = streams::current_context();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kThreadLocal));
  EXPECT_OK(mark.queue(stream_));
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_OK(aclmdlRIDestroy(model));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kThreadLocal));
  streams::start_in(context, [&] {
    EXPECT_FAILS_WITH(kWrongThread, aclmdlRICaptureEnd(stream_, &model));
    EXPECT_EQ(nullptr, model);
  }).join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(mark.is_reached());
}

// torch_npu's NPUGraph: the op info switch around the capture, the handle of GetInfo, a run on the
// default stream.
TEST_F(ClientModels, TorchCapturesOnASideStream) {
  Mark mark;
  aclrtStreamAttrValue value{};
  value.cacheOpInfoSwitch = 1;
  EXPECT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kGlobal));
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  aclmdlRI from_info = nullptr;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream_, &status, &from_info));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status);
  uint32_t id = 0;
  EXPECT_OK(aclmdlRIGetId(from_info, &id));
  EXPECT_OK(mark.queue(stream_));
  value.cacheOpInfoSwitch = 0;
  EXPECT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_EQ(from_info, model);
  EXPECT_OK(aclmdlRIExecuteAsync(model, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclmdlRIDestroy(model));
}

// Its allocators: while anything is captured, every allocation asks about every stream, also on
// other threads; memory is allocated and freed during the capture.
TEST_F(ClientModels, TorchAllocatesDuringACapture) {
  const aclrtContext context = streams::current_context();
  const Stream other;
  const Model model = capture(
      stream_,
      [&] {
        for (int i = 0; i < 20; ++i) {
          const DeviceBuffer device(1024);
          const PinnedBuffer pinned(1024);
          EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
          EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_NONE, status_of(other));
        }
        streams::start_in(context, [&] {
          const DeviceBuffer device(1024);
          EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
        }).join();
      },
      kGlobal);
}

// Its events: record(main), wait(side), work, record(side), wait(main), with events that also have
// times, used again and again.
TEST_F(ClientModels, TorchForksToASideStream) {
  const Stream side;
  const Event forth = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  const Event back = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  PinnedBuffer result(64);
  const DeviceBuffer a(64);
  const Model model = capture(stream_, [&] {
    for (int i = 0; i < 5; ++i) {
      EXPECT_OK(aclrtMemsetAsync(a.get(), 64, i, 64, stream_));
      EXPECT_OK(aclrtRecordEvent(forth, stream_));
      EXPECT_OK(aclrtStreamWaitEvent(side, forth));
      EXPECT_OK(aclrtMemcpyAsync(result.get(), 64, a.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, side));
      EXPECT_OK(aclrtRecordEvent(back, side));
      EXPECT_OK(aclrtStreamWaitEvent(stream_, back));
    }
  });
  for (int i = 0; i < 5; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(std::vector<uint8_t>(64, 4), result.copy());
  }
}

}  // namespace
}  // namespace conformance::client_models_test
