// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy2d: blocking copies of rows between host and device.
#include "support/copies_2d.h"

namespace conformance::copies::aclrtMemcpy2d_test {
namespace {

using AclrtMemcpy2d = WithDevice;

constexpr size_t kMaxHeight = 5242880;
constexpr size_t kMaxWidth = 5000000;

struct Buffers {
  DeviceBuffer device{256};
  DeviceBuffer other_device{256};
  PinnedBuffer pinned{256};
  PinnedBuffer other_pinned{256};
  std::vector<uint8_t> pageable = std::vector<uint8_t>(256);
};

TEST_F(AclrtMemcpy2d, CopiesRowsToTheDeviceAndNoByteBetweenThem) {
  for (const Shape& shape : kShapes) {
    DeviceBuffer device(shape.dst_bytes());
    const std::vector<uint8_t> before = pattern(shape.dst_bytes(), 2);
    const std::vector<uint8_t> sent = pattern(shape.src_bytes(), 1);
    PinnedBuffer pinned(sent.size());
    pinned.fill(sent);
    for (const void* const source :
         {static_cast<const void*>(sent.data()), static_cast<const void*>(pinned.get())}) {
      device.write(before);
      EXPECT_OK(aclrtMemcpy2d(device.get(), shape.dpitch, source, shape.spitch, shape.width,
                              shape.height, ACL_MEMCPY_HOST_TO_DEVICE));
      EXPECT_EQ(shape.put(sent, before), device.read());
    }
  }
}

TEST_F(AclrtMemcpy2d, CopiesRowsToTheHostAndNoByteBetweenThem) {
  for (const Shape& shape : kShapes) {
    DeviceBuffer device(shape.src_bytes());
    const std::vector<uint8_t> sent = pattern(shape.src_bytes(), 1);
    const std::vector<uint8_t> before = pattern(shape.dst_bytes(), 2);
    device.write(sent);
    std::vector<uint8_t> pageable = before;
    PinnedBuffer pinned(before.size());
    pinned.fill(before);
    EXPECT_OK(aclrtMemcpy2d(pageable.data(), shape.dpitch, device.get(), shape.spitch, shape.width,
                            shape.height, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_OK(aclrtMemcpy2d(pinned.get(), shape.dpitch, device.get(), shape.spitch, shape.width,
                            shape.height, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(shape.put(sent, before), pageable);
    EXPECT_EQ(shape.put(sent, before), pinned.copy());
  }
}

TEST_F(AclrtMemcpy2d, TakesTheDirectionFromTheAddresses) {
  Buffers buffers;
  for (const aclrtMemcpyKind kind :
       {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEFAULT}) {
    buffers.device.write(pattern(256, 1));
    buffers.pinned.fill(pattern(256, 2));
    EXPECT_OK(aclrtMemcpy2d(buffers.device.get(), 16, buffers.pinned.get(), 16, 16, 16, kind));
    EXPECT_EQ(pattern(256, 2), buffers.device.read());
    buffers.pinned.fill(pattern(256, 3));
    EXPECT_OK(aclrtMemcpy2d(buffers.pinned.get(), 16, buffers.device.get(), 16, 16, 16, kind));
    EXPECT_EQ(pattern(256, 2), buffers.pinned.copy());
  }
}

TEST_F(AclrtMemcpy2d, NoRowsOrNoWidthSucceedsBeforeAnyOtherCheck) {
  EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, 5, kind_of(99)));
  EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 5, 0, kind_of(99)));
  EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, SIZE_MAX, 0, ACL_MEMCPY_DEVICE_TO_DEVICE));
  on_new_thread([] { EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, SIZE_MAX, kind_of(-1))); });
}

