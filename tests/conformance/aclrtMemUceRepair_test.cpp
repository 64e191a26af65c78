// SPDX-License-Identifier: Apache-2.0
// aclrtMemUceRepair: repairs device memory with uncorrectable errors.
#include "support/damaged_memory.h"

namespace conformance::aclrtMemUceRepair_test {
namespace {

using damaged_memory::count_damaged;
using damaged_memory::Damage;
using streams::kBadArgument;

using AclrtMemUceRepair = WithDevice;

constexpr size_t kMost = 128;

TEST_F(AclrtMemUceRepair, RepairsWhatIsNotDamaged) {
  const DeviceBuffer buffer(64);
  aclrtMemUceInfo info{.addr = buffer.get(), .len = 64, .reserved = {}};
  EXPECT_OK(aclrtMemUceRepair(0, &info, 1));
  EXPECT_OK(aclrtMemUceRepair(0, &info, 0));
  std::vector<aclrtMemUceInfo> most(kMost, info);
  EXPECT_OK(aclrtMemUceRepair(0, most.data(), kMost));
}

FERRY_DAMAGE_TEST(AclrtMemUceRepairProcess, ClearsTheRangesThatItNames) {
  const Damage damage;
  EXPECT_EQ(1u, count_damaged());
  aclrtMemUceInfo info{.addr = damage.good, .len = Damage::kSize, .reserved = {}};
  EXPECT_OK(aclrtMemUceRepair(0, &info, 1));
  EXPECT_EQ(1u, count_damaged());
  info.addr = damage.bad;
  EXPECT_OK(aclrtMemUceRepair(0, &info, 1));
  EXPECT_EQ(0u, count_damaged());
}

TEST_F(AclrtMemUceRepair, ChecksItsArgumentsInOrder) {
  std::vector<aclrtMemUceInfo> infos(kMost + 1);
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtMemUceRepair(-1, nullptr, kMost + 1));
  EXPECT_FAILS(kBadArgument, "EH0007", aclrtMemUceRepair(-1, infos.data(), kMost + 1));
  infos[1].reserved[13] = 1;
  EXPECT_FAILS(kBadArgument, "EH0007", aclrtMemUceRepair(-1, infos.data(), 2));
  EXPECT_FAILS(107001, "EE1003", aclrtMemUceRepair(-1, infos.data(), 1));
}

}  // namespace
}  // namespace conformance::aclrtMemUceRepair_test
