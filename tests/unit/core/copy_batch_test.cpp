// SPDX-License-Identifier: Apache-2.0
// Planning a batch: pure, so that no device is needed.
#include "core/copy_batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace ferry {
namespace {

// Addresses by number: 0x1... device 0, 0x2... device 1, 0x3... pinned; all else pageable.
Location fake_locate(const void* address) {
  const auto number = reinterpret_cast<uint64_t>(address);
  Location location{.address = address, .memory = {}};
  const uint64_t space = number >> 32;
  if (space < 1 || space > 3) return location;
  location.memory = {
      .address = reinterpret_cast<void*>(space << 32),
      .size = uint64_t{1} << 20,
      .storage = reinterpret_cast<void*>(space << 40),
      .kind = space == 3 ? uint32_t{FERRYX_MEMORY_PINNED} : uint32_t{FERRYX_MEMORY_DEVICE},
      .device = space == 2 ? 1u : 0u};
  return location;
}

void* on_device(uint64_t offset) {
  return reinterpret_cast<void*>((uint64_t{1} << 32) + offset);
}
void* on_device_1(uint64_t offset) {
  return reinterpret_cast<void*>((uint64_t{2} << 32) + offset);
}
void* pinned(uint64_t offset) {
  return reinterpret_cast<void*>((uint64_t{3} << 32) + offset);
}

aclrtMemcpyBatchAttr attribute(aclrtMemLocationType dst, aclrtMemLocationType src,
                               uint32_t id = 0) {
  aclrtMemcpyBatchAttr made{};
  made.dstLoc = {.id = id, .type = dst};
  made.srcLoc = {.id = id, .type = src};
  return made;
}

constexpr auto kHost = ACL_MEM_LOCATION_TYPE_HOST;
constexpr auto kDevice = ACL_MEM_LOCATION_TYPE_DEVICE;

struct Batch {
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
  std::vector<aclrtMemcpyBatchAttr> attributes;
  std::vector<size_t> indexes;