TEST_F(AclrtMemcpy2d, RefusesNullBeforeThePitches) {
  const Buffers buffers;
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtMemcpy2d(nullptr, 0, nullptr, 0, 9, 1, kind_of(99)));
  EXPECT_TRUE(text_has("dst"));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpy2d(nullptr, 0, buffers.pinned.get(), 0, 9, 1, kind_of(99)));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpy2d(buffers.device.get(), 0, nullptr, 0, 9, 1, kind_of(99)));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemcpy2d, RefusesAWidthAboveAPitchBeforeTheKind) {
  const Buffers buffers;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
               aclrtMemcpy2d(buffers.device.get(), 9, buffers.pinned.get(), 8, 9, 1, kind_of(99)));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
               aclrtMemcpy2d(buffers.device.get(), 8, buffers.pinned.get(), 9, 9, 1, kind_of(99)));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
               aclrtMemcpy2d(buffers.device.get(), 8, buffers.pinned.get(), 8, SIZE_MAX, 1,
                             ACL_MEMCPY_DEFAULT));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemcpy2d, RefusesAKindOutOfRangeBeforeTheLimits) {
  const Buffers buffers;
  for (const int kind : {0, 5, 6, 7, 8, -1, 0x7FFFFFFF}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 aclrtMemcpy2d(buffers.device.get(), 8, buffers.pinned.get(), 8, 8, SIZE_MAX,
                               kind_of(kind)));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemcpy2d, RefusesMoreRowsOrBytesThanTheLimits) {
  const Buffers buffers;
  void* const device = buffers.device.get();
  void* const pinned = buffers.pinned.get();
  // Checked before the kind device to device and before the context.
  const auto check = [&](size_t width, size_t height, const char* named) {
    EXPECT_FAILS(
        ACL_ERROR_RT_PARAM_INVALID, "EE1003",
        aclrtMemcpy2d(device, width, pinned, width, width, height, ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID,
              aclrtMemcpy2d(device, width, pinned, width, width, height, ACL_MEMCPY_DEFAULT));
    EXPECT_TRUE(text_has(named));
  };
  check(1, kMaxHeight + 1, "height");
  check(kMaxWidth + 1, 1, "width");
  check(kMaxWidth + 1, kMaxHeight + 1, "height");
  on_new_thread([&] { check(1, SIZE_MAX, "height"); });
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
}

TEST_F(AclrtMemcpy2d, TakesAsManyRowsAndBytesAsTheLimits) {
  const DeviceBuffer device(kMaxHeight);
  const std::vector<uint8_t> sent = pattern(kMaxHeight);
  EXPECT_OK(
      aclrtMemcpy2d(device.get(), 1, sent.data(), 1, 1, kMaxHeight, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_TRUE(sent == device.read());
  std::vector<uint8_t> received(kMaxWidth);
  EXPECT_OK(aclrtMemcpy2d(received.data(), kMaxWidth, device.get(), kMaxWidth, kMaxWidth, 1,
                          ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_TRUE(std::equal(received.begin(), received.end(), sent.begin()));
}

TEST_F(AclrtMemcpy2d, TheKindDeviceToDeviceIsNotSupported) {
  const Buffers buffers;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    aclrtMemcpy2d(buffers.device.get(), 8, buffers.other_device.get(), 8, 8, 2,
                                  ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, last_error());
  // Checked before the context and the locations.
  EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    aclrtMemcpy2d(buffers.device.get(), 8, buffers.pinned.get(), 8, 8, 2,
                                  ACL_MEMCPY_DEVICE_TO_DEVICE));
  on_new_thread([&] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtMemcpy2d(buffers.device.get(), 8, buffers.pinned.get(), 8, 8, 2,
                                    ACL_MEMCPY_DEVICE_TO_DEVICE));
  });
}

TEST_F(AclrtMemcpy2d, NeedsAContextBeforeItLooksAtThePlaces) {
  const Buffers buffers;
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtMemcpy2d(buffers.device.get(), 8, buffers.pinned.get(), 8, 8, 2,
                               ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtMemcpy2d(buffers.device.get(), 8, buffers.other_device.get(), 8, 8, 2,
                               ACL_MEMCPY_DEFAULT));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtMemcpy2d, RefusesTwoPlacesOfOneSort) {
  Buffers buffers;
  std::vector<uint8_t> other_pageable(256);
  const std::pair<void*, void*> pairs[] = {
      {buffers.device.get(), buffers.other_device.get()},
      {buffers.pinned.get(), buffers.other_pinned.get()},
      {buffers.pageable.data(), buffers.pinned.get()},
      {buffers.pinned.get(), buffers.pageable.data()},
      {buffers.pageable.data(), other_pageable.data()},
  };
  for (const auto& [dst, src] : pairs) {
    for (const aclrtMemcpyKind kind :
         {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEFAULT}) {
      EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1017", aclrtMemcpy2d(dst, 8, src, 8, 8, 2, kind));
    }
  }
}

TEST_F(AclrtMemcpy2d, RefusesRowsThatLeaveTheAllocation) {
  Buffers buffers;
  buffers.device.write(pattern(256));
  std::vector<uint8_t> host(10000);
  const size_t room = padded(256);
  void* const device = buffers.device.get();
  // The last row ends where the memory ends; its padding up to the pitch does not count.
  EXPECT_OK(aclrtMemcpy2d(device, room - 8, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy2d(device, room - 7, host.data(), 8, 8,
                                                              2, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy2d(host.data(), 8, device, room - 7, 8,
                                                              2, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_OK(aclrtMemcpy2d(buffers.pinned.get(), 248, device, 8, 8, 2, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy2d(buffers.pinned.get(), 249, device, 8,
                                                              8, 2, ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(AclrtMemcpy2d, RefusesPitchesThatOverflow) {
  Buffers buffers;
  for (const size_t pitch : {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX - 8}) {
    for (const size_t height : {size_t{2}, size_t{3}, kMaxHeight}) {
      EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                        aclrtMemcpy2d(buffers.device.get(), pitch, buffers.pinned.get(), 1, 1,
                                      height, ACL_MEMCPY_HOST_TO_DEVICE));
      EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                        aclrtMemcpy2d(buffers.device.get(), 1, buffers.pageable.data(), pitch, 1,
                                      height, ACL_MEMCPY_HOST_TO_DEVICE));
    }
  }
}

TEST_F(AclrtMemcpy2d, APitchMeansNothingForOneRow) {
  Buffers buffers;
  buffers.pinned.fill(pattern(256));
  EXPECT_OK(aclrtMemcpy2d(buffers.device.get(), SIZE_MAX, buffers.pinned.get(), SIZE_MAX, 256, 1,
                          ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(pattern(256), buffers.device.read());
}

TEST_F(AclrtMemcpy2d, RefusesHostRowsThatAreNotMapped) {
  const Buffers buffers;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy2d(buffers.device.get(), 8, unmapped_address(), 8, 8, 2,
                                  ACL_MEMCPY_HOST_TO_DEVICE));
  HostPages pages(2);
  pages.forbid(1);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy2d(pages.at(0), HostPages::page(), buffers.device.get(), 8, 8, 2,
                                  ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(0, *pages.at(0)) << "a row was copied";
}

TEST_F(AclrtMemcpy2d, TouchesNoPageBetweenTheRows) {
  HostPages pages(3);
  pages.forbid(1);
  DeviceBuffer device(64);
  device.write(pattern(64));
  EXPECT_OK(aclrtMemcpy2d(pages.at(0), 2 * HostPages::page(), device.get(), 32, 32, 2,
                          ACL_MEMCPY_DEVICE_TO_HOST));
  const std::vector<uint8_t> sent = pattern(64);
  EXPECT_TRUE(std::equal(sent.begin(), sent.begin() + 32, pages.at(0)));
  EXPECT_TRUE(std::equal(sent.begin() + 32, sent.end(), pages.at(2 * HostPages::page())));
}

TEST_F(AclrtMemcpy2d, WaitsForNoStream) {
  Buffers buffers;
  buffers.pinned.fill(pattern(256, 1));
  Gate gate(nullptr);
  EXPECT_OK(aclrtMemsetAsync(buffers.device.get(), 256, 0, 256, nullptr));
  EXPECT_OK(aclrtMemcpy2d(buffers.device.get(), 16, buffers.pinned.get(), 16, 16, 16,
                          ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(pattern(256, 1), buffers.device.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtMemcpy2d, ThreadsCopyAtOnce) {
  const DeviceBuffer device(4 * 1000);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      const std::vector<uint8_t> sent = pattern(1000, static_cast<uint8_t>(index));
      std::vector<uint8_t> received(1000);
      for (int round = 0; round < 50; ++round) {
        // Each thread copies its own column.
        EXPECT_OK(
            aclrtMemcpy2d(device.at(index * 10), 40, sent.data(), 10, 10, 100, ACL_MEMCPY_DEFAULT));
        EXPECT_OK(aclrtMemcpy2d(received.data(), 10, device.at(index * 10), 40, 10, 100,
                                ACL_MEMCPY_DEFAULT));
        EXPECT_EQ(sent, received);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpy2d_test
