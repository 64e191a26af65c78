// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureThreadExchangeMode, and which calls the modes of captures and threads forbid.
#include "support/models.h"

namespace conformance::aclmdlRICaptureThreadExchangeMode_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICaptureThreadExchangeMode = WithStream;

TEST_F(AclmdlRICaptureThreadExchangeMode, ChecksInOrder) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureThreadExchangeMode(nullptr));
  auto bad = static_cast<aclmdlRICaptureMode>(3);
  EXPECT_FAILS(kBadValue, "EE1003", aclmdlRICaptureThreadExchangeMode(&bad));
  EXPECT_EQ(3, static_cast<int>(bad));
  on_new_thread([] {
    auto mode = static_cast<aclmdlRICaptureMode>(3);
    EXPECT_FAILS(kBadValue, "EE1003", aclmdlRICaptureThreadExchangeMode(&mode));
    mode = kRelaxed;
    EXPECT_FAILS_WITH(kNoContext, aclmdlRICaptureThreadExchangeMode(&mode));
    EXPECT_EQ(kRelaxed, mode);
  });
}

TEST_F(AclmdlRICaptureThreadExchangeMode, ReturnsTheModeBefore) {
  const aclrtContext context = streams::current_context();
  streams::start_in(context, [&] {
    aclmdlRICaptureMode mode = kThreadLocal;
    EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
    EXPECT_EQ(kGlobal, mode);
    mode = kRelaxed;
    EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
    EXPECT_EQ(kThreadLocal, mode);
    EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
    EXPECT_EQ(kRelaxed, mode);
  }).join();
}

// Calls that captures may forbid, and the code with which they do.
struct UnsafeCall {
  const char* name;
  aclError code;
  std::function<aclError(aclrtStream, DeviceBuffer&, std::vector<uint8_t>&)> call;
};

const UnsafeCall kUnsafeCalls[] = {
    {"aclrtMemcpy", kUnsafe,
     [](aclrtStream, DeviceBuffer& device, std::vector<uint8_t>& host) {
       return aclrtMemcpy(device.get(), 64, host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE);
     }},
    {"aclrtMemset", kUnsafe,
     [](aclrtStream, DeviceBuffer& device, std::vector<uint8_t>&) {
       return aclrtMemset(device.get(), 64, 1, 64);
     }},
    {"aclrtMemsetD32", kUnsafe,
     [](aclrtStream, DeviceBuffer& device, std::vector<uint8_t>&) {
       return aclrtMemsetD32(device.get(), 64, 1, 16);
     }},
    {"aclrtMemcpy2d", kUnsafe,
     [](aclrtStream, DeviceBuffer& device, std::vector<uint8_t>& host) {
       return aclrtMemcpy2d(device.get(), 8, host.data(), 8, 8, 8, ACL_MEMCPY_HOST_TO_DEVICE);
     }},
    {"aclrtMemcpyAsync", kUnsafeAsync,
     [](aclrtStream stream, DeviceBuffer& device, std::vector<uint8_t>& host) {
       return aclrtMemcpyAsync(device.get(), 64, host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE,
                               stream);
     }},
    {"aclrtMemcpy2dAsync", kUnsafeAsync,
     [](aclrtStream stream, DeviceBuffer& device, std::vector<uint8_t>& host) {
       return aclrtMemcpy2dAsync(device.get(), 8, host.data(), 8, 8, 8, ACL_MEMCPY_HOST_TO_DEVICE,
                                 stream);
     }},
};

struct ModeCase {
  aclmdlRICaptureMode exchange;
  aclmdlRICaptureMode capture;
  bool is_own;  // the capture was begun by the calling thread
  bool is_refused;
};

const ModeCase kModeCases[] = {
    {kGlobal, kGlobal, true, true},           {kGlobal, kGlobal, false, true},
    {kGlobal, kThreadLocal, true, true},      {kGlobal, kThreadLocal, false, false},
    {kGlobal, kRelaxed, true, false},         {kGlobal, kRelaxed, false, false},
    {kThreadLocal, kGlobal, true, true},      {kThreadLocal, kGlobal, false, false},
    {kThreadLocal, kThreadLocal, true, true}, {kThreadLocal, kThreadLocal, false, false},
    {kThreadLocal, kRelaxed, true, false},    {kThreadLocal, kRelaxed, false, false},
    {kRelaxed, kGlobal, true, false},         {kRelaxed, kGlobal, false, false},
    {kRelaxed, kThreadLocal, true, false},    {kRelaxed, kThreadLocal, false, false},
    {kRelaxed, kRelaxed, true, false},        {kRelaxed, kRelaxed, false, false},
};

