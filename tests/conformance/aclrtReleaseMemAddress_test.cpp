// SPDX-License-Identifier: Apache-2.0
// aclrtReleaseMemAddress: gives addresses back once nothing is mapped there.
#include "support/argument_checks.h"
#include "support/at_once.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtReleaseMemAddress_test {
namespace {

using AclrtReleaseMemAddress = WithDevice;

void expect_refused(void* address) {
  clear_errors();
  EXPECT_FAILS_WITH(kBadValue, aclrtReleaseMemAddress(address));
  expect_last_error_of(kBadValue);
}

TEST_F(AclrtReleaseMemAddress, RefusesNull) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtReleaseMemAddress(nullptr));
  expect_last_error_of(kBadArgument);
}

TEST_F(AclrtReleaseMemAddress, RefusesWhatIsNotTheStartOfAReservation) {
  const Reservation reservation(3 * kGranule);
  const DeviceBuffer device(4096);
  const PinnedBuffer pinned(4096);
  const Physical memory;
  int variable = 0;
  for (void* address :
       {static_cast<void*>(reservation.at(1)), static_cast<void*>(reservation.at(kGranule)),
        device.get(), pinned.get(), static_cast<void*>(&variable),
        static_cast<aclrtDrvMemHandle>(memory), reinterpret_cast<void*>(1)}) {
    expect_refused(address);
  }
}

TEST_F(AclrtReleaseMemAddress, RefusesASecondRelease) {
  void* address = Reservation(kGranule).at();
  expect_refused(address);
}

TEST_F(AclrtReleaseMemAddress, LeavesAReservationAloneInWhichSomethingIsMapped) {
  const Reservation reservation(4 * kGranule);
  const Physical memory;
  for (const size_t offset : {size_t{0}, kGranule, 3 * kGranule}) {
    const Mapping mapping(reservation.at(offset), kGranule, memory);
    EXPECT_OK(copy_to_device(reservation.at(offset), pattern(64, 3)));
    expect_refused(reservation.at());
    EXPECT_TRUE(holds(reservation.at(offset), 64, 3));
  }
}

TEST_F(AclrtReleaseMemAddress, LeavesTheHandlesAlone) {
  const Physical memory;
  {
    const Reservation reservation(kGranule);
    const Mapping mapping(reservation.at(), kGranule, memory);
    EXPECT_OK(copy_to_device(reservation.at(), pattern(64, 3)));
  }
  const Reservation reservation(kGranule);
  const Mapping mapping(reservation.at(), kGranule, memory);
  EXPECT_TRUE(holds(reservation.at(), 64, 3));
}

TEST_F(AclrtReleaseMemAddress, MakesTheAddressesFree) {
  char* const address = Reservation(kGranule).at();
  const Physical memory;
  EXPECT_FAILS(kRefused, "EE1017", aclrtMapMem(address, kGranule, 0, memory, 0));
  const Reservation again(kGranule, address);
  EXPECT_EQ(address, again.at());
}

TEST_F(AclrtReleaseMemAddress, NeedsNoContext) {
  void* address = Reservation(kGranule).give_up();
  on_new_thread([&] { EXPECT_OK(aclrtReleaseMemAddress(address)); });
}

TEST_F(AclrtReleaseMemAddress, SucceedsOnOneOfManyThreads) {
  for (int round = 0; round < 20; ++round) {
    void* address = Reservation(kGranule).give_up();
    std::atomic<int> released = 0;
    at_once(4, [&](size_t) {
      const aclError code = aclrtReleaseMemAddress(address);
      EXPECT_TRUE(code == ACL_SUCCESS || code == kBadValue) << code;
      released += code == ACL_SUCCESS ? 1 : 0;
    });
    EXPECT_EQ(1, released);
  }
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtReleaseMemAddress_test
