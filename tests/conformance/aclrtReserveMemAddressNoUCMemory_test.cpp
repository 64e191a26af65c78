// SPDX-License-Identifier: Apache-2.0
// aclrtReserveMemAddressNoUCMemory: addresses at an expected place, on A3 products only.
#include "support/argument_checks.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtReserveMemAddressNoUCMemory_test {
namespace {

struct Arguments {
  void** address;
  size_t size;
  size_t alignment;
  void* expected;
  uint64_t flags;
};

// The value of `product` is what a valid call returns.
void expect_checks(aclError product) {
  void* address = untouched();
  // Free once the reservation is released, and aligned to 1 GiB.
  void* const free = Reservation(3 * kGibibyte).at();
  std::vector<ArgumentCheck<Arguments>> checks = {
      {"virPtr NULL", [](Arguments& a) { a.address = nullptr; }, kBadArgument, "EH0008"},
      {"size 0", [](Arguments& a) { a.size = 0; }, kBadArgument},
      {"flags 2", [](Arguments& a) { a.flags = 2; }, kBadArgument},
      {"alignment 2 MiB", [](Arguments& a) { a.alignment = kGranule; }, kBadValue},
      {"expectPtr NULL", [](Arguments& a) { a.expected = nullptr; }, kNotSupported},
      {"size not a multiple of 1 GiB",
       [&](Arguments& a) {
         a.size = kGibibyte + kGranule;
         a.expected = free;
       },
       kBadValue},
      {"expectPtr not a multiple of 1 GiB",
       [&](Arguments& a) { a.expected = static_cast<char*>(free) + kGranule; }, kBadValue},
  };
  if (product != ACL_SUCCESS) checks.push_back({"product", [](Arguments&) {}, product});
  expect_checked_in_order<Arguments>(
      "aclrtReserveMemAddressNoUCMemory", {&address, kGibibyte, 0, free, 1},
      [](const Arguments& a) {
        return aclrtReserveMemAddressNoUCMemory(a.address, a.size, a.alignment, a.expected,
                                                a.flags);
      },
      checks);
  EXPECT_EQ(address, untouched());
}

FERRY_PROCESS_TEST(AclrtReserveMemAddressNoUCMemoryProcess, ChecksItsArgumentsInOrderOnA3,
                   "FERRY_SOC=Ascend910_9391") {
  expect_checks(ACL_SUCCESS);
}

FERRY_PROCESS_TEST(AclrtReserveMemAddressNoUCMemoryProcess, ChecksThemBeforeTheProduct,
                   "FERRY_SOC=Ascend910B1") {
  expect_checks(kNotSupported);
}

FERRY_PROCESS_TEST(AclrtReserveMemAddressNoUCMemoryProcess, ReservesExactlyThereOnA3,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  void* const free = Reservation(3 * kGibibyte).at();
  for (const uint64_t flags : {0, 1}) {
    void* address = nullptr;
    ASSERT_OK(aclrtReserveMemAddressNoUCMemory(&address, 2 * kGibibyte, 0, free, flags));
    EXPECT_EQ(free, address);
    void* second = untouched();
    EXPECT_FAILS_WITH(kNoMemory,
                      aclrtReserveMemAddressNoUCMemory(&second, kGibibyte, 0, free, flags));
    EXPECT_EQ(second, untouched());
    {
      const Physical memory;
      const Mapping mapping(address, kGranule, memory);
      EXPECT_OK(copy_to_device(address, pattern(64)));
      EXPECT_TRUE(holds(address, 64, 1));
    }
    EXPECT_OK(aclrtReleaseMemAddress(address));
  }
}

// The place that Mooncake asks for. ThreadSanitizer lets nobody have these addresses.
#if !defined(__SANITIZE_THREAD__)
FERRY_PROCESS_TEST(AclrtReserveMemAddressNoUCMemoryProcess, ReservesAt78TiB,
                   "FERRY_SOC=Ascend910_9391") {
  void* const expected = reinterpret_cast<void*>(uintptr_t{78} << 40);
  void* address = nullptr;
  ASSERT_OK(aclrtReserveMemAddressNoUCMemory(&address, kGibibyte, 0, expected, 1));
  EXPECT_EQ(expected, address);
  EXPECT_OK(aclrtReleaseMemAddress(address));
}
#endif

}  // namespace
}  // namespace conformance::virtual_memory::aclrtReserveMemAddressNoUCMemory_test
