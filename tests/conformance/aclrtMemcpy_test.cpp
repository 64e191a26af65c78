// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy: a blocking copy. Refusals are in aclrtMemcpy_errors_test.cpp, copies between devices
// in aclrtMemcpy_peer_test.cpp.
#include "support/copies.h"

#include <algorithm>

namespace conformance::copies::aclrtMemcpy_test {
namespace {

using AclrtMemcpy = WithDevice;

TEST_F(AclrtMemcpy, CopiesFromHostToDeviceAndBack) {
  for (const size_t size : {size_t{1}, size_t{63}, size_t{4096}, size_t{3} << 20}) {
    const DeviceBuffer device(size);
    const std::vector<uint8_t> sent = pattern(size);
    std::vector<uint8_t> received(size);
    EXPECT_OK(aclrtMemcpy(device.get(), size, sent.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(received.data(), size, device.get(), size, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(sent, received);
  }
}

// One buffer per location; where the host can, it is filled and read without the call under test.
struct Places {
  static constexpr size_t kSize = 200;
  DeviceBuffer device{kSize};
  PinnedBuffer pinned{kSize};
  std::vector<uint8_t> pageable = std::vector<uint8_t>(kSize);

  void* at(int place) {
    return place == 0 ? device.get() : place == 1 ? pinned.get() : pageable.data();
  }
  void fill(int place, const std::vector<uint8_t>& bytes) {
    if (place == 0) device.write(bytes);
    if (place == 1) pinned.fill(bytes);
    if (place == 2) pageable = bytes;
  }
  std::vector<uint8_t> read(int place) {
    return place == 0 ? device.read() : place == 1 ? pinned.copy() : pageable;
  }
};

TEST_F(AclrtMemcpy, TakesTheDirectionFromTheAddressesWhateverTheKind) {
  static constexpr const char* kNames[] = {"device", "pinned", "pageable"};
  for (int from = 0; from < 3; ++from) {
    for (int to = 0; to < 3; ++to) {
      for (int kind = ACL_MEMCPY_HOST_TO_HOST; kind <= ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE; ++kind) {
        SCOPED_TRACE(std::string(kNames[from]) + " to " + kNames[to] + ", kind " +
                     std::to_string(kind));
        Places sources;
        Places destinations;
        const std::vector<uint8_t> sent = pattern(Places::kSize, static_cast<uint8_t>(kind + 1));
        sources.fill(from, sent);
        destinations.fill(to, pattern(Places::kSize, 99));
        EXPECT_OK(aclrtMemcpy(destinations.at(to), Places::kSize, sources.at(from), Places::kSize,
                              kind_of(kind)));
        EXPECT_EQ(sent, destinations.read(to));
      }
    }
  }
}

TEST_F(AclrtMemcpy, WritesNoByteBesideTheDestination) {
  DeviceBuffer device(256);
  const std::vector<uint8_t> before = pattern(256, 1);
  const std::vector<uint8_t> sent = pattern(256, 2);
  for (const size_t offset : {size_t{1}, size_t{7}, size_t{64}}) {
    for (const size_t count : {size_t{1}, size_t{31}, size_t{65}, size_t{191}}) {
      device.write(before);
      EXPECT_OK(aclrtMemcpy(device.at(offset), count, sent.data() + 3, count, ACL_MEMCPY_DEFAULT));
      std::vector<uint8_t> expected = before;
      std::copy_n(sent.begin() + 3, count, expected.begin() + static_cast<ptrdiff_t>(offset));
      EXPECT_EQ(expected, device.read()) << offset << ", " << count;
    }
  }
}

TEST_F(AclrtMemcpy, CopiesCountBytesNotDestMax) {
  const DeviceBuffer device(64);
  std::vector<uint8_t> host(64, 7);
  EXPECT_OK(aclrtMemset(device.get(), 64, 9, 64));
  EXPECT_OK(aclrtMemcpy(host.data(), 64, device.get(), 10, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(10, std::count(host.begin(), host.end(), 9));
  EXPECT_EQ(7, host[10]);
}

TEST_F(AclrtMemcpy, DestMaxMayBeAnyNumberFromCountOn) {
  const DeviceBuffer device(64);
  const std::vector<uint8_t> sent = pattern(64);
  EXPECT_OK(aclrtMemcpy(device.get(), SIZE_MAX, sent.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(sent, device.read());
}

TEST_F(AclrtMemcpy, UsesThePaddingOfAnAllocation) {
  for (const size_t size : {size_t{1}, size_t{32}, size_t{33}, size_t{1000}}) {
    const DeviceBuffer device(size);
    const std::vector<uint8_t> sent = pattern(padded(size));
    std::vector<uint8_t> received(sent.size());
    EXPECT_OK(aclrtMemcpy(device.get(), sent.size(), sent.data(), sent.size(),
                          ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(received.data(), sent.size(), device.get(), sent.size(),
                          ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(sent, received);
  }
}

TEST_F(AclrtMemcpy, ACountOfZeroSucceedsBeforeAnyOtherCheck) {
  const DeviceBuffer device(64);
  EXPECT_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, kind_of(99)));
  EXPECT_OK(aclrtMemcpy(device.get(), 0, device.at(1), 0, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(unmapped_address(), 1, unmapped_address(), 0, kind_of(-1)));
  on_new_thread([] { EXPECT_OK(aclrtMemcpy(nullptr, 1, nullptr, 0, kind_of(7))); });
}

TEST_F(AclrtMemcpy, OntoItselfNeedsNoContextAndNoMemory) {
  const DeviceBuffer device(64);
  on_new_thread([&] {
    EXPECT_OK(aclrtMemcpy(device.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(unmapped_address(), 1, unmapped_address(), 1, ACL_MEMCPY_HOST_TO_HOST));
  });
}

TEST_F(AclrtMemcpy, OverlappingRangesStayInsideTheDestination) {
  DeviceBuffer device(300);
  const std::vector<uint8_t> before = pattern(300);
  device.write(before);
  EXPECT_OK(aclrtMemcpy(device.at(50), 200, device.at(10), 200, ACL_MEMCPY_DEVICE_TO_DEVICE));
  const std::vector<uint8_t> after = device.read();
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 50, after.begin()));
  EXPECT_TRUE(std::equal(before.begin() + 250, before.end(), after.begin() + 250));
}

TEST_F(AclrtMemcpy, WaitsForNoStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  {
    DeviceBuffer device(64);
    PinnedBuffer pinned(64);
    device.write(pattern(64, 1));
    pinned.fill(pattern(64, 2));
    Gate gate(stream);
    ASSERT_OK(
        aclrtMemcpyAsync(device.get(), 64, pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_EQ(pattern(64, 1), device.read());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(pattern(64, 2), device.read());
  }
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtMemcpy, CopiesRegisteredMemory) {
  const DeviceBuffer device(5000);
  HostPages pages(2);
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.at(0), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  const std::vector<uint8_t> sent = pattern(5000);
  std::copy(sent.begin(), sent.end(), pages.at(0));
  EXPECT_OK(aclrtMemcpy(device.get(), 5000, pages.at(0), 5000, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(sent, device.read());
  std::fill_n(pages.at(0), 5000, uint8_t{0});
  // The device's address for the same pages is a device address like any other.
  EXPECT_OK(aclrtMemcpy(mapped, 5000, device.get(), 5000, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_TRUE(std::equal(sent.begin(), sent.end(), pages.at(0)));
  EXPECT_OK(aclrtHostUnregister(pages.at(0)));
}

TEST_F(AclrtMemcpy, ThreadsCopyAtOnce) {
  static constexpr size_t kThreads = 4;
  static constexpr size_t kSize = 10000;
  const DeviceBuffer device(kThreads * kSize);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < kThreads; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      std::vector<uint8_t> received(kSize);
      for (uint8_t round = 0; round < 50; ++round) {
        const std::vector<uint8_t> sent = pattern(kSize, static_cast<uint8_t>(index * 50 + round));
        void* const place = device.at(index * kSize);
        EXPECT_OK(aclrtMemcpy(place, kSize, sent.data(), kSize, ACL_MEMCPY_HOST_TO_DEVICE));
        EXPECT_OK(aclrtMemcpy(received.data(), kSize, place, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
        EXPECT_EQ(sent, received);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

FERRY_PROCESS_TEST(AclrtMemcpyInProcess, NeedsNoAclInit, "FERRY_THREADS=1") {
  std::vector<uint8_t> host = pattern(64);
  // Nothing was set up, and no argument is checked.
  EXPECT_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT));
  EXPECT_OK(aclrtMemcpy(host.data(), 64, host.data(), 64, ACL_MEMCPY_DEFAULT));
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer device(64);
    EXPECT_OK(aclrtMemcpy(device.get(), 64, host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_EQ(host, device.read());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpy_test
