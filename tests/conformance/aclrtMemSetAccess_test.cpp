// SPDX-License-Identifier: Apache-2.0
// aclrtMemSetAccess: lets another device, or the CPU, access a mapping.
#include "support/argument_checks.h"
#include "support/copies.h"
#include "support/devices.h"
#include "support/needs.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtMemSetAccess_test {
namespace {

using AclrtMemSetAccess = WithDevice;

aclrtMemAccessDesc access_for(aclrtMemLocation where, int flags = 3) {
  return {static_cast<aclrtMemAccessFlags>(flags), where, {}};
}

aclError grant(void* address, size_t size, std::vector<aclrtMemAccessDesc> descs) {
  return aclrtMemSetAccess(address, size, descs.data(), descs.size());
}

uint64_t access_at(void* address, aclrtMemLocation where) {
  uint64_t flag = 77;
  EXPECT_OK(aclrtMemGetAccess(address, &where, &flag));
  return flag;
}

struct Arguments {
  void* address;
  size_t size;
  aclrtMemAccessDesc desc;
  bool has_desc = true;
  size_t count = 1;
};

TEST_F(AclrtMemSetAccess, ChecksItsArgumentsInOrder) {
  Region region(2);
  const uint32_t missing = device_count();
  expect_checked_in_order<Arguments>(
      "aclrtMemSetAccess", {region.at(), kGranule, access_for(on_device())},
      [](const Arguments& arguments) {
        Arguments a = arguments;
        return aclrtMemSetAccess(a.address, a.size, a.has_desc ? &a.desc : nullptr, a.count);
      },
      {{"virPtr NULL", [](Arguments& a) { a.address = nullptr; }, kBadValue},
       {"desc NULL", [](Arguments& a) { a.has_desc = false; }, kBadValue},
       {"count 0", [](Arguments& a) { a.count = 0; }, kBadValue},
       {"flags NONE", [](Arguments& a) { a.desc.flags = ACL_RT_MEM_ACCESS_FLAGS_NONE; },
        kNotSupported},
       {"flags READ", [](Arguments& a) { a.desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READ; },
        kNotSupported},
       {"other flags", [](Arguments& a) { a.desc.flags = static_cast<aclrtMemAccessFlags>(2); },
        kBadValue},
       {"location UNREGISTERED", [](Arguments& a) { a.desc.location = location(2); }, kBadValue},
       {"location HOST_NUMA", [](Arguments& a) { a.desc.location = location(4); }, kBadValue},
       {"HOST with an id", [](Arguments& a) { a.desc.location = location(0, 1); }, kBadValue},
       {"device out of range", [=](Arguments& a) { a.desc.location = on_device(missing); },
        kBadValue},
       {"not a mapping", [&](Arguments& a) { a.size = region.size(); }, kRefused, "EE1017"}});
}

TEST_F(AclrtMemSetAccess, TakesExactlyOneMapping) {
  const Reservation reservation(6 * kGranule);
  const Physical memory(2 * kGranule);
  const Mapping first(reservation.at(), 2 * kGranule, memory);
  const Mapping second(reservation.at(2 * kGranule), 2 * kGranule, memory);
  const DeviceBuffer device(4 * kGranule);
  const std::pair<void*, size_t> wrong[] = {{reservation.at(), kGranule},
                                            {reservation.at(), 2 * kGranule - 1},
                                            {reservation.at(), 4 * kGranule},
                                            {reservation.at(), 0},
                                            {reservation.at(kGranule), kGranule},
                                            {reservation.at(kGranule), 2 * kGranule},
                                            {reservation.at(4 * kGranule), 2 * kGranule},
                                            {device.get(), device.size()}};
  for (const auto& [address, size] : wrong) {
    clear_errors();
    EXPECT_EQ(kRefused, grant(address, size, {access_for(on_device())})) << size;
    expect_last_error_of(kRefused);
  }
  EXPECT_OK(grant(reservation.at(), 2 * kGranule, {access_for(on_device())}));
  EXPECT_OK(grant(reservation.at(2 * kGranule), 2 * kGranule, {access_for(on_device())}));
}

TEST_F(AclrtMemSetAccess, TakesTheOwnLocationAnyNumberOfTimes) {
  Region device(1);
  Region host(1, prop_of(on_host()));
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(grant(device.at(), kGranule, {access_for(on_device())}));
    EXPECT_OK(grant(host.at(), kGranule, {access_for(on_host())}));
  }
  EXPECT_EQ(3u, access_at(device.at(), on_device()));
  EXPECT_EQ(3u, access_at(host.at(), on_host()));
}

