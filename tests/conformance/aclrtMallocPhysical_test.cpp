// SPDX-License-Identifier: Apache-2.0
// aclrtMallocPhysical: memory of a device or of the host, without an address.
#include "support/argument_checks.h"
#include "support/at_once.h"
#include "support/devices.h"
#include "support/needs.h"
#include "support/physical_kinds.h"

#include <set>

namespace conformance::virtual_memory::aclrtMallocPhysical_test {
namespace {

using AclrtMallocPhysical = WithDevice;

struct Arguments {
  bool has_handle = true;
  size_t size = kGranule;
  aclrtPhysicalMemProp prop;
  bool has_prop = true;
  uint64_t flags = 0;
};

aclError allocate(const Arguments& a) {
  aclrtDrvMemHandle handle = untouched();
  const aclError code = aclrtMallocPhysical(a.has_handle ? &handle : nullptr, a.size,
                                            a.has_prop ? &a.prop : nullptr, a.flags);
  EXPECT_EQ(untouched(), handle);
  return code;
}

aclError allocate(const aclrtPhysicalMemProp& prop, size_t size = kGranule) {
  return allocate(Arguments{.size = size, .prop = prop});
}

std::vector<ArgumentCheck<Arguments>> checks() {
  const uint32_t missing = device_count();
  const auto other_type = static_cast<aclrtMemAllocationType>(1);
  return {
      {"handle NULL", [](Arguments& a) { a.has_handle = false; }, kBadArgument, "EH0008"},
      {"prop NULL", [](Arguments& a) { a.has_prop = false; }, kBadArgument, "EH0008"},
      {"size 0", [](Arguments& a) { a.size = 0; }, kBadArgument},
      {"flags", [](Arguments& a) { a.flags = 1; }, kBadArgument},
      {"handleType", [](Arguments& a) { a.prop.handleType = ACL_MEM_HANDLE_TYPE_POSIX; },
       kBadArgument},
      {"allocationType", [=](Arguments& a) { a.prop.allocationType = other_type; }, kBadArgument},
      {"location UNREGISTERED", [](Arguments& a) { a.prop.location = location(2); }, kBadArgument},
      {"location MANAGED", [](Arguments& a) { a.prop.location = location(3); }, kBadArgument},
      {"DDR kind on DEVICE",
       [](Arguments& a) { a.prop.location = on_device(), a.prop.memAttr = ACL_DDR_MEM_NORMAL; },
       kBadArgument},
      {"memAttr", [](Arguments& a) { a.prop.memAttr = ACL_HBM_MEM_P2P_HUGE; }, kBadArgument},
      {"device out of range", [=](Arguments& a) { a.prop.location = on_device(missing); },
       kNoDevice},
      {"HOST_NUMA without a context", [](Arguments& a) { a.prop.location = location(kOnNode); },
       kNoContext, "EE1018"},
      {"1 GiB pages of the host",
       [](Arguments& a) { a.prop.location = on_host(), a.prop.memAttr = ACL_MEM_HUGE1G; },
       kNotSupported},
      {"location unknown",
       [](Arguments& a) { a.prop.location = location(5), a.prop.memAttr = ACL_MEM_HUGE; },
       kBadValue},
      {"reserve", [](Arguments& a) { a.prop.reserve = 1; }, kBadValue},
      {"HOST with an id", [](Arguments& a) { a.prop.location = location(kOnHost, 1); },
       kNotSupported},
      {"size not a multiple of 2 MiB", [](Arguments& a) { a.size += 1; }, kRefused, "EE1017"},
      {"not enough memory", [](Arguments& a) { a.size = size_t{1} << 46; }, kNoMemory},
  };
}

// Without a context, which only HOST_NUMA needs.
TEST(AclrtMallocPhysicalOrder, ChecksItsArgumentsInOrder) {
  on_new_thread([] {
    expect_checked_in_order<Arguments>(
        "aclrtMallocPhysical", {.prop = prop_of(on_device())},
        [](const Arguments& a) { return allocate(a); }, checks());
  });
}

TEST_F(AclrtMallocPhysical, RefusesEveryDeviceThatThereIsNot) {
  for (const uint32_t id : missing_device_numbers())
    EXPECT_EQ(kNoDevice, allocate(prop_of(on_device(id)))) << id;
}

TEST_F(AclrtMallocPhysical, InsistsOnMultiplesOf2MiB) {
  for (const size_t size : {size_t{1}, size_t{4096}, kMebibyte, kGranule - 1, kGranule + 4096}) {
    EXPECT_EQ(kRefused, allocate(prop_of(on_device()), size)) << size;
    EXPECT_EQ(kRefused, allocate(prop_of(on_host()), size)) << size;
  }
  for (const size_t size : {kGranule, 3 * kGranule}) {
    const Physical device(size);
    const Physical host(size, prop_of(on_host()));
  }
}

TEST_F(AclrtMallocPhysical, LacksMemoryOnTheHostAsOnADevice) {
  for (const aclrtMemLocation where : {on_device(), on_host(), location(kOnNode)}) {
    for (const size_t size : {size_t{1} << 46, size_t{1} << 62, SIZE_MAX - kGranule + 1}) {
      clear_errors();
      EXPECT_EQ(kNoMemory, allocate(prop_of(where), size)) << where.type << ", " << size;
      expect_last_error_of(kNoMemory);
    }
  }
}

TEST_F(AclrtMallocPhysical, TakesNodesOfTheMachine) {
  {
    const Physical first(kGranule, prop_of(location(kOnNode, 0)));
    const Physical any(kGranule, prop_of(location(kOnNode, UINT32_MAX)));
  }
  for (const uint32_t node : {1023u, 4096u, UINT32_MAX - 1}) {
    clear_errors();
    EXPECT_EQ(kRefused, allocate(prop_of(location(kOnNode, node)))) << node;
    expect_last_error_of(kRefused);
  }
}

// Makes one handle of each kind, or checks the code with which it is refused.
void expect_kinds(aclError PhysicalKind::*expected) {
  ASSERT_OK(aclrtSetDevice(0));
  const size_t before = free_bytes();
  for (const PhysicalKind& kind : physical_kinds()) {
    SCOPED_TRACE(text_of(kind));
    if (kind.*expected != ACL_SUCCESS) {
      EXPECT_EQ(kind.*expected, allocate(prop_of(kind)));
      continue;
    }
    {
      const Physical memory(kGranule, prop_of(kind));
      const size_t taken = kind.location == kOnDevice ? kind.granularity : 0;
      EXPECT_EQ(before - taken, free_bytes());
    }
    EXPECT_EQ(before, free_bytes());
  }
}

FERRY_PROCESS_TEST(AclrtMallocPhysicalProcess, TakesTheKindsOfA2, "FERRY_MEMORY=2G",
                   "FERRY_SOC=Ascend910B1") {
  NEEDS_CPU_DEVICE("others use some memory themselves");
  expect_kinds(&PhysicalKind::a2);
}

FERRY_PROCESS_TEST(AclrtMallocPhysicalProcess, TakesTheKindsOfA3, "FERRY_MEMORY=2G",
                   "FERRY_SOC=Ascend910_9391") {
  NEEDS_CPU_DEVICE("others use some memory themselves");
  expect_kinds(&PhysicalKind::a3);
}

FERRY_PROCESS_TEST(AclrtMallocPhysicalProcess, RoundsSizesOf1GiBKindsUp, "FERRY_MEMORY=4G") {
  NEEDS_CPU_DEVICE("others use some memory themselves");
  if (is_checked())
    GTEST_SKIP() << "the checker fills all memory with a pattern: it takes too long";
  ASSERT_OK(aclrtSetDevice(0));
  const size_t before = free_bytes();
  for (const int attr : {ACL_HBM_MEM_HUGE1G, ACL_MEM_HUGE1G}) {
    for (const size_t size : {size_t{1}, kGibibyte - 1, kGibibyte}) {
      const Physical memory(size, prop_of(on_device(), attr));
      EXPECT_EQ(before - kGibibyte, free_bytes());
    }
    const Physical memory(kGibibyte + 1, prop_of(on_device(), attr));
    EXPECT_EQ(before - 2 * kGibibyte, free_bytes());
  }
}

FERRY_PROCESS_TEST(AclrtMallocPhysicalProcess, CountsUntilTheDeviceIsFull, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  const size_t capacity = free_bytes();
  for (int round = 0; round < 3; ++round) {
    std::vector<Physical> pieces;
    for (size_t free = capacity; free > 0; free -= kGranule) {
      EXPECT_EQ(free, free_bytes());
      pieces.emplace_back(kGranule);
    }
    EXPECT_EQ(0u, free_bytes());
    EXPECT_EQ(kNoMemory, allocate(prop_of(on_device())));
    void* plain = nullptr;
    EXPECT_FAILS_WITH(kNoMemory, aclrtMalloc(&plain, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    { const Physical host(kGranule, prop_of(on_host())); }  // does not count
    pieces.pop_back();
    pieces.emplace_back(kGranule);  // may be retried
    pieces.clear();
    EXPECT_EQ(capacity, free_bytes());
  }
}

// Pieces freed one by one serve one large request.
FERRY_PROCESS_TEST(AclrtMallocPhysicalProcess, NeedsNoAdjacentMemory, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<aclrtDrvMemHandle> pieces;
  while (free_bytes() > 0)
    pieces.push_back(Physical(kGranule).give_up());
  for (size_t i = 0; i < pieces.size(); i += 2)
    EXPECT_OK(aclrtFreePhysical(pieces[i]));
  {
    const Physical large(pieces.size() / 2 * kGranule);
    EXPECT_EQ(0u, free_bytes());
  }
  for (size_t i = 1; i < pieces.size(); i += 2)
    EXPECT_OK(aclrtFreePhysical(pieces[i]));
  // Also behind plain memory, and the other way round.
  const size_t half = free_bytes() / 2;
  void* plain = nullptr;
  ASSERT_OK(aclrtMallocAlign32(&plain, half, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_EQ(kNoMemory, allocate(prop_of(on_device()), half + kGranule));
  { const Physical rest(half); }
  EXPECT_OK(aclrtFree(plain));
}

FERRY_PROCESS_TEST(AclrtMallocPhysicalProcess, UsesTheDeviceOfTheProp, "FERRY_DEVICES=cpu:2",
                   "FERRY_MEMORY=64M") {
  ASSERT_OK(aclrtSetDevice(1));
  const size_t of_second = free_bytes();
  ASSERT_OK(aclrtSetDevice(0));
  const size_t of_first = free_bytes();
  const Physical memory(2 * kGranule, prop_of(on_device(1)));
  EXPECT_EQ(of_first, free_bytes());
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_EQ(of_second - 2 * kGranule, free_bytes());
}

FERRY_PROCESS_TEST(AclrtMallocPhysicalProcess, WorksAsTheFirstCallOfAll) {
  const Physical device;
  const Physical host(kGranule, prop_of(on_host()));
}

TEST_F(AclrtMallocPhysical, GivesEachHandleOnceToManyThreads) {
  std::vector<std::vector<Physical>> handles(4);
  at_once(handles.size(), [&](size_t thread) {
    for (int i = 0; i < 16; ++i)
      handles[thread].emplace_back(kGranule);
  });
  std::set<aclrtDrvMemHandle> all;
  for (const std::vector<Physical>& own : handles)
    all.insert(own.begin(), own.end());
  EXPECT_EQ(64u, all.size());
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMallocPhysical_test
