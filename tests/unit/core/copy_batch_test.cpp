// SPDX-License-Identifier: Apache-2.0
// Planning a batch: a pure function, so no device is needed.
#include "core/copy_batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace ferry {
namespace {

// Addresses by their first digit: 0x1... device 0, 0x2... device 1, 0x3... pinned; others pageable.
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

Planned plan(Batch& batch, BatchForm form) {
  Planned planned;
  planned.code = plan_batch(batch.arguments(), form, fake_locate, planned.plan, planned.fail_index);
  return planned;
}

Planned plan(Batch batch) {
  return plan(batch, BatchForm::kQueued);
}

// Items of 64 bytes, from pinned memory to device 0.
Batch many(size_t count) {
  Batch batch{.dsts = {},
              .srcs = {},
              .sizes = {},
              .attributes = {attribute(kDevice, kHost)},
              .indexes = {0}};
  for (size_t i = 0; i < count; ++i) {
    batch.dsts.push_back(on_device(i * 64));
    batch.srcs.push_back(pinned((count - i) * 128));
    batch.sizes.push_back(64);
  }
  return batch;
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

TEST(CopyBatch, KeepsColumnsWhereAllLiesInsideTwoAllocations) {
  for (const size_t count : {size_t{1}, size_t{7}, size_t{8}, size_t{100}}) {
    Batch batch = many(count);
    const Planned planned = plan(batch, BatchForm::kColumns);
    ASSERT_EQ(planned.code, ACL_SUCCESS);
    ASSERT_TRUE(planned.plan.columns.has_value()) << count;
    EXPECT_TRUE(planned.plan.pinned.empty());
    const ferryx_columns& columns = *planned.plan.columns;
    EXPECT_EQ(columns.dsts, batch.dsts.data());
    EXPECT_EQ(columns.srcs, batch.srcs.data());
    EXPECT_EQ(columns.sizes, batch.sizes.data());
    EXPECT_EQ(columns.count, count);
    EXPECT_EQ(columns.common_size, 64u);
    EXPECT_EQ(columns.dst.storage, reinterpret_cast<void*>(uint64_t{1} << 40));
    EXPECT_EQ(columns.src.kind, uint32_t{FERRYX_MEMORY_PINNED});
    EXPECT_EQ(columns.direction, uint32_t{FERRYX_HOST_TO_DEVICE});
  }
}

TEST(CopyBatch, MakesAListWhereAnItemLiesElsewhere) {
  char byte = 1;
  for (const size_t at : {size_t{0}, size_t{1}, size_t{8}, size_t{20}, size_t{29}}) {
    Batch leaving = many(30);
    leaving.sizes[at] = 2 << 20;
    Planned planned = plan(leaving, BatchForm::kColumns);
    ASSERT_EQ(planned.code, ACL_SUCCESS);
    EXPECT_FALSE(planned.plan.columns.has_value()) << at;
    ASSERT_EQ(planned.plan.pinned.size(), 30u);
    EXPECT_EQ(planned.plan.pinned[at].dst_storage, nullptr);
    EXPECT_FALSE(planned.plan.is_resolved);
    for (size_t i = 0; i < 30; ++i)
      EXPECT_EQ(planned.plan.pinned[i].dst, leaving.dsts[i]);

    Batch pageable = many(30);
    pageable.srcs[at] = &byte;
    pageable.sizes[at] = 1;
    planned = plan(pageable, BatchForm::kColumns);
    ASSERT_EQ(planned.code, ACL_SUCCESS);
    EXPECT_FALSE(planned.plan.columns.has_value());
    EXPECT_EQ(planned.plan.pinned.size(), 29u);
    EXPECT_EQ(planned.plan.pageable.size(), 1u);
  }
}

TEST(CopyBatch, FindsTheItemAtFaultAmongMany) {
  for (const size_t at : {size_t{0}, size_t{7}, size_t{8}, size_t{15}, size_t{29}}) {
    for (const BatchForm form : {BatchForm::kQueued, BatchForm::kColumns}) {
      Batch empty = many(30);
      empty.sizes[at] = 0;
      EXPECT_EQ(plan(empty, form).fail_index, at);
      Batch null = many(30);
      null.dsts[at] = nullptr;
      EXPECT_EQ(plan(null, form).fail_index, at);
      Batch backwards = many(30);
      backwards.srcs[at] = on_device(0);
      EXPECT_EQ(plan(backwards, form).fail_index, at);
    }
  }
}

TEST(CopyBatch, IsNotMisledByHugeSizes) {
  for (const size_t size : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 2,
                            SIZE_MAX - (size_t{1} << 20), (size_t{1} << 20) + 1}) {
    Batch batch = many(16);
    batch.sizes[3] = size;
    const Planned planned = plan(batch, BatchForm::kColumns);
    ASSERT_EQ(planned.code, ACL_SUCCESS);
    EXPECT_FALSE(planned.plan.columns.has_value()) << size;
    EXPECT_EQ(planned.plan.pinned[3].dst_storage, nullptr);
  }
}

TEST(CopyBatch, SeesOneAddressAmongManyThatLiesElsewhere) {
  constexpr size_t kCount = 300;
  constexpr size_t kEnd = (1 << 20) - 64;
  for (const size_t at : {size_t{9}, size_t{72}, size_t{150}, kCount - 1}) {
    Batch edge = many(kCount);
    edge.dsts[at] = on_device(kEnd);
    EXPECT_TRUE(plan(edge, BatchForm::kColumns).plan.columns.has_value());
    Batch leaving = many(kCount);
    leaving.dsts[at] = on_device(kEnd + 1);
    const Planned planned = plan(leaving, BatchForm::kColumns);
    EXPECT_EQ(planned.code, ACL_SUCCESS);
    EXPECT_FALSE(planned.plan.columns.has_value());
    EXPECT_EQ(planned.plan.pinned[at].dst_storage, nullptr);
    for (const uint64_t offset :
         {uint64_t{0} - 1, uint64_t{1} << 62, uint64_t{3} << 61, uint64_t{1} << 63}) {
      Batch astray = many(kCount);
      astray.dsts[at] = on_device(offset);
      EXPECT_EQ(plan(astray, BatchForm::kColumns).fail_index, at) << offset;
    }
  }
}

TEST(CopyBatch, KnowsWhetherSizesDiffer) {
  Batch batch = many(12);
  batch.sizes[11] = 32;
  const Planned planned = plan(batch, BatchForm::kColumns);
  ASSERT_TRUE(planned.plan.columns.has_value());
  EXPECT_EQ(planned.plan.columns->common_size, 0u);
}

TEST(CopyBatch, TakesAttributesThatSayTheSameAsOne) {
  Batch batch = many(20);
  batch.attributes.assign(20, attribute(kDevice, kHost));
  for (size_t i = 1; i < 20; ++i)
    batch.indexes.push_back(i);
  EXPECT_TRUE(plan(batch, BatchForm::kColumns).plan.columns.has_value());
  batch.attributes[13].dstLoc.id = 1;
  const Planned wrong = plan(batch, BatchForm::kColumns);
  EXPECT_EQ(wrong.code, ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(wrong.fail_index, 13u);
  batch.dsts[13] = on_device_1(0);
  const Planned two = plan(batch, BatchForm::kColumns);
  EXPECT_EQ(two.code, ACL_SUCCESS);
  EXPECT_FALSE(two.plan.columns.has_value());
  EXPECT_EQ(two.plan.pinned.size(), 20u);
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