// Every call in every case; what is refused copies nothing and leaves the capture valid.
TEST_F(AclmdlRICaptureThreadExchangeMode, DecidesTogetherWithTheCaptures) {
  const aclrtContext context = streams::current_context();
  const Stream side;
  DeviceBuffer device(64);
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(std::to_string(mode.exchange) + ", " + std::to_string(mode.capture) +
                 (mode.is_own ? ", own" : ", of another thread"));
    if (!mode.is_own) {
      EXPECT_OK(aclmdlRICaptureBegin(stream_, mode.capture));
    }
    streams::start_in(context, [&] {
      std::vector<uint8_t> host(64, 1);
      aclmdlRICaptureMode own = mode.exchange;
      EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&own));
      if (mode.is_own) {
        EXPECT_OK(aclmdlRICaptureBegin(stream_, mode.capture));
      }
      for (const UnsafeCall& unsafe : kUnsafeCalls) {
        SCOPED_TRACE(unsafe.name);
        const aclError code = unsafe.call(side, device, host);
        EXPECT_EQ(mode.is_refused ? unsafe.code : ACL_SUCCESS, code);
        clear_errors();
      }
      EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
      if (mode.is_own) discard(stream_);
    }).join();
    if (!mode.is_own) discard(stream_);
  }
}

TEST_F(AclmdlRICaptureThreadExchangeMode, TheTextNamesModeAndStream) {
  DeviceBuffer device(64);
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream_, &id));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kGlobal));
  clear_errors();
  EXPECT_EQ(kUnsafe, aclrtMemset(device.get(), 64, 1, 64));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("ACL_MODEL_RI_CAPTURE_MODE_GLOBAL")) << text;
  EXPECT_NE(std::string::npos, text.find("stream " + std::to_string(id))) << text;
  discard(stream_);
}

TEST_F(AclmdlRICaptureThreadExchangeMode, CapturesOfOtherContextsDoNotCount) {
  DeviceBuffer device(64);
  const OtherContext other;
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kGlobal));
  {
    const streams::Inside inside(other);
    EXPECT_OK(aclrtMemset(device.get(), 64, 1, 64));
    EXPECT_OK(aclrtSynchronizeDevice());
  }
  discard(stream_);
}

TEST_F(AclmdlRICaptureThreadExchangeMode, AllocatingAndCreatingIsAlwaysAllowed) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kGlobal));
  {
    const DeviceBuffer device(64);
    const PinnedBuffer pinned(64);
    const Event event = Event::ex();
    const Stream stream;
    size_t free_bytes = 0;
    size_t total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    void* sizes[] = {device.get()};
    void* hosts[] = {pinned.get()};
    size_t length = 64;
    size_t index = 0;
    size_t fail = 0;
    aclrtMemcpyBatchAttr attr{};
    attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
    EXPECT_OK(aclrtMemcpyBatch(sizes, &length, hosts, &length, 1, &attr, &index, 1, &fail));
  }
  discard(stream_);
}

TEST_F(AclmdlRICaptureThreadExchangeMode, StreamsAndEventsOfACaptureCannotBeWaitedFor) {
  const Event event = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  aclrtStreamStatus stream_status;
  aclrtEventStatus old_status;
  aclrtEventRecordedStatus status;
  aclrtEventWaitStatus wait_status;
  float time = 0;
  uint64_t stamp = 0;
  uint32_t flag = 0;
  aclrtStreamAttrValue value{};
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtSynchronizeStream(stream_));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtStreamQuery(stream_, &stream_status));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtDestroyStream(stream_));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtDestroyStreamForce(stream_));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtSynchronizeDevice());
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtSynchronizeDeviceWithTimeout(1));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtSetStreamOverflowSwitch(stream_, 1));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclrtGetStreamOverflowSwitch(stream_, &flag));
  EXPECT_FAILS(kStreamCaptured, "EE1016",
               aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
  EXPECT_FAILS(kStreamCaptured, "EE1016",
               aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  EXPECT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
  EXPECT_FAILS_WITH(kEventCaptured, aclrtSynchronizeEvent(event));
  EXPECT_FAILS_WITH(kEventCaptured, aclrtSynchronizeEventWithTimeout(event, 1));
  EXPECT_FAILS_WITH(kEventCaptured, aclrtQueryEvent(event, &old_status));
  EXPECT_FAILS_WITH(kEventCaptured, aclrtQueryEventStatus(event, &status));
  EXPECT_FAILS_WITH(kEventCaptured, aclrtQueryEventWaitStatus(event, &wait_status));
  EXPECT_FAILS_WITH(kEventCaptured, aclrtEventElapsedTime(&time, event, event));
  EXPECT_FAILS_WITH(kEventCaptured, aclrtEventGetTimestamp(event, &stamp));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  const Stream other;
  EXPECT_OK(aclrtSynchronizeStream(other));
  discard(stream_);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureThreadExchangeMode_test
