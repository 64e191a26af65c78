// SPDX-License-Identifier: Apache-2.0
// Work as a value: how each kind is printed, when two are the same, and that a clone needs nothing
// of what it was made from.
#include "base/work.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace ferry {
namespace {

template <class T>
T* at(uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

ferryx_copy copy_of(uintptr_t dst, uintptr_t src, uint64_t size) {
  return {.dst = at<void>(dst),
          .src = at<void>(src),
          .size = size,
          .dst_storage = nullptr,
          .src_storage = nullptr};
}

void start_nothing(void* /*argument*/, ferryx_callout* /*callout*/) {}
void run_nothing(void* /*argument*/, int /*run*/) {}
int run_kernel(void* /*argument*/, int /*run*/) {
  return 0;
}

// One work per kind, with the arrays that it refers to.
struct Samples {
  Samples() {
    add(FERRYX_COPIES, &ferryx_payload::copies,
        {.items = copies.data(), .count = 1, .direction = FERRYX_HOST_TO_DEVICE, .flags = 0});
    add(FERRYX_COLUMNS, &ferryx_payload::columns,
        {.dsts = dsts.data(),
         .srcs = srcs.data(),
         .sizes = sizes.data(),
         .count = 2,
         .common_size = 0,
         .dst = {},
         .src = {},
         .direction = FERRYX_DEVICE_TO_HOST});
    add(FERRYX_ROWS, &ferryx_payload::rows,
        {.corner = copy_of(0x2000, 0x1000, 64),
         .dst_pitch = 128,
         .src_pitch = 256,
         .height = 3,
         .direction = FERRYX_DEVICE_TO_DEVICE});
    add(FERRYX_DESCRIBED, &ferryx_payload::described, {.descriptor = at<void>(0x40)});
    add(FERRYX_INDIRECT, &ferryx_payload::indirect,
        {.dst_pointer = at<void>(0x20),
         .src_pointer = at<void>(0x10),
         .dst_offset = 1,
         .src_offset = 2,
         .size = 512});
    add(FERRYX_FILL, &ferryx_payload::fill,
        {.dst = at<void>(0x3000), .dst_storage = nullptr, .size = 16, .value = 0xAB, .width = 1});
    add(FERRYX_CALLOUT, &ferryx_payload::callout, {.start = start_nothing, .argument = nullptr});
    add(FERRYX_FUNCTION, &ferryx_payload::function, {.run = run_nothing, .argument = nullptr});
    add(FERRYX_MARK, &ferryx_payload::marker, {.marker = at<ferryx_marker>(0x50), .timeout = 0});
    add(FERRYX_AWAIT, &ferryx_payload::marker,
        {.marker = at<ferryx_marker>(0x50), .timeout = FERRYX_FOREVER});
    add(FERRYX_SET_FLAG, &ferryx_payload::flag, {.flag = at<ferryx_flag>(0x60), .timeout = 0});
    add(FERRYX_TAKE_FLAG, &ferryx_payload::flag, {.flag = at<ferryx_flag>(0x60), .timeout = 5000});
    add(FERRYX_WRITE_VALUE, &ferryx_payload::value, value_of(0x10));
    add(FERRYX_AWAIT_VALUE, &ferryx_payload::value, value_of(0x11));
    add(FERRYX_REDUCE, &ferryx_payload::reduce,
        {.operands = copy_of(0x2000, 0x1000, 64),
         .operation = FERRYX_MAX,
         .element = FERRYX_INT32});
    add(FERRYX_KERNEL, &ferryx_payload::kernel,
        {.run = run_kernel,
         .argument = nullptr,
         .name = name.c_str(),
         .accesses = accesses.data(),
         .access_count = accesses.size()});
  }
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;

  template <class Payload>
  void add(ferryx_work_kind kind, Payload ferryx_payload::*member,
           const std::type_identity_t<Payload>& payload) {
    EXPECT_EQ(all.size(), static_cast<size_t>(kind));
    all.push_back(make_work(kind, member, payload, 9));
    all.back().origin = {
        .call = "aclrtCall", .task = 7, .stream = 3, .context = nullptr, .correlation = 11};
  }

  static ferryx_value value_of(uint64_t value) {
    return {.address = at<void>(0x80),
            .storage = nullptr,
            .value = value,
            .comparison = FERRYX_EQUAL,
            .reserved = 0};
  }

  std::string name = "gather";
  std::vector<ferryx_access> accesses{
      {.address = at<void>(0x100), .size = 16, .writes = 0, .reserved = 0},
      {.address = at<void>(0x200), .size = 32, .writes = 1, .reserved = 0}};
  std::vector<ferryx_copy> copies{copy_of(0x2000, 0x1000, 64), copy_of(0x4000, 0x3000, 100)};
  std::array<void*, 2> dsts{at<void>(0x200), at<void>(0x300)};
  std::array<void*, 2> srcs{at<void>(0x400), at<void>(0x500)};
  std::array<size_t, 2> sizes{10, 20};
  std::vector<ferryx_work> all;  // by kind
};

class Work : public ::testing::Test {
 protected:
  ferryx_work& operator[](ferryx_work_kind kind) { return samples_.all[kind]; }

  Samples samples_;
};

// ---- describe ----

TEST_F(Work, DescribesEveryKindInOneLine) {
  const std::vector<std::string> lines = {
      "copy of 64 bytes from 0x1000 to 0x2000, host to device",
      "batch of 2 copies, 30 bytes, device to host",
      "copy of 3 rows of 64 bytes from 0x1000 (pitch 256) to 0x2000 (pitch 128), device to device",
      "copy described at 0x40",
      "copy of 512 bytes between the addresses stored at 0x10 and 0x20",
      "fill of 16 bytes at 0x3000 with 0xab",
      "host function",
      "device function",
      "mark 0x50",
      "wait for marker 0x50",
      "set flag 0x60",
      "wait for flag 0x60 for at most 5000 ns",
      "store of 0x10 at 0x80",
      "wait until the value at 0x80 is 0x11",
      "maximum of 64 bytes at 0x1000 into 0x2000",
      "kernel gather",
  };
  ASSERT_EQ(samples_.all.size(), lines.size());
  for (size_t kind = 0; kind < lines.size(); ++kind)
    EXPECT_EQ(describe(samples_.all[kind]), "aclrtCall, stream 3, task 7: " + lines[kind]);
}

TEST_F(Work, DescribesABatchByItsSum) {
  ferryx_work& work = (*this)[FERRYX_COPIES];
  work.as.copies.count = 2;
  work.as.copies.direction = 99;
  EXPECT_EQ(describe(work),
            "aclrtCall, stream 3, task 7: batch of 2 copies, 164 bytes, in an unknown direction");
}

TEST_F(Work, DescribesACopyWithinTheHost) {
  ferryx_work& work = (*this)[FERRYX_COPIES];
  work.as.copies.direction = FERRYX_HOST_TO_HOST;
  EXPECT_EQ(describe(work),
            "aclrtCall, stream 3, task 7: copy of 64 bytes from 0x1000 to 0x2000, host to host");
}

TEST_F(Work, DescribesWorkDuringACallWithoutStreamAndTask) {
  ferryx_work& work = (*this)[FERRYX_FILL];
  work.origin.stream = -1;
  EXPECT_EQ(describe(work), "aclrtCall: fill of 16 bytes at 0x3000 with 0xab");
}

TEST_F(Work, DescribesAKindItDoesNotKnow) {
  ferryx_work& work = (*this)[FERRYX_FILL];
  work.kind = 1000;
  EXPECT_EQ(describe(work), "aclrtCall, stream 3, task 7: work of unknown kind 1000");
}

TEST_F(Work, DescribesNamesOfAnyLength) {
  const std::string name(2000, 'x');
  ferryx_work& work = (*this)[FERRYX_CALLOUT];
  work.origin.call = name.c_str();
  EXPECT_NE(describe(work).find("host function"), std::string::npos);
}

TEST_F(Work, CountsBytesAsFarAsTheyAreKnown) {
  const std::vector<uint64_t> bytes = {64, 30, 192, 0, 512, 16, 0, 0, 0, 0, 0, 0};
  for (size_t kind = 0; kind < bytes.size(); ++kind)
    EXPECT_EQ(bytes_of(samples_.all[kind]), bytes[kind]) << kind;
}

// ---- is_same ----

TEST_F(Work, IsTheSameInOtherArraysOfOtherTasksAndEpochs) {
  Samples others;
  for (ferryx_work& work : others.all) {
    work.origin.task = 99;
    work.origin.correlation = 100;
    work.epoch = 101;
  }
  others.copies[0].dst_storage = at<void>(0x9000);  // where bytes lie is no part of the question
  for (size_t kind = 0; kind < others.all.size(); ++kind) {
    EXPECT_TRUE(is_same(samples_.all[kind], others.all[kind])) << kind;
    EXPECT_FALSE(is_same(samples_.all[kind], others.all[(kind + 1) % others.all.size()])) << kind;
  }
}

TEST_F(Work, DiffersByCallStreamAndContext) {
  ferryx_work other = (*this)[FERRYX_FILL];
  other.origin.call = "aclrtOther";
  EXPECT_FALSE(is_same((*this)[FERRYX_FILL], other));
  other = (*this)[FERRYX_FILL];
  other.origin.stream = 4;
  EXPECT_FALSE(is_same((*this)[FERRYX_FILL], other));
  other = (*this)[FERRYX_FILL];
  other.origin.context = &other;
  EXPECT_FALSE(is_same((*this)[FERRYX_FILL], other));
}

TEST_F(Work, DiffersByEachMemberOfThePayload) {
  using Change = std::function<void(Samples&, ferryx_payload&)>;
  const std::vector<std::pair<ferryx_work_kind, Change>> changes = {
      {FERRYX_COPIES, [](Samples& of, auto&) { of.copies[0].dst = nullptr; }},
      {FERRYX_COPIES, [](Samples& of, auto&) { of.copies[0].src = nullptr; }},
      {FERRYX_COPIES, [](Samples& of, auto&) { of.copies[0].size = 1; }},
      {FERRYX_COPIES, [](Samples&, auto& as) { as.copies.count = 2; }},
      {FERRYX_COPIES, [](Samples&, auto& as) { as.copies.direction = 0; }},
      {FERRYX_COPIES, [](Samples&, auto& as) { as.copies.flags = FERRYX_COPY_CAPTURE; }},
      {FERRYX_COLUMNS, [](Samples& of, auto&) { of.dsts[1] = nullptr; }},
      {FERRYX_COLUMNS, [](Samples& of, auto&) { of.srcs[1] = nullptr; }},
      {FERRYX_COLUMNS, [](Samples& of, auto&) { of.sizes[1] = 1; }},
      {FERRYX_COLUMNS, [](Samples&, auto& as) { as.columns.count = 1; }},
      {FERRYX_COLUMNS, [](Samples&, auto& as) { as.columns.direction = 0; }},
      {FERRYX_ROWS, [](Samples&, auto& as) { as.rows.corner.size = 1; }},
      {FERRYX_ROWS, [](Samples&, auto& as) { as.rows.dst_pitch = 1; }},
      {FERRYX_ROWS, [](Samples&, auto& as) { as.rows.src_pitch = 1; }},
      {FERRYX_ROWS, [](Samples&, auto& as) { as.rows.height = 1; }},
      {FERRYX_ROWS, [](Samples&, auto& as) { as.rows.direction = 0; }},
      {FERRYX_DESCRIBED, [](Samples&, auto& as) { as.described.descriptor = nullptr; }},
      {FERRYX_INDIRECT, [](Samples&, auto& as) { as.indirect.src_offset = 0; }},
      {FERRYX_FILL, [](Samples&, auto& as) { as.fill.dst = nullptr; }},
      {FERRYX_FILL, [](Samples&, auto& as) { as.fill.size = 1; }},
      {FERRYX_FILL, [](Samples&, auto& as) { as.fill.value = 1; }},
      {FERRYX_FILL, [](Samples&, auto& as) { as.fill.width = 4; }},
      {FERRYX_CALLOUT, [](Samples& of, auto& as) { as.callout.argument = &of; }},
      {FERRYX_FUNCTION, [](Samples& of, auto& as) { as.function.argument = &of; }},
      {FERRYX_MARK, [](Samples&, auto& as) { as.marker.marker = nullptr; }},
      {FERRYX_AWAIT, [](Samples&, auto& as) { as.marker.timeout = 1; }},
      {FERRYX_SET_FLAG, [](Samples&, auto& as) { as.flag.flag = nullptr; }},
      {FERRYX_TAKE_FLAG, [](Samples&, auto& as) { as.flag.timeout = 1; }},
      {FERRYX_WRITE_VALUE, [](Samples&, auto& as) { as.value.address = nullptr; }},
      {FERRYX_WRITE_VALUE, [](Samples&, auto& as) { as.value.value = 1; }},
      {FERRYX_AWAIT_VALUE, [](Samples&, auto& as) { as.value.comparison = FERRYX_ANY_BIT; }},
      {FERRYX_REDUCE, [](Samples&, auto& as) { as.reduce.operands.size = 1; }},
      {FERRYX_REDUCE, [](Samples&, auto& as) { as.reduce.operation = FERRYX_SUM; }},
      {FERRYX_REDUCE, [](Samples&, auto& as) { as.reduce.element = FERRYX_INT8; }},
      {FERRYX_KERNEL, [](Samples& of, auto& as) { as.kernel.argument = &of; }},
      {FERRYX_KERNEL, [](Samples& of, auto&) { of.name[0] = 'G'; }},
      {FERRYX_KERNEL, [](Samples& of, auto&) { of.accesses[1].size = 1; }},
      {FERRYX_KERNEL, [](Samples& of, auto&) { of.accesses[0].writes = 1; }},
      {FERRYX_KERNEL, [](Samples&, auto& as) { as.kernel.access_count = 1; }},
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    const auto& [kind, change] = changes[i];
    Samples other;
    change(other, other.all[kind].as);
    EXPECT_FALSE(is_same((*this)[kind], other.all[kind])) << "change " << i << ", kind " << kind;
  }
}

TEST_F(Work, IsTheSameWhetherResolvedOrNot) {
  ferryx_work other = (*this)[FERRYX_COPIES];
  other.as.copies.flags = FERRYX_COPY_RESOLVED;
  EXPECT_TRUE(is_same((*this)[FERRYX_COPIES], other));
}

// ---- clones ----

TEST_F(Work, ClonesEveryKind) {
  for (const ferryx_work& work : samples_.all) {
    const WorkClone clone(work);
    EXPECT_TRUE(is_same(*clone, work)) << work.kind;
    EXPECT_EQ(clone->struct_size, work.struct_size);
    EXPECT_EQ(clone->epoch, work.epoch);
    EXPECT_EQ(clone->origin.task, work.origin.task);
    EXPECT_EQ(clone->origin.correlation, work.origin.correlation);
    EXPECT_EQ(describe(*clone), describe(work));
  }
}

TEST_F(Work, AnEmptyCloneIsABatchOfNothing) {
  const WorkClone empty;
  EXPECT_EQ(bytes_of(*empty), 0u);
}

TEST_F(Work, ACloneNeedsTheArraysNoMore) {
  (*this)[FERRYX_COPIES].as.copies.count = 2;
  const WorkClone copies((*this)[FERRYX_COPIES]);
  const WorkClone columns((*this)[FERRYX_COLUMNS]);
  const std::string of_copies = describe(*copies);
  const WorkClone kernel((*this)[FERRYX_KERNEL]);
  const WorkClone same_kernel((*this)[FERRYX_KERNEL]);
  samples_.name.assign("another");
  samples_.accesses.assign(2, {});
  EXPECT_TRUE(is_same(*kernel, *same_kernel));
  EXPECT_FALSE(is_same(*kernel, (*this)[FERRYX_KERNEL]));
  samples_.copies.assign(2, {});
  samples_.dsts.fill(nullptr);
  samples_.srcs.fill(nullptr);
  samples_.sizes.fill(0);
  EXPECT_EQ(describe(*copies), of_copies);
  EXPECT_EQ(copies->as.copies.items[1].dst, at<void>(0x4000));
  EXPECT_EQ(columns->as.columns.dsts[1], at<void>(0x300));
  EXPECT_EQ(columns->as.columns.srcs[0], at<void>(0x400));
  EXPECT_EQ(columns->as.columns.sizes[1], 20u);
}

TEST_F(Work, ACloneMovesWithItsArrays) {
  WorkClone first((*this)[FERRYX_COPIES]);
  const WorkClone second = std::move(first);
  EXPECT_TRUE(is_same(*second, (*this)[FERRYX_COPIES]));
}

TEST_F(Work, ItemsOfACloneCanBeChanged) {
  WorkClone clone((*this)[FERRYX_COPIES]);
  clone.items()[0].size = 5;
  EXPECT_EQ(clone->as.copies.items[0].size, 5u);
  EXPECT_EQ(samples_.copies[0].size, 64u);
  clone.payload().copies.direction = FERRYX_HOST_TO_HOST;
  EXPECT_EQ(clone->as.copies.direction, static_cast<uint32_t>(FERRYX_HOST_TO_HOST));
}

TEST_F(Work, ACloneCapturesTheSourceIfTheCopyDoes) {
  std::string source = "before";
  samples_.copies[0].src = samples_.copies[0].src_storage = source.data();
  samples_.copies[0].size = source.size();
  ferryx_work& work = (*this)[FERRYX_COPIES];
  const WorkClone refers(work);
  work.as.copies.flags = FERRYX_COPY_CAPTURE;
  const WorkClone captures(work);
  source = "behind";
  const auto source_of = [](const WorkClone& clone) {
    const ferryx_copy& item = clone->as.copies.items[0];
    return std::string(static_cast<const char*>(item.src_storage), item.size);
  };
  EXPECT_EQ(source_of(refers), "behind");
  EXPECT_EQ(source_of(captures), "before");
  EXPECT_EQ(captures->as.copies.items[0].src, source.data());  // what the program said
  EXPECT_TRUE(is_same(*captures, work));
  EXPECT_EQ(source_of(WorkClone(*captures)), "before");
}

TEST_F(Work, ColumnsAsCopies) {
  const ferryx_work& columns = (*this)[FERRYX_COLUMNS];
  const WorkClone clone = WorkClone::as_copies(columns);
  samples_.dsts.fill(nullptr);
  ASSERT_EQ(clone->kind, static_cast<uint32_t>(FERRYX_COPIES));
  ASSERT_EQ(clone->as.copies.count, 2u);
  EXPECT_EQ(clone->as.copies.direction, static_cast<uint32_t>(FERRYX_DEVICE_TO_HOST));
  EXPECT_EQ(clone->as.copies.flags, 0u);  // storage is still to be resolved
  const ferryx_copy& last = clone->as.copies.items[1];
  EXPECT_EQ(last.dst, at<void>(0x300));
  EXPECT_EQ(last.src, at<void>(0x500));
  EXPECT_EQ(last.size, 20u);
  EXPECT_EQ(last.dst_storage, nullptr);
  EXPECT_EQ(last.src_storage, nullptr);
  EXPECT_EQ(clone->epoch, columns.epoch);
  EXPECT_EQ(clone->origin.correlation, columns.origin.correlation);
  EXPECT_EQ(bytes_of(*clone), 30u);
}

}  // namespace
}  // namespace ferry