TEST_F(AclrtMemSetAccess, LetsADeviceAccessHostMemory) {
  Region host(1, prop_of(on_host()));
  EXPECT_EQ(0u, access_at(host.at(), on_device()));
  EXPECT_OK(grant(host.at(), kGranule, {access_for(on_device())}));
  EXPECT_EQ(3u, access_at(host.at(), on_device()));
}

TEST_F(AclrtMemSetAccess, LetsTheCpuUseMemoryOfACpuDevice) {
  NEEDS_CPU_DEVICE("other devices have memory that the CPU cannot use");
  Region region(2);
  EXPECT_EQ(0u, access_at(region.at(kGranule), on_host()));
  EXPECT_OK(grant(region.at(kGranule), kGranule, {access_for(on_host())}));
  EXPECT_EQ(3u, access_at(region.at(kGranule), on_host()));
  EXPECT_EQ(0u, access_at(region.at(), on_host())) << "another mapping";
  const std::vector<uint8_t> bytes = pattern(kGranule, 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<uint8_t*>(region.at(kGranule)));
  EXPECT_TRUE(holds(region.at(kGranule), kGranule, 4));
  EXPECT_OK(copy_to_device(region.at(kGranule), pattern(64, 5)));
  EXPECT_EQ(0, std::memcmp(region.at(kGranule), pattern(64, 5).data(), 64));
}

TEST_F(AclrtMemSetAccess, NeedsNoContext) {
  Region region(1);
  on_new_thread([&] { EXPECT_OK(grant(region.at(), kGranule, {access_for(on_device())})); });
}

TEST_F(AclrtMemSetAccess, ChecksAllBeforeItGrantsAny) {
  NEEDS_CPU_DEVICE("other devices have memory that the CPU cannot use");
  Region region(1);
  EXPECT_EQ(kNotSupported,
            grant(region.at(), kGranule, {access_for(on_host()), access_for(on_device(), 1)}));
  EXPECT_EQ(kBadValue,
            grant(region.at(), kGranule, {access_for(on_host()), access_for(location(3))}));
  EXPECT_EQ(0u, access_at(region.at(), on_host()));
  EXPECT_OK(grant(region.at(), kGranule, {access_for(on_device()), access_for(on_host())}));
  EXPECT_EQ(3u, access_at(region.at(), on_host()));
}

FERRY_PROCESS_TEST(AclrtMemSetAccessProcess, LetsAnotherDeviceAccessTheMemory,
                   "FERRY_DEVICES=cpu:2", "FERRY_SOC=Ascend910B1") {
  copies::TwoDevices devices(4096);
  Region region(1);
  EXPECT_OK(copy_to_device(region.at(), pattern(4096, 7)));
  devices.use(1);
  void* const other = devices.buffer(1).get();
  EXPECT_EQ(0u, access_at(region.at(), on_device(1)));
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtMemcpy(other, 4096, region.at(), 4096, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_OK(grant(region.at(), kGranule, {access_for(on_device(1))}));
  EXPECT_EQ(3u, access_at(region.at(), on_device(1)));
  EXPECT_OK(aclrtMemcpy(other, 4096, region.at(), 4096, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(pattern(4096, 7), devices.buffer(1).read());
  devices.use(0);
}

// User 0 is logical device 2, user 1 is logical device 0.
FERRY_PROCESS_TEST(AclrtMemSetAccessProcess, TakesLogicalNumbers, "FERRY_DEVICES=cpu:3",
                   "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  Region region(1);
  EXPECT_EQ(3u, access_at(region.at(), on_device(2)));
  EXPECT_EQ(0u, access_at(region.at(), on_device(0)));
  EXPECT_OK(grant(region.at(), kGranule, {access_for(on_device(0))}));
  EXPECT_EQ(3u, access_at(region.at(), on_device(0)));
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemSetAccess_test
