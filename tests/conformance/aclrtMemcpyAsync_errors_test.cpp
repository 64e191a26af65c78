// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsync and aclrtMemcpyAsyncWithCondition: what the calls refuse, and in which order.
// Failures at execution are in aclrtMemcpyAsync_ranges_test.cpp.
#include "support/copies.h"

namespace conformance::copies::aclrtMemcpyAsync_errors_test {
namespace {

class AclrtMemcpyAsyncErrors : public WithAsyncCopy {
 protected:
  struct Buffers {
    DeviceBuffer device{64};
    DeviceBuffer other_device{64};
    PinnedBuffer pinned{64};
    PinnedBuffer other_pinned{64};
    std::vector<uint8_t> pageable = std::vector<uint8_t>(64);
  };

  // With a dest_max that differs from the count.
  static aclError copy_into(void* dst, size_t dest_max, const void* src, size_t count,
                            aclrtMemcpyKind kind, aclrtStream stream) {
    return GetParam().call(dst, dest_max, src, count, kind, stream);
  }
};

TEST_P(AclrtMemcpyAsyncErrors, ACountOfZeroSucceedsBeforeAnyOtherCheck) {
  const BadStreams bad;
  EXPECT_OK(copy_into(nullptr, 0, nullptr, 0, kind_of(99), bad.destroyed()));
  on_new_thread([&] {
    EXPECT_OK(copy_into(nullptr, 0, nullptr, 0, kind_of(-1), nullptr));
    EXPECT_OK(copy_into(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT, stream_));
  });
}

TEST_P(AclrtMemcpyAsyncErrors, RefusesNullBeforeTheKindAndTheStream) {
  const Buffers buffers;
  const BadStreams bad;
  void* const device = buffers.device.get();
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM,
            copy_into(nullptr, 0, nullptr, 1, kind_of(99), bad.destroyed()));
  EXPECT_TRUE(text_has("dst"));
  EXPECT_TRUE(failed(ACL_ERROR_INVALID_PARAM, "EH0008",
                     copy_into(nullptr, 0, device, 1, kind_of(99), bad.destroyed())));
  EXPECT_TRUE(failed(ACL_ERROR_INVALID_PARAM, "EH0008",
                     copy_into(device, 0, nullptr, 1, kind_of(99), bad.destroyed())));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_P(AclrtMemcpyAsyncErrors, RefusesAKindOutOfRangeBeforeTheStream) {
  const Buffers buffers;
  const BadStreams bad;
  for (const int kind : {6, 7, 8, -1, 0x7FFFFFFF}) {
    EXPECT_TRUE(failed(ACL_ERROR_INVALID_PARAM, "EH0007",
                       copy_into(buffers.device.get(), 63, buffers.pinned.get(), 64, kind_of(kind),
                                 bad.destroyed())));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_P(AclrtMemcpyAsyncErrors, RefusesHandlesThatAreNoStreamsBeforeTheSizes) {
  const Buffers buffers;
  const BadStreams bad;
  for (const BadStreams::Entry& entry : bad.all()) {
    SCOPED_TRACE(entry.what);
    clear_errors();
    EXPECT_TRUE(failed(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                       copy_into(buffers.device.get(), 63, buffers.pinned.get(), 64,
                                 ACL_MEMCPY_HOST_TO_DEVICE, entry.handle)));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
  }
  on_new_thread([&] {
    EXPECT_TRUE(failed(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                       copy_into(buffers.device.get(), 64, buffers.pinned.get(), 64,
                                 ACL_MEMCPY_HOST_TO_DEVICE, bad.destroyed())));
  });
}

TEST_P(AclrtMemcpyAsyncErrors, RefusesACountAboveDestMaxBeforeTheContext) {
  const Buffers buffers;
  const auto check = [&](size_t dest_max, size_t count) {
    EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                       copy_into(buffers.device.get(), dest_max, buffers.pinned.get(), count,
                                 ACL_MEMCPY_HOST_TO_DEVICE, stream_)));
  };
  check(0, 1);
  check(63, 64);
  check(64, SIZE_MAX);
  on_new_thread([&] { check(63, 64); });
  // Also checked before the kind is compared with the locations.
  EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                     copy_into(buffers.pinned.get(), 63, buffers.pinned.get(), 64,
                               ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_)));
}

