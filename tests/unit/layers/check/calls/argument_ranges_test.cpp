// SPDX-License-Identifier: Apache-2.0
// The memory that calls name in their arguments, and what must not be read to find it.
#include "layers/check/calls/argument_ranges.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr uint64_t kDst = 0x10000;
constexpr uint64_t kSrc = 0x20000;

// The argument names of a function, as in the list of functions.
const char* names_of(Function function) {
  static constexpr const char* kNames[] = {
#define FERRY_API(ret, name, params, args, failure) #args,
#include "dispatch/api_list.def"
  };
  return kNames[static_cast<size_t>(function)];
}

std::vector<ArgumentRange> ranges(Function function, std::initializer_list<uint64_t> arguments,
                                  aclError code = ACL_SUCCESS) {
  const std::vector<uint64_t> words(arguments);
  const Call call(function, names_of(function), words);
  return ranges_of(call, code);
}

void expect_range(const ArgumentRange& range, const char* path, uint64_t begin, uint64_t size,
                  AccessKind kind) {
  EXPECT_EQ(range.path(), path);
  EXPECT_EQ(range.range.begin, begin) << path;
  EXPECT_EQ(range.range.size(), size) << path;
  EXPECT_EQ(range.size, size) << path;
  EXPECT_EQ(range.kind, kind) << path;
}

template <class T>
uint64_t word(T* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

TEST(ArgumentRanges, ACopyNamesItsDestinationAndItsSource) {
  for (const Function function : {Function::aclrtMemcpy, Function::aclrtMemcpyAsync,
                                  Function::aclrtMemcpyAsyncWithCondition}) {
    const auto found = ranges(function, {kDst, 200, kSrc, 100, 1, 0});
    ASSERT_EQ(found.size(), 2U);
    expect_range(found[0], "dst", kDst, 100, AccessKind::kWrite);
    expect_range(found[1], "src", kSrc, 100, AccessKind::kRead);
    EXPECT_EQ(found[0].sentence(), "dst is 0x10000 and 100 bytes");
  }
}

TEST(ArgumentRanges, ACopyThatDoesNothingNamesNothing) {
  EXPECT_TRUE(ranges(Function::aclrtMemcpy, {kDst, 200, kSrc, 0, 1}).empty());
  EXPECT_TRUE(ranges(Function::aclrtMemcpyAsync, {kDst, 200, kDst, 100, 3, 0}).empty());
}

TEST(ArgumentRanges, ARefusedCopyCountsWhereItsAddressesWereLookedAt) {
  const auto copy = [](uint64_t dest_max, aclError code) {
    return ranges(Function::aclrtMemcpyAsync, {kDst, dest_max, kSrc, 100, 1, 0}, code).size();
  };
  EXPECT_EQ(copy(100, ACL_ERROR_RT_PARAM_INVALID), 2U);
  EXPECT_EQ(copy(100, ACL_ERROR_RT_FEATURE_NOT_SUPPORT), 2U);
  EXPECT_EQ(copy(99, ACL_ERROR_RT_PARAM_INVALID), 0U);
  EXPECT_EQ(copy(100, ACL_ERROR_INVALID_PARAM), 0U);
  EXPECT_EQ(copy(100, ACL_ERROR_RT_CONTEXT_NULL), 0U);
  EXPECT_EQ(copy(100, ACL_ERROR_RT_INVALID_HANDLE), 0U);
}

TEST(ArgumentRanges, ARangeEndsWithTheAddressSpace) {
  const auto found = ranges(Function::aclrtMemcpy, {kDst, SIZE_MAX, kSrc, SIZE_MAX, 1},
                            ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].range.end, UINTPTR_MAX);
  EXPECT_EQ(found[0].size, SIZE_MAX);
}

TEST(ArgumentRanges, RowsSpanFromTheFirstToTheLastByte) {
  const auto found = ranges(Function::aclrtMemcpy2dAsync, {kDst, 64, kSrc, 128, 40, 3, 1, 0});
  ASSERT_EQ(found.size(), 2U);
  expect_range(found[0], "dst", kDst, 2 * 64 + 40, AccessKind::kWrite);
  expect_range(found[1], "src", kSrc, 2 * 128 + 40, AccessKind::kRead);
  EXPECT_EQ(found[1].pitch, 128U);
  EXPECT_EQ(found[1].width, 40U);
  EXPECT_EQ(found[1].height, 3U);
  EXPECT_TRUE(ranges(Function::aclrtMemcpy2d, {kDst, 64, kSrc, 128, 40, 0, 1}).empty());
  EXPECT_TRUE(ranges(Function::aclrtMemcpy2d, {kDst, 64, kSrc, 32, 40, 3, 1}).empty());
}

TEST(ArgumentRanges, RowsThatDoNotFitTheAddressSpaceDoNotWrapAround) {
  const auto found = ranges(Function::aclrtMemcpy2d, {kDst, SIZE_MAX, kSrc, 64, 40, 3, 1},
                            ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].range.end, UINTPTR_MAX);
}

TEST(ArgumentRanges, AFillNamesWhatItWrites) {
  for (const Function function : {Function::aclrtMemset, Function::aclrtMemsetAsync}) {
    const auto found = ranges(function, {kDst, 100, 7, 100, 0});
    ASSERT_EQ(found.size(), 1U);
    expect_range(found[0], "devPtr", kDst, 100, AccessKind::kWrite);
    EXPECT_TRUE(ranges(function, {kDst, 99, 7, 100, 0}, ACL_ERROR_RT_PARAM_INVALID).empty());
  }
}

