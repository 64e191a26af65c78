// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2dAsync: what the call refuses, and in which order; and copies between devices.
#include "support/copies_2d.h"

namespace conformance::copies::aclrtMemcpy2dAsync_errors_test {
namespace {

constexpr size_t kMaxHeight = 5242880;
constexpr size_t kMaxWidth = 5000000;

class AclrtMemcpy2dAsyncErrors : public WithStream {
 protected:
  struct Buffers {
    DeviceBuffer device{256};
    DeviceBuffer other_device{256};
    PinnedBuffer pinned{256};
    PinnedBuffer other_pinned{256};
    std::vector<uint8_t> pageable = std::vector<uint8_t>(256);
  };

  static aclError copy(void* dst, const void* src, aclrtMemcpyKind kind, aclrtStream stream) {
    return aclrtMemcpy2dAsync(dst, 16, src, 16, 16, 16, kind, stream);
  }
  static ::testing::AssertionResult failed(aclError code, const char* message_code,
                                           aclError actual) {
    return failed_as("aclrtMemcpy2dAsync", code, message_code, actual);
  }
};

TEST_F(AclrtMemcpy2dAsyncErrors, NoRowsOrNoWidthSucceedsBeforeAnyOtherCheck) {
  const BadStreams bad;
  EXPECT_OK(aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 0, 5, kind_of(99), bad.destroyed()));
  EXPECT_OK(aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 5, 0, kind_of(99), bad.destroyed()));
  on_new_thread([&] {
    EXPECT_OK(aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 0, SIZE_MAX, kind_of(-1), nullptr));
  });
}

TEST_F(AclrtMemcpy2dAsyncErrors, RefusesNullBeforeThePitches) {
  const Buffers buffers;
  const BadStreams bad;
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM,
            aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 9, 1, kind_of(99), bad.destroyed()));
  EXPECT_TRUE(text_has("dst"));
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM, "EH0008",
      aclrtMemcpy2dAsync(nullptr, 0, buffers.pinned.get(), 0, 9, 1, kind_of(99), bad.destroyed()));
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM, "EH0008",
      aclrtMemcpy2dAsync(buffers.device.get(), 0, nullptr, 0, 9, 1, kind_of(99), bad.destroyed()));
}

TEST_F(AclrtMemcpy2dAsyncErrors, RefusesAWidthAboveAPitchBeforeTheKind) {
  const Buffers buffers;
  const BadStreams bad;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
               aclrtMemcpy2dAsync(buffers.device.get(), 9, buffers.pinned.get(), 8, 9, 1,
                                  kind_of(99), bad.destroyed()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
               aclrtMemcpy2dAsync(buffers.device.get(), 8, buffers.pinned.get(), 9, 9, 1,
                                  kind_of(99), bad.destroyed()));
}

TEST_F(AclrtMemcpy2dAsyncErrors, RefusesAKindOutOfRangeBeforeTheStream) {
  const Buffers buffers;
  const BadStreams bad;
  for (const int kind : {0, 5, 6, 7, 8, -1, 0x7FFFFFFF}) {
    EXPECT_TRUE(
        failed(ACL_ERROR_INVALID_PARAM, "EH0007",
               copy(buffers.device.get(), buffers.pinned.get(), kind_of(kind), bad.destroyed())));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemcpy2dAsyncErrors, RefusesHandlesThatAreNoStreamsBeforeTheLimits) {
  const Buffers buffers;
  const BadStreams bad;
  for (const BadStreams::Entry& entry : bad.all()) {
    SCOPED_TRACE(entry.what);
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtMemcpy2dAsync(buffers.device.get(), 1, buffers.pinned.get(), 1, 1,
                                    kMaxHeight + 1, ACL_MEMCPY_DEFAULT, entry.handle));
    on_new_thread([&] {
      EXPECT_TRUE(failed(
          ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
          copy(buffers.device.get(), buffers.pinned.get(), ACL_MEMCPY_DEFAULT, entry.handle)));
    });
  }
}

TEST_F(AclrtMemcpy2dAsyncErrors, NullIsABadStreamWithoutAContext) {
  const Buffers buffers;
  on_new_thread([&] {
    EXPECT_TRUE(
        failed(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
               copy(buffers.device.get(), buffers.pinned.get(), ACL_MEMCPY_DEFAULT, nullptr)));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
                 aclrtMemcpy2dAsync(buffers.device.get(), 1, buffers.pinned.get(), 1, 1,
                                    kMaxHeight + 1, ACL_MEMCPY_DEFAULT, nullptr));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  });
}

TEST_F(AclrtMemcpy2dAsyncErrors, RefusesMoreRowsOrBytesThanTheLimitsBeforeTheContext) {
  const Buffers buffers;
  const auto check = [&](size_t width, size_t height, const char* named) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemcpy2dAsync(buffers.device.get(), width, buffers.pinned.get(), width, width,
                                    height, ACL_MEMCPY_DEFAULT, stream_));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID,
              aclrtMemcpy2dAsync(buffers.device.get(), width, buffers.pinned.get(), width, width,
                                 height, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
    EXPECT_TRUE(text_has(named));
  };
  check(1, kMaxHeight + 1, "height");
  check(kMaxWidth + 1, 1, "width");
  check(kMaxWidth + 1, SIZE_MAX, "height");
  on_new_thread([&] { check(1, kMaxHeight + 1, "height"); });
}

