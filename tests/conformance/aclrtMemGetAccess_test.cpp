// SPDX-License-Identifier: Apache-2.0
// aclrtMemGetAccess: who may access a mapping.
#include "support/argument_checks.h"
#include "support/devices.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtMemGetAccess_test {
namespace {

using AclrtMemGetAccess = WithDevice;

constexpr uint64_t kNotWritten = 77;

struct Arguments {
  void* address;
  aclrtMemLocation location;
  bool has_location = true;
  bool has_flag = true;
};

aclError ask(const Arguments& arguments) {
  Arguments a = arguments;
  uint64_t flag = kNotWritten;
  const aclError code = aclrtMemGetAccess(a.address, a.has_location ? &a.location : nullptr,
                                          a.has_flag ? &flag : nullptr);
  EXPECT_EQ(kNotWritten, flag);
  return code;
}

TEST_F(AclrtMemGetAccess, ChecksItsArgumentsInOrder) {
  Region region(1);
  const Reservation unmapped(kGranule);
  const uint32_t missing = device_count();
  expect_checked_in_order<Arguments>(
      "aclrtMemGetAccess", {region.at(), on_device()}, ask,
      {{"virPtr NULL", [](Arguments& a) { a.address = nullptr; }, kBadArgument, "EH0008"},
       {"location NULL", [](Arguments& a) { a.has_location = false; }, kBadArgument, "EH0008"},
       {"flag NULL", [](Arguments& a) { a.has_flag = false; }, kBadArgument, "EH0008"},
       {"location UNREGISTERED", [](Arguments& a) { a.location = location(2); }, kBadValue},
       {"location HOST_NUMA", [](Arguments& a) { a.location = location(4); }, kBadValue},
       {"HOST with an id", [](Arguments& a) { a.location = location(0, 1); }, kBadValue},
       {"device out of range", [=](Arguments& a) { a.location = on_device(missing); }, kBadValue},
       {"not mapped", [&](Arguments& a) { a.address = unmapped.at(); }, kRefused, "EE1017"}});
}

TEST_F(AclrtMemGetAccess, RefusesWhatIsNotMapped) {
  Region region(3);
  region.unmap(1);
  const DeviceBuffer device(64);
  const PinnedBuffer pinned(64);
  int variable = 0;
  for (void* address :
       {static_cast<void*>(region.at(kGranule)), static_cast<void*>(region.at(2 * kGranule - 1)),
        device.get(), pinned.get(), static_cast<void*>(&variable), reinterpret_cast<void*>(1)}) {
    EXPECT_EQ(kRefused, ask({address, on_device()}));
  }
}

TEST_F(AclrtMemGetAccess, AnswersAtEveryAddressOfAMapping) {
  Region device(2);
  Region host(2, prop_of(on_host()));
  for (const size_t offset : {size_t{0}, size_t{1}, kGranule - 1, kGranule, 2 * kGranule - 1}) {
    uint64_t flag = kNotWritten;
    aclrtMemLocation where = on_device();
    EXPECT_OK(aclrtMemGetAccess(device.at(offset), &where, &flag));
    EXPECT_EQ(3u, flag);
    EXPECT_OK(aclrtMemGetAccess(host.at(offset), &where, &flag));
    EXPECT_EQ(0u, flag);
    where = on_host();
    EXPECT_OK(aclrtMemGetAccess(device.at(offset), &where, &flag));
    EXPECT_EQ(0u, flag);
    EXPECT_OK(aclrtMemGetAccess(host.at(offset), &where, &flag));
    EXPECT_EQ(3u, flag);
  }
}

TEST_F(AclrtMemGetAccess, NeedsNoContext) {
  Region region(1);
  on_new_thread([&] {
    uint64_t flag = kNotWritten;
    aclrtMemLocation where = on_device();
    EXPECT_OK(aclrtMemGetAccess(region.at(), &where, &flag));
    EXPECT_EQ(3u, flag);
  });
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemGetAccess_test