TEST(ArgumentRanges, AFillWithWordsCountsWords) {
  for (const Function function : {Function::aclrtMemsetD32, Function::aclrtMemsetD32Async}) {
    const auto found = ranges(function, {kDst, 100, 7, 25, 0});
    ASSERT_EQ(found.size(), 1U);
    expect_range(found[0], "ptr", kDst, 100, AccessKind::kWrite);
    // Unknown memory gives this code, too.
    EXPECT_EQ(ranges(function, {kDst, 100, 7, 25, 0}, ACL_ERROR_INVALID_PARAM).size(), 1U);
    EXPECT_TRUE(ranges(function, {kDst, 100, 7, 26, 0}, ACL_ERROR_INVALID_PARAM).empty());
    EXPECT_TRUE(ranges(function, {kDst + 1, 100, 7, 25, 0}, ACL_ERROR_INVALID_PARAM).empty());
  }
}

TEST(ArgumentRanges, DescriptorsAndCellsAreMemoryToo) {
  const auto set = ranges(Function::aclrtSetMemcpyDesc, {0x30000, 6, kSrc, kDst, 100, 0});
  ASSERT_EQ(set.size(), 3U);
  expect_range(set[0], "dstAddr", kDst, 100, AccessKind::kWrite);
  expect_range(set[1], "srcAddr", kSrc, 100, AccessKind::kRead);
  expect_range(set[2], "desc", 0x30000, 32, AccessKind::kWrite);
  const auto used = ranges(Function::aclrtMemcpyAsyncWithDesc, {0x30000, 6, 1});
  ASSERT_EQ(used.size(), 1U);
  expect_range(used[0], "desc", 0x30000, 32, AccessKind::kRead);
  const auto cells =
      ranges(Function::aclrtMemcpyAsyncWithOffset, {kDst, 4096, 0, kSrc, 100, 0, 6, 0});
  ASSERT_EQ(cells.size(), 2U);
  expect_range(cells[0], "dst", kDst, 8, AccessKind::kRead);
  expect_range(cells[1], "src", kSrc, 8, AccessKind::kRead);
}

TEST(ArgumentRanges, OtherFunctionsNameNothing) {
  EXPECT_TRUE(ranges(Function::aclrtFree, {kDst}).empty());
  EXPECT_TRUE(ranges(Function::aclrtPointerGetAttributes, {kDst, 0}).empty());
}

class BatchRanges : public ::testing::Test {
 protected:
  std::vector<ArgumentRange> batch(aclError code) {
    return ranges(
        Function::aclrtMemcpyBatchAsync,
        {word(dsts_), word(sizes_), word(srcs_), word(sizes_), 3, 0, 0, 1, word(&fail_index_), 0},
        code);
  }

  void* dsts_[3] = {reinterpret_cast<void*>(0x1000), reinterpret_cast<void*>(0x2000),
                    reinterpret_cast<void*>(0x3000)};
  void* srcs_[3] = {reinterpret_cast<void*>(0x4000), reinterpret_cast<void*>(0x5000),
                    reinterpret_cast<void*>(0x6000)};
  size_t sizes_[3] = {10, 20, 30};
  size_t fail_index_ = SIZE_MAX;
};

TEST_F(BatchRanges, EveryItemHasTwo) {
  const auto found = batch(ACL_SUCCESS);
  ASSERT_EQ(found.size(), 6U);
  expect_range(found[0], "dsts[0]", 0x1000, 10, AccessKind::kWrite);
  expect_range(found[1], "srcs[0]", 0x4000, 10, AccessKind::kRead);
  expect_range(found[4], "dsts[2]", 0x3000, 30, AccessKind::kWrite);
  expect_range(found[5], "srcs[2]", 0x6000, 30, AccessKind::kRead);
}

TEST_F(BatchRanges, OfARefusedBatchOnlyTheItemAtFaultWasRead) {
  EXPECT_TRUE(batch(ACL_ERROR_RT_PARAM_INVALID).empty());
  fail_index_ = 1;
  const auto found = batch(ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(found.size(), 2U);
  expect_range(found[0], "dsts[1]", 0x2000, 20, AccessKind::kWrite);
  expect_range(found[1], "srcs[1]", 0x5000, 20, AccessKind::kRead);
  EXPECT_TRUE(batch(ACL_ERROR_INVALID_PARAM).empty());
  EXPECT_TRUE(batch(ACL_ERROR_RT_INVALID_HANDLE).empty());
}

TEST_F(BatchRanges, AnItemWithoutMemoryNamesNothing) {
  fail_index_ = 1;
  srcs_[1] = nullptr;
  EXPECT_TRUE(batch(ACL_ERROR_RT_PARAM_INVALID).empty());
}

// Such a batch succeeds with any arrays, so only its sizes may be read.
TEST(ArgumentRanges, ABatchWithoutBytesMayHaveNoArrays) {
  size_t sizes[2] = {0, 0};
  for (const Function function :
       {Function::aclrtMemcpyBatch, Function::aclrtMemcpyBatchV2, Function::aclrtMemcpyBatchAsync,
        Function::aclrtMemcpyBatchAsyncV2}) {
    EXPECT_TRUE(ranges(function, {0, 0, 0, word(sizes), 2, 0, 0, 0, 0, 0}).empty());
  }
}

TEST(ArgumentRanges, ABatchWithoutFailIndexIsNotReadWhenItWasRefused) {
  EXPECT_TRUE(
      ranges(Function::aclrtMemcpyBatchV2, {1, 1, 1, 1, 2, 1, 1, 1}, ACL_ERROR_RT_PARAM_INVALID)
          .empty());
}

}  // namespace
}  // namespace ferry::layers::check