TEST_F(AclrtMemcpy2dAsyncErrors, NeedsAContextBeforeItLooksAtThePlaces) {
  const Buffers buffers;
  on_new_thread([&] {
    EXPECT_TRUE(
        failed(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
               copy(buffers.device.get(), buffers.pinned.get(), ACL_MEMCPY_DEFAULT, stream_)));
    EXPECT_TRUE(failed(
        ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
        copy(buffers.other_pinned.get(), buffers.pinned.get(), ACL_MEMCPY_DEFAULT, stream_)));
  });
}

TEST_F(AclrtMemcpy2dAsyncErrors, RefusesHostToHost) {
  Buffers buffers;
  const OtherContext other;
  std::vector<uint8_t> other_pageable(256);
  const std::pair<void*, void*> pairs[] = {
      {buffers.pinned.get(), buffers.other_pinned.get()},
      {buffers.pageable.data(), buffers.pinned.get()},
      {buffers.pinned.get(), buffers.pageable.data()},
      {buffers.pageable.data(), other_pageable.data()},
  };
  for (const auto& [dst, src] : pairs) {
    for (int kind = ACL_MEMCPY_HOST_TO_DEVICE; kind <= ACL_MEMCPY_DEFAULT; ++kind) {
      // Checked before the stream's context.
      for (aclrtStream stream : {stream_, other.stream()})
        EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "", copy(dst, src, kind_of(kind), stream)));
    }
  }
}

TEST_F(AclrtMemcpy2dAsyncErrors, PageableMemoryNeedsTheRightKind) {
  Buffers buffers;
  const OtherContext other;
  for (aclrtStream stream : {stream_, other.stream()}) {
    for (const aclrtMemcpyKind kind : {ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE}) {
      EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "",
                         copy(buffers.device.get(), buffers.pageable.data(), kind, stream)));
    }
    for (const aclrtMemcpyKind kind : {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_DEVICE}) {
      EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "",
                         copy(buffers.pageable.data(), buffers.device.get(), kind, stream)));
    }
  }
}

TEST_F(AclrtMemcpy2dAsyncErrors, RefusesAStreamOfAnotherContextForQueuedCopies) {
  const Buffers buffers;
  const OtherContext other;
  const auto check = [&](void* dst, const void* src) {
    clear_errors();
    EXPECT_TRUE(failed(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
                       copy(dst, src, ACL_MEMCPY_DEFAULT, other.stream())));
    EXPECT_EQ(ACL_ERROR_RT_STREAM_CONTEXT, last_error());
  };
  check(buffers.device.get(), buffers.pinned.get());
  check(buffers.pinned.get(), buffers.device.get());
  check(buffers.device.get(), buffers.other_device.get());
}

TEST_F(AclrtMemcpy2dAsyncErrors, TakesAStreamOfAnotherContextForPageableMemory) {
  Buffers buffers;
  const OtherContext other;
  buffers.pageable = pattern(256);
  EXPECT_OK(copy(buffers.device.get(), buffers.pageable.data(), ACL_MEMCPY_HOST_TO_DEVICE,
                 other.stream()));
  EXPECT_EQ(pattern(256), buffers.device.read());
  buffers.device.write(pattern(256, 5));
  EXPECT_OK(copy(buffers.pageable.data(), buffers.device.get(), ACL_MEMCPY_DEVICE_TO_HOST,
                 other.stream()));
  EXPECT_EQ(pattern(256, 5), buffers.pageable);
}

TEST_F(AclrtMemcpy2dAsyncErrors, WithPageableMemoryBothRangesAreJudgedAtTheCall) {
  const Buffers buffers;
  std::vector<uint8_t> host(2000);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy2dAsync(buffers.device.get(), padded(256) - 7, host.data(), 8, 8, 2,
                                       ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_TRUE(
      failed(ACL_ERROR_RT_PARAM_INVALID, "",
             copy(buffers.device.get(), unmapped_address(), ACL_MEMCPY_HOST_TO_DEVICE, stream_)));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

FERRY_PROCESS_TEST(AclrtMemcpy2dAsyncProducts, CopiesInsideADeviceAreNotEverywhere,
                   "FERRY_SOC=Ascend310P3") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer device(256);
    const DeviceBuffer other(256);
    PinnedBuffer pinned(256);
    pinned.fill(pattern(256));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtMemcpy2dAsync(device.get(), 16, other.get(), 16, 16, 16,
                                         ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
    EXPECT_EQ(ACL_SUCCESS, last_error());
    EXPECT_OK(aclrtMemcpy2dAsync(device.get(), 16, pinned.get(), 16, 16, 16,
                                 ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(pattern(256), device.read());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

aclError copy_to_device_1(TwoDevices& devices) {
  return aclrtMemcpy2dAsync(devices.buffer(1).get(), 10, devices.buffer(0).get(), 10, 10, 5,
                            ACL_MEMCPY_DEVICE_TO_DEVICE, devices.stream(0));
}

FERRY_PROCESS_TEST(AclrtMemcpy2dAsyncPeer, NeedsPeerAccessOnA2, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B3") {
  TwoDevices devices(50);
  EXPECT_TRUE(
      failed_as("aclrtMemcpy2dAsync", ACL_ERROR_RT_PARAM_INVALID, "", copy_to_device_1(devices)));
  ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(copy_to_device_1(devices));
  EXPECT_OK(aclrtSynchronizeStream(devices.stream(0)));
  EXPECT_EQ(pattern(50, 1), devices.buffer(1).read());
}

FERRY_PROCESS_TEST(AclrtMemcpy2dAsyncPeer, NeedsNoPeerAccessOnA3, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910_9372") {
  TwoDevices devices(50);
  EXPECT_OK(copy_to_device_1(devices));
  EXPECT_OK(aclrtSynchronizeStream(devices.stream(0)));
  EXPECT_EQ(pattern(50, 1), devices.buffer(1).read());
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpy2dAsync_errors_test