TEST_P(AclrtMemcpyAsyncErrors, NeedsAContextBeforeItLooksAtThePlaces) {
  const Buffers buffers;
  on_new_thread([&] {
    EXPECT_TRUE(failed(
        ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
        copy(buffers.device.get(), buffers.pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_)));
    EXPECT_TRUE(failed(
        ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
        copy(buffers.device.get(), buffers.pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr)));
    EXPECT_TRUE(failed(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                       copy(buffers.pinned.get(), buffers.device.get(), 64,
                            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_)));
    EXPECT_TRUE(failed(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                       copy(buffers.pinned.get(), buffers.other_pinned.get(), 64,
                            ACL_MEMCPY_HOST_TO_HOST, stream_)));
    EXPECT_TRUE(failed(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                       copy(buffers.device.get(), buffers.device.get(), 64,
                            ACL_MEMCPY_DEVICE_TO_DEVICE, stream_)));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_P(AclrtMemcpyAsyncErrors, ThroughABufferOnlyFromHostToDevice) {
  Buffers buffers;
  const OtherContext other;
  const auto check = [&](void* dst, const void* src, aclrtStream stream) {
    EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                       copy(dst, src, 64, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream)));
  };
  check(buffers.other_device.get(), buffers.device.get(), stream_);
  check(buffers.pinned.get(), buffers.device.get(), stream_);
  check(buffers.pinned.get(), buffers.other_pinned.get(), stream_);
  check(buffers.pageable.data(), buffers.pinned.get(), stream_);
  // Checked before equal addresses and before the stream's context.
  check(buffers.device.get(), buffers.device.get(), stream_);
  check(buffers.other_device.get(), buffers.device.get(), other.stream());
}

TEST_P(AclrtMemcpyAsyncErrors, ThePlacesAreJudgedBeforeTheStreamsContext) {
  Buffers buffers;
  const OtherContext other;
  EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "EE9999",
                     copy(buffers.device.get(), buffers.pageable.data(), 64,
                          ACL_MEMCPY_DEVICE_TO_HOST, other.stream())));
  EXPECT_TRUE(failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "",
                     copy(buffers.pinned.get(), buffers.other_pinned.get(), 64, ACL_MEMCPY_DEFAULT,
                          other.stream())));
}

TEST_P(AclrtMemcpyAsyncErrors, OntoItselfQueuesNothing) {
  const Buffers buffers;
  const OtherContext other;
  void* const device = buffers.device.get();
  EXPECT_OK(copy(device, device, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  // Nothing is queued, so neither the stream's context nor the range is checked.
  EXPECT_OK(copy(device, device, 64, ACL_MEMCPY_HOST_TO_DEVICE, other.stream()));
  EXPECT_OK(copy(device, device, size_t{1} << 30, ACL_MEMCPY_DEFAULT, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(copy(device, device, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
}

TEST_P(AclrtMemcpyAsyncErrors, HostToHostIsJudgedBeforeEqualAddresses) {
  Buffers buffers;
  EXPECT_TRUE(
      failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "",
             copy(buffers.pinned.get(), buffers.pinned.get(), 64, ACL_MEMCPY_DEFAULT, stream_)));
  EXPECT_TRUE(failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "",
                     copy(buffers.pageable.data(), buffers.pageable.data(), 64,
                          ACL_MEMCPY_HOST_TO_HOST, stream_)));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_P(AclrtMemcpyAsyncErrors, RefusesAStreamOfAnotherContextForQueuedCopies) {
  const Buffers buffers;
  const OtherContext other;
  const auto check = [&](void* dst, const void* src, aclrtMemcpyKind kind) {
    clear_errors();
    EXPECT_TRUE(
        failed(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010", copy(dst, src, 64, kind, other.stream())));
    EXPECT_EQ(ACL_ERROR_RT_STREAM_CONTEXT, last_error());
  };
  check(buffers.device.get(), buffers.pinned.get(), ACL_MEMCPY_HOST_TO_DEVICE);
  check(buffers.pinned.get(), buffers.device.get(), ACL_MEMCPY_DEVICE_TO_HOST);
  check(buffers.device.get(), buffers.other_device.get(), ACL_MEMCPY_DEVICE_TO_DEVICE);
  check(buffers.device.get(), buffers.pinned.get(), ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE);
  check(buffers.device.get(), buffers.pageable.data(), ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE);
  EXPECT_OK(aclrtSynchronizeStream(other.stream()));
}

TEST_P(AclrtMemcpyAsyncErrors, TheDefaultStreamOfAnotherContextIsForeignToo) {
  const Buffers buffers;
  const OtherContext other;
  other.enter();
  aclrtStream foreign = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&foreign));
  other.leave();
  EXPECT_TRUE(failed(
      ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
      copy(buffers.device.get(), buffers.pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, foreign)));
}

TEST_P(AclrtMemcpyAsyncErrors, TakesAStreamOfAnotherContextForPageableMemory) {
  Buffers buffers;
  const OtherContext other;
  other.enter();
  Gate gate(other.stream());
  EXPECT_OK(aclrtMemsetAsync(buffers.device.get(), 64, 0x11, 64, other.stream()));
  other.leave();
  CallOnThread call([&] {
    return copy(buffers.pageable.data(), buffers.device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST,
                other.stream());
  });
  EXPECT_FALSE(call.has_returned());
  gate.open();
  EXPECT_EQ(ACL_SUCCESS, call.result()) << call.text();
  EXPECT_EQ(std::vector<uint8_t>(64, 0x11), buffers.pageable);
  buffers.pageable = pattern(64);
  EXPECT_OK(copy(buffers.device.get(), buffers.pageable.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE,
                 other.stream()));
  EXPECT_EQ(pattern(64), buffers.device.read());
  aclrtContext current = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&current));
  other.enter();
  aclrtContext others = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&others));
  other.leave();
  EXPECT_NE(others, current) << "the call left another context behind";
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyAsyncErrors, ::testing::ValuesIn(kAsyncCopyForms),
                         FormName());

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsync_errors_test