  BatchArguments arguments() {
    return {dsts.data(),  sizes.data(),      srcs.data(),    sizes.data(),
            sizes.size(), attributes.data(), indexes.data(), attributes.size()};
  }
};

struct Planned {
  aclError code = 0;
  size_t fail_index = SIZE_MAX;
  BatchPlan plan;
};

Planned plan(Batch batch) {
  Planned planned;
  planned.code = plan_batch(batch.arguments(), BatchForm::kQueued, fake_locate, planned.plan,
                            planned.fail_index);
  return planned;
}

TEST(CopyBatch, KeepsTheOrderOfItemsAndResolvesThem) {
  const Planned planned = plan({.dsts = {on_device(0), on_device(512)},
                                .srcs = {pinned(64), pinned(0)},
                                .sizes = {64, 128},
                                .attributes = {attribute(kDevice, kHost)},
                                .indexes = {0}});
  ASSERT_EQ(planned.code, ACL_SUCCESS);
  ASSERT_EQ(planned.plan.pinned.size(), 2u);
  EXPECT_TRUE(planned.plan.pageable.empty());
  EXPECT_EQ(planned.plan.direction, FERRYX_HOST_TO_DEVICE);
  EXPECT_EQ(planned.plan.pinned[0].dst, on_device(0));
  EXPECT_EQ(planned.plan.pinned[1].size, 128u);
  EXPECT_EQ(planned.plan.pinned[1].dst_storage, reinterpret_cast<void*>((uint64_t{1} << 40) + 512));
}

TEST(CopyBatch, PutsPageableItemsApart) {
  char byte = 1;
  const Planned planned = plan({.dsts = {on_device(0), on_device(1)},
                                .srcs = {pinned(0), &byte},
                                .sizes = {1, 1},
                                .attributes = {attribute(kDevice, kHost)},
                                .indexes = {0}});
  ASSERT_EQ(planned.code, ACL_SUCCESS);
  EXPECT_EQ(planned.plan.pinned.size(), 1u);
  ASSERT_EQ(planned.plan.pageable.size(), 1u);
  EXPECT_EQ(planned.plan.pageable[0].src_storage, &byte);
}

TEST(CopyBatch, LeavesRangesOfQueuedItemsToTheRunningTask) {
  const Planned planned = plan({.dsts = {on_device((1 << 20) - 1)},
                                .srcs = {pinned(0)},
                                .sizes = {2},
                                .attributes = {attribute(kDevice, kHost)},
                                .indexes = {0}});
  ASSERT_EQ(planned.code, ACL_SUCCESS);
  EXPECT_EQ(planned.plan.pinned[0].dst_storage, nullptr);
}

TEST(CopyBatch, AppliesEachAttributeToItsItems) {
  Batch batch{.dsts = {on_device(0), on_device(8), on_device_1(0)},
              .srcs = {pinned(0), pinned(8), pinned(16)},
              .sizes = {8, 8, 8},
              .attributes = {attribute(kDevice, kHost, 0), attribute(kDevice, kHost, 1)},
              .indexes = {0, 2}};
  EXPECT_EQ(plan(batch).code, ACL_SUCCESS);
  batch.indexes = {0, 1};
  const Planned wrong = plan(batch);
  EXPECT_EQ(wrong.code, ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(wrong.fail_index, 1u);
}

TEST(CopyBatch, NamesTheItemAtFault) {
  const Batch good{.dsts = {on_device(0), on_device(8), on_device(16)},
                   .srcs = {pinned(0), pinned(8), pinned(16)},
                   .sizes = {8, 8, 8},
                   .attributes = {attribute(kDevice, kHost)},
                   .indexes = {0}};
  const auto spoilt = [&](auto spoil) {
    Batch batch = good;
    spoil(batch);
    const Planned planned = plan(batch);
    EXPECT_EQ(planned.code, ACL_ERROR_RT_PARAM_INVALID);
    return planned.fail_index;
  };
  EXPECT_EQ(spoilt([](Batch& batch) { batch.sizes[1] = 0; }), 1u);
  EXPECT_EQ(spoilt([](Batch& batch) { batch.srcs[2] = nullptr; }), 2u);
  EXPECT_EQ(spoilt([](Batch& batch) { batch.dsts[0] = nullptr; }), 0u);
  EXPECT_EQ(spoilt([](Batch& batch) { batch.dsts[1] = pinned(0); }), 1u);
  EXPECT_EQ(spoilt([](Batch& batch) { batch.srcs[1] = on_device(0); }), 1u);
  EXPECT_EQ(spoilt([](Batch& batch) { batch.attributes[0].dstLoc.id = 1; }), 0u);
  EXPECT_EQ(spoilt([](Batch& batch) {
              batch.attributes[0].srcLoc.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
            }),
            0u);
}

TEST(CopyBatch, RefusesASecondDirection) {
  const Planned planned =
      plan({.dsts = {on_device(0), pinned(0)},
            .srcs = {pinned(64), on_device(64)},
            .sizes = {8, 8},
            .attributes = {attribute(kDevice, kHost), attribute(kHost, kDevice)},
            .indexes = {0, 1}});
  EXPECT_EQ(planned.code, ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(planned.fail_index, 1u);
}

TEST(CopyBatch, ChecksAttributeRanges) {
  Batch batch{.dsts = {on_device(0), on_device(8)},
              .srcs = {pinned(0), pinned(8)},
              .sizes = {8, 8},
              .attributes = {attribute(kDevice, kHost), attribute(kDevice, kHost)},
              .indexes = {0, 1}};
  EXPECT_EQ(check_attribute_count(batch.arguments()), Status());
  EXPECT_EQ(check_attribute_indexes(batch.arguments()), Status());
  batch.indexes = {1, 1};
  EXPECT_EQ(check_attribute_indexes(batch.arguments()), ACL_ERROR_RT_PARAM_INVALID);
  batch.indexes = {0, 0};
  EXPECT_EQ(check_attribute_indexes(batch.arguments()), ACL_ERROR_RT_PARAM_INVALID);
  batch.indexes = {0, 2};
  EXPECT_EQ(check_attribute_indexes(batch.arguments()), ACL_ERROR_RT_PARAM_INVALID);
  BatchArguments none = batch.arguments();
  none.attribute_count = 0;
  EXPECT_EQ(check_attribute_count(none), ACL_ERROR_RT_PARAM_INVALID);
  none.attribute_count = 3;
  EXPECT_EQ(check_attribute_count(none), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace ferry
