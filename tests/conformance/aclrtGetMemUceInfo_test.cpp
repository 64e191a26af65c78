// SPDX-License-Identifier: Apache-2.0
// aclrtGetMemUceInfo: lists the device memory with uncorrectable errors.
#include "support/damaged_memory.h"

namespace conformance::aclrtGetMemUceInfo_test {
namespace {

using damaged_memory::Damage;
using streams::kBadArgument;
using streams::kNoContext;

using AclrtGetMemUceInfo = WithDevice;

TEST_F(AclrtGetMemUceInfo, ListsNothing) {
  aclrtMemUceInfo info;
  size_t count = 99;
  EXPECT_OK(aclrtGetMemUceInfo(0, &info, 1, &count));
  EXPECT_EQ(0u, count);
  count = 99;
  EXPECT_OK(aclrtGetMemUceInfo(0, &info, 0, &count));
  EXPECT_EQ(0u, count);
}

FERRY_DAMAGE_TEST(AclrtGetMemUceInfoProcess, ListsWhatIsDamaged) {
  const Damage damage;
  aclrtMemUceInfo infos[2];
  std::memset(infos, 0xFF, sizeof infos);
  size_t count = 0;
  EXPECT_OK(aclrtGetMemUceInfo(0, infos, 2, &count));
  ASSERT_EQ(1u, count);
  EXPECT_EQ(damage.bad, infos[0].addr);
  EXPECT_EQ(Damage::kSize, infos[0].len);
  for (const size_t word : infos[0].reserved)
    EXPECT_EQ(0u, word);
}

FERRY_DAMAGE_TEST(AclrtGetMemUceInfoProcess, NeedsRoomForAll) {
  const Damage damage;
  aclrtMemUceInfo info;
  size_t count = 99;
  EXPECT_FAILS(kBadArgument, "EH0007", aclrtGetMemUceInfo(0, &info, 0, &count));
  EXPECT_EQ(99u, count);
}

TEST_F(AclrtGetMemUceInfo, ChecksItsArgumentsInOrder) {
  aclrtMemUceInfo info;
  size_t count = 0;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetMemUceInfo(-1, nullptr, 1, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetMemUceInfo(-1, &info, 1, nullptr));
  EXPECT_FAILS(107001, "EE1003", aclrtGetMemUceInfo(-1, &info, 1, &count));
  on_new_thread(
      [&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtGetMemUceInfo(0, &info, 1, &count)); });
}

}  // namespace
}  // namespace conformance::aclrtGetMemUceInfo_test
