// SPDX-License-Identifier: Apache-2.0
// aclrtReserveMemAddress: addresses without memory.
#include "support/argument_checks.h"
#include "support/at_once.h"
#include "support/copies.h"
#include "support/virtual_memory.h"

#include <algorithm>

namespace conformance::virtual_memory::aclrtReserveMemAddress_test {
namespace {

using AclrtReserveMemAddress = WithDevice;

struct Arguments {
  void** address;
  size_t size;
  size_t alignment;
  void* expected;
  uint64_t flags;
};

aclError reserve(const Arguments& a) {
  return aclrtReserveMemAddress(a.address, a.size, a.alignment, a.expected, a.flags);
}

// An address with this alignment at which `size` bytes are free.
char* free_address(size_t size) {
  Reservation found(std::max(size, size_t{1} * kGibibyte) + kGibibyte);
  return found.at();
}

TEST_F(AclrtReserveMemAddress, ChecksItsArgumentsInOrder) {
  void* address = untouched();
  const Reservation taken(kGranule);
  expect_checked_in_order<Arguments>(
      "aclrtReserveMemAddress", {&address, kGranule, 0, nullptr, 0}, reserve,
      {{"virPtr NULL", [](Arguments& a) { a.address = nullptr; }, kBadArgument, "EH0008"},
       {"size 0", [](Arguments& a) { a.size = 0; }, kBadArgument},
       {"flags 2", [](Arguments& a) { a.flags = 2; }, kBadArgument},
       {"flags with high bits", [](Arguments& a) { a.flags = uint64_t{1} << 32; }, kBadArgument},
       {"alignment 1", [](Arguments& a) { a.alignment = 1; }, kBadValue},
       {"alignment 2 MiB", [](Arguments& a) { a.alignment = kGranule; }, kBadValue},
       {"expectPtr not aligned",
        [&](Arguments& a) {
          a.expected = taken.at(4096);
          a.size = kGranule;
        },
        kBadValue},
       {"expectPtr taken",
        [&](Arguments& a) {
          a.expected = taken.at();
          a.size = kGranule;
        },
        kNoMemory}});
  EXPECT_EQ(address, untouched());
}

TEST_F(AclrtReserveMemAddress, LacksAddressesForSizesThatNoMachineHas) {
  for (const size_t size : {size_t{1} << 50, size_t{1} << 62, SIZE_MAX - kGibibyte, SIZE_MAX}) {
    void* address = untouched();
    clear_errors();
    EXPECT_FAILS_WITH(kNoMemory, aclrtReserveMemAddress(&address, size, 0, nullptr, 1)) << size;
    EXPECT_EQ(address, untouched());
    expect_last_error_of(kNoMemory);
  }
}

// The alignment that an expected address needs, by size.
struct Alignment {
  size_t size;
  size_t alignment;
};

constexpr Alignment kAlignments[] = {
    {1, kGranule},
    {kGranule - 1, kGranule},
    {kGranule, kGranule},
    {kGranule + 1, 2 * kGranule},
    {3 * kMebibyte, 4 * kMebibyte},
    {4 * kMebibyte, 4 * kMebibyte},
    {20 * kMebibyte, 32 * kMebibyte},
    {256 * kMebibyte + 1, 512 * kMebibyte},
    {512 * kMebibyte, 512 * kMebibyte},
    {512 * kMebibyte + 1, kGibibyte},
    {3 * kGibibyte, kGibibyte},
};

TEST_F(AclrtReserveMemAddress, TakesAnExpectedAddressThatIsAlignedAsItsSizeAsks) {
  for (const Alignment& row : kAlignments) {
    SCOPED_TRACE(row.size);
    char* const free = free_address(row.size + row.alignment);
    void* address = untouched();
    for (const size_t offset : {row.alignment / 2, size_t{4096}, size_t{1}}) {
      EXPECT_FAILS_WITH(kBadValue, aclrtReserveMemAddress(&address, row.size, 0, free + offset, 0));
    }
    EXPECT_EQ(address, untouched());
    EXPECT_OK(aclrtReserveMemAddress(&address, row.size, 0, free + row.alignment, 0));
    EXPECT_EQ(address, free + row.alignment);
    EXPECT_OK(aclrtReleaseMemAddress(address));
  }
}

TEST_F(AclrtReserveMemAddress, NeverTakesAnAddressInUse) {
  const size_t size = 16 * kMebibyte;
  char* const free = free_address(size);
  void* const pages = mmap(free + kGranule, 4096, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(pages, free + kGranule);
  *static_cast<char*>(pages) = 77;
  void* address = untouched();
  EXPECT_FAILS_WITH(kNoMemory, aclrtReserveMemAddress(&address, size, 0, free, 0));
  EXPECT_EQ(address, untouched());
  EXPECT_EQ(77, *static_cast<char*>(pages));
  EXPECT_EQ(0, munmap(pages, 4096));
  EXPECT_OK(aclrtReserveMemAddress(&address, size, 0, free, 0));
  EXPECT_EQ(address, free);
  EXPECT_OK(aclrtReleaseMemAddress(address));
}

TEST_F(AclrtReserveMemAddress, NeverTakesPartOfAnotherReservation) {
  const Reservation other(8 * kMebibyte);
  void* address = untouched();
  for (const size_t offset : {size_t{0}, kGranule, 3 * kGranule}) {
    EXPECT_FAILS_WITH(kNoMemory,
                      aclrtReserveMemAddress(&address, kGranule, 0, other.at(offset), 0));
  }
  EXPECT_EQ(address, untouched());
}

TEST_F(AclrtReserveMemAddress, AlignsItsStart) {
  for (const Alignment& row : kAlignments) {
    for (const uint64_t flags : {0, 1}) {
      void* address = nullptr;
      EXPECT_OK(aclrtReserveMemAddress(&address, row.size, 0, nullptr, flags));
      EXPECT_NE(address, nullptr);
      const size_t alignment = row.size > 512 * kMebibyte ? kGibibyte : kGranule;
      EXPECT_EQ(reinterpret_cast<uintptr_t>(address) % alignment, 0u) << row.size;
      EXPECT_OK(aclrtReleaseMemAddress(address));
    }
  }
}

TEST_F(AclrtReserveMemAddress, RoundsTheSizeUp) {
  for (const size_t size : {size_t{1}, size_t{512}, kGranule - 1, kGranule, kGranule + 1}) {
    const Reservation reservation(size);
    const size_t rounded = (size + kGranule - 1) / kGranule * kGranule;
    const Physical memory(rounded);
    const Mapping mapping(reservation.at(), rounded, memory);
    EXPECT_OK(copy_to_device(reservation.at(rounded - 64), pattern(64)));
    EXPECT_TRUE(holds(reservation.at(rounded - 64), 64, 1));
  }
}

TEST_F(AclrtReserveMemAddress, GivesEveryAddressOnce) {
  std::vector<std::pair<char*, char*>> ranges;
  std::vector<std::unique_ptr<Reservation>> reservations;
  for (size_t i = 0; i < 50; ++i) {
    const size_t size = 1 + i * kMebibyte;
    reservations.push_back(std::make_unique<Reservation>(size));
    ranges.emplace_back(reservations.back()->at(), reservations.back()->at(size));
  }
  std::ranges::sort(ranges);
  for (size_t i = 1; i < ranges.size(); ++i)
    EXPECT_LE(ranges[i - 1].second, ranges[i].first);
}

TEST_F(AclrtReserveMemAddress, TakesNoMemory) {
  size_t free = 0;
  size_t total = 0;
  ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  std::vector<std::unique_ptr<Reservation>> reservations;
  for (int i = 0; i < 4; ++i)
    reservations.push_back(std::make_unique<Reservation>(total / 8 * 9));
  EXPECT_EQ(free, free_bytes());
  const Physical memory;
  const Mapping mapping(reservations.back()->at(total - total % kGranule), kGranule, memory);
  EXPECT_OK(copy_to_device(reservations.back()->at(total - total % kGranule), pattern(64)));
  EXPECT_TRUE(holds(reservations.back()->at(total - total % kGranule), 64, 1));
}

TEST_F(AclrtReserveMemAddress, NeedsNoContext) {
  on_new_thread([] {
    const Reservation reservation(512);
    EXPECT_NE(nullptr, reservation.at());
  });
}

FERRY_PROCESS_TEST(AclrtReserveMemAddressProcess, WorksAsTheFirstCallOfAll) {
  const Reservation reservation(512);
  EXPECT_NE(nullptr, reservation.at());
}

TEST_F(AclrtReserveMemAddress, IsNoMemoryYet) {
  const Reservation reservation(kGranule);
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(reservation.at(), &attributes));
  EXPECT_EQ(ACL_MEM_LOCATION_TYPE_UNREGISTERED, attributes.location.type);
  EXPECT_EQ(0u, attributes.location.id);
  std::vector<uint8_t> bytes(64);
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtMemcpy(reservation.at(), 64, bytes.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtMemcpy(bytes.data(), 64, reservation.at(), 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_FAILS_WITH(kBadValue, aclrtMemset(reservation.at(), 64, 0, 64));
}

TEST_F(AclrtReserveMemAddress, ServesManyThreadsAtOnce) {
  at_once(4, [](size_t thread) {
    for (size_t round = 0; round < 50; ++round) {
      const Reservation reservation((thread + 1) * kGranule);
      EXPECT_NE(nullptr, reservation.at());
    }
  });
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtReserveMemAddress_test
