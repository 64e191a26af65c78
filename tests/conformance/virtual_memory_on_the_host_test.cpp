// SPDX-License-Identifier: Apache-2.0
// Host memory behind reserved addresses: the CPU uses it by pointer, and copies take it for pinned.
#include "support/range_forms.h"

#include <cstring>

namespace conformance::virtual_memory::virtual_memory_on_the_host_test {
namespace {

using VirtualMemoryOnTheHost = WithStream;

uint8_t* bytes(Region& region, size_t offset = 0) {
  return reinterpret_cast<uint8_t*>(region.at(offset));
}

TEST_F(VirtualMemoryOnTheHost, IsUsedByPointerAcrossSeams) {
  for (const aclrtMemLocation where : {on_host(), location(4, 0), location(4, UINT32_MAX)}) {
    Region region(3, prop_of(where));
    const std::vector<uint8_t> all = pattern(3 * kGranule, 4);
    std::memcpy(region.at(), all.data(), all.size());
    EXPECT_EQ(0, std::memcmp(region.at(), all.data(), all.size()));
  }
}

TEST_F(VirtualMemoryOnTheHost, IsCopiedByEveryCall) {
  const size_t count = kGranule + 2000;
  Region region(3, prop_of(on_host()));
  DeviceBuffer device(count);
  for (const CopyForm& form : kCopyForms) {
    SCOPED_TRACE(form.name);
    const std::vector<uint8_t> sent = pattern(count, 4);
    std::memcpy(region.at(kGranule - 1000), sent.data(), count);
    device.write(pattern(count, 5));
    EXPECT_OK(form.copy(device.get(), region.at(kGranule - 1000), count, true, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(sent == device.read());
    std::memset(region.at(), 0, region.size());
    EXPECT_OK(form.copy(region.at(kGranule - 500), device.get(), count, false, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(0, std::memcmp(region.at(kGranule - 500), sent.data(), count));
  }
}

// With pageable memory the call would wait for the gate.
TEST_F(VirtualMemoryOnTheHost, DoesNotMakeAnAsynchronousCopyBlock) {
  Region region(1, prop_of(on_host()));
  std::memset(region.at(), 7, 64);
  DeviceBuffer device(64);
  device.write(std::vector<uint8_t>(64, 1));
  Gate gate(stream_);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 64, region.at(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(std::vector<uint8_t>(64, 1), device.read()) << "copied too early";
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(64, 7), device.read());
}

// The rows of the matrix for pinned memory: a kind that does not fit is corrected.
TEST_F(VirtualMemoryOnTheHost, CountsAsPinnedForEveryKindOfCopy) {
  Region region(1, prop_of(on_host()));
  DeviceBuffer device(64);
  PinnedBuffer pinned(64);
  for (const int number : {0, 1, 2, 3, 4}) {
    const auto kind = static_cast<aclrtMemcpyKind>(number);
    const std::vector<uint8_t> sent = pattern(64, static_cast<uint8_t>(number));
    std::memcpy(region.at(), sent.data(), 64);
    EXPECT_OK(aclrtMemcpyAsync(device.get(), 64, region.at(), 64, kind, stream_));
    EXPECT_OK(aclrtMemcpyAsync(region.at(4096), 64, device.get(), 64, kind, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(0, std::memcmp(region.at(4096), sent.data(), 64));
    EXPECT_FAILS_WITH(kNotSupported,
                      aclrtMemcpyAsync(region.at(), 64, pinned.get(), 64, kind, stream_));
    EXPECT_FAILS_WITH(kNotSupported,
                      aclrtMemcpyAsync(pinned.get(), 64, region.at(), 64, kind, stream_));
  }
}

TEST_F(VirtualMemoryOnTheHost, IsCopiedOnTheHost) {
  Region region(2, prop_of(on_host()));
  const std::vector<uint8_t> sent = pattern(1000, 3);
  EXPECT_OK(
      aclrtMemcpy(region.at(kGranule - 500), 1000, sent.data(), 1000, ACL_MEMCPY_HOST_TO_HOST));
  EXPECT_EQ(0, std::memcmp(region.at(kGranule - 500), sent.data(), 1000));
  std::vector<uint8_t> received(1000);
  EXPECT_OK(
      aclrtMemcpy(received.data(), 1000, region.at(kGranule - 500), 1000, ACL_MEMCPY_HOST_TO_HOST));
  EXPECT_EQ(sent, received);
}

// Sets of host memory are made inside the call.
TEST_F(VirtualMemoryOnTheHost, IsSetAtOnce) {
  Region region(2, prop_of(on_host()));
  Gate gate(stream_);
  for (const SetForm& form : kSetForms) {
    std::memset(region.at(), 0, region.size());
    EXPECT_OK(form.set(region.at(kGranule - 100), 200, stream_));
    EXPECT_EQ(std::vector<uint8_t>(200, 0x2b),
              std::vector<uint8_t>(bytes(region, kGranule - 100), bytes(region, kGranule + 100)))
        << form.name;
    EXPECT_EQ(0, *bytes(region, kGranule + 100));
  }
}

TEST_F(VirtualMemoryOnTheHost, RefusesCopiesIntoHoles) {
  Region region(3, prop_of(on_host()));
  std::memset(region.at(), 0, region.size());
  region.unmap(1);
  DeviceBuffer device(200);
  device.write(pattern(200));
  for (const CopyForm& form : kCopyForms) {
    SCOPED_TRACE(form.name);
    const aclError code = form.copy(region.at(kGranule - 100), device.get(), 200, false, stream_);
    if (form.is_queued) {
      EXPECT_EQ(ACL_SUCCESS, code);
      EXPECT_TRUE(copies::task_failed(stream_, form.name));
    } else {
      EXPECT_TRUE(copies::failed_as(form.name, kBadValue, "", code));
    }
    EXPECT_EQ(0, *bytes(region, kGranule - 100));
  }
}

TEST_F(VirtualMemoryOnTheHost, MakesAliases) {
  const Reservation reservation(2 * kGranule);
  const Physical memory(kGranule, prop_of(on_host()));
  const Mapping first(reservation.at(), kGranule, memory);
  const Mapping second(reservation.at(kGranule), kGranule, memory);
  std::memset(reservation.at(), 3, kGranule);
  EXPECT_EQ(3, reservation.at()[2 * kGranule - 1]);
  reservation.at()[kGranule + 5] = 4;
  EXPECT_EQ(4, reservation.at()[5]);
}

TEST_F(VirtualMemoryOnTheHost, KeepsItsBytesWhileItIsNotMapped) {
  const Physical memory(kGranule, prop_of(on_host()));
  {
    const Reservation reservation(kGranule);
    const Mapping mapping(reservation.at(), kGranule, memory);
    std::memset(reservation.at(), 5, kGranule);
  }
  const Reservation reservation(kGranule);
  const Mapping mapping(reservation.at(), kGranule, memory);
  EXPECT_EQ(5, reservation.at()[0]);
  EXPECT_EQ(5, reservation.at()[kGranule - 1]);
}

TEST_F(VirtualMemoryOnTheHost, IsRegisteredLikeMemoryOfAclrtMallocHost) {
  Region region(1, prop_of(on_host()));
  void* on_the_device = nullptr;
  ASSERT_OK(aclrtHostRegister(region.at(), 8192, ACL_HOST_REGISTER_MAPPED, &on_the_device));
  std::memset(region.at(), 9, 8192);
  DeviceBuffer device(8192);
  EXPECT_OK(aclrtMemcpy(device.get(), 8192, on_the_device, 8192, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(std::vector<uint8_t>(8192, 9), device.read());
  EXPECT_OK(aclrtHostUnregister(region.at()));
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(region.at(), &attributes));
  EXPECT_EQ(ACL_MEM_LOCATION_TYPE_HOST, attributes.location.type);
  std::memset(region.at(), 1, 8192);
}

FERRY_PROCESS_TEST(VirtualMemoryOnTheHostProcess, IsUsedByEveryDevice, "FERRY_DEVICES=cpu:2") {
  copies::TwoDevices devices(4096);
  Region region(1, prop_of(on_host()));
  const std::vector<uint8_t> sent = pattern(4096, 8);
  std::memcpy(region.at(), sent.data(), sent.size());
  for (const int32_t device : {0, 1}) {
    devices.use(device);
    EXPECT_OK(aclrtMemcpyAsync(devices.buffer(device).get(), 4096, region.at(), 4096,
                               ACL_MEMCPY_HOST_TO_DEVICE, devices.stream(device)));
    EXPECT_OK(aclrtSynchronizeStream(devices.stream(device)));
    EXPECT_EQ(sent, devices.buffer(device).read());
  }
}

TEST_F(VirtualMemoryOnTheHost, TakesNoMemoryOfTheDevice) {
  const size_t before = free_bytes();
  Region region(4, prop_of(on_host()));
  EXPECT_EQ(before, free_bytes());
}

}  // namespace
}  // namespace conformance::virtual_memory::virtual_memory_on_the_host_test
