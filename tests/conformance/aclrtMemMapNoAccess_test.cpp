// SPDX-License-Identifier: Apache-2.0
// aclrtMemMapNoAccess: a mapping that nobody may touch before aclrtMemSetAccess.
#include "support/copies.h"
#include "support/map_function.h"

namespace conformance::virtual_memory::aclrtMemMapNoAccess_test {
namespace {

using AclrtMemMapNoAccess = WithStream;

constexpr MapFunction kFunction = {"aclrtMemMapNoAccess", aclrtMemMapNoAccess};

// One granule that is mapped without access.
class Closed {
 public:
  explicit Closed(const aclrtPhysicalMemProp& prop = prop_of(on_device()))
      : memory_(kGranule, prop) {
    EXPECT_OK(aclrtMemMapNoAccess(at(), kGranule, 0, memory_, 0));
  }
  ~Closed() { EXPECT_OK(aclrtUnmapMem(at())); }
  Closed(const Closed&) = delete;
  Closed& operator=(const Closed&) = delete;

  char* at() const { return reservation_.at(); }
  aclrtDrvMemHandle handle() const { return memory_; }
  aclError open(aclrtMemLocation where) {
    aclrtMemAccessDesc desc = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, where, {}};
    return aclrtMemSetAccess(at(), kGranule, &desc, 1);
  }
  uint64_t access(aclrtMemLocation where) const {
    uint64_t flag = 77;
    EXPECT_OK(aclrtMemGetAccess(at(), &where, &flag));
    return flag;
  }

 private:
  Reservation reservation_{kGranule};
  Physical memory_;
};

TEST_F(AclrtMemMapNoAccess, ChecksItsArgumentsInOrder) {
  expect_map_checks_in_order(kFunction);
}

TEST_F(AclrtMemMapNoAccess, MapsOnlyWholeGranulesOfOneReservation) {
  expect_maps_only_whole_granules_of_one_reservation(kFunction);
}

TEST_F(AclrtMemMapNoAccess, NeverOverlapsAnotherMapping) {
  expect_never_overlaps(kFunction);
}

TEST_F(AclrtMemMapNoAccess, KeepsTheSideOfAReservation) {
  expect_keeps_the_side_of_a_reservation(kFunction);
}

TEST_F(AclrtMemMapNoAccess, FixesNothingWhenItIsRefused) {
  expect_a_refused_mapping_fixes_nothing(kFunction);
}

TEST_F(AclrtMemMapNoAccess, LetsNoCopyTouchTheMemory) {
  const Closed closed;
  PinnedBuffer host(64);
  EXPECT_EQ(0u, closed.access(on_device()));
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtMemcpy(closed.at(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtMemcpy(host.get(), 64, closed.at(), 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_FAILS_WITH(kBadValue, aclrtMemset(closed.at(), 64, 1, 64));
}

TEST_F(AclrtMemMapNoAccess, FailsQueuedWork) {
  const Closed closed;
  PinnedBuffer host(64);
  EXPECT_OK(aclrtMemcpyAsync(closed.at(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_TRUE(copies::task_failed(stream_, "aclrtMemcpyAsync"));
  EXPECT_OK(aclrtMemsetAsync(closed.at(), 64, 1, 64, stream_));
  EXPECT_TRUE(copies::task_failed(stream_, "aclrtMemsetAsync"));
}

TEST_F(AclrtMemMapNoAccess, OpensWithAclrtMemSetAccess) {
  Closed closed;
  EXPECT_OK(closed.open(on_device()));
  EXPECT_EQ(3u, closed.access(on_device()));
  EXPECT_OK(copy_to_device(closed.at(), pattern(kGranule, 2)));
  EXPECT_TRUE(holds(closed.at(), kGranule, 2));
}

TEST_F(AclrtMemMapNoAccess, OpensHostMemoryWithAclrtMemSetAccess) {
  Closed closed(prop_of(on_host()));
  EXPECT_EQ(0u, closed.access(on_host()));
  const DeviceBuffer device(64);
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtMemcpy(closed.at(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_OK(closed.open(on_host()));
  EXPECT_EQ(3u, closed.access(on_host()));
  closed.at()[0] = 7;
  EXPECT_EQ(7, closed.at()[0]);
}

// Work that is queued while the mapping is closed may run when it is open.
TEST_F(AclrtMemMapNoAccess, IsJudgedWhenTheWorkRuns) {
  Closed closed;
  PinnedBuffer host(64);
  host.fill(pattern(64, 4));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(closed.at(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(closed.open(on_device()));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(holds(closed.at(), 64, 4));
}

TEST_F(AclrtMemMapNoAccess, IsClosedBesideAnOpenAliasOfTheSameMemory) {
  const Closed closed;
  const Reservation reservation(kGranule);
  const Mapping open(reservation.at(), kGranule, closed.handle());
  EXPECT_OK(copy_to_device(reservation.at(), pattern(64, 3)));
  std::vector<uint8_t> bytes(64);
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtMemcpy(bytes.data(), 64, closed.at(), 64, ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(AclrtMemMapNoAccess, IsAMappingForEveryQuery) {
  const Closed closed;
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(closed.at(), &attributes));
  EXPECT_EQ(ACL_MEM_LOCATION_TYPE_DEVICE, attributes.location.type);
  void* base = nullptr;
  size_t size = 0;
  EXPECT_OK(aclrtMemGetAddressRange(closed.at() + 5, &base, &size));
  EXPECT_EQ(closed.at(), base);
  EXPECT_EQ(kGranule, size);
  aclrtDrvMemHandle handle = nullptr;
  EXPECT_OK(aclrtMemRetainAllocationHandle(closed.at(), &handle));
  EXPECT_EQ(closed.handle(), handle);
  EXPECT_OK(aclrtFreePhysical(handle));
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemMapNoAccess_test
