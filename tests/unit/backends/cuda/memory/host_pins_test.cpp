// SPDX-License-Identifier: Apache-2.0
// Pinned pages: each is pinned once, and no registered range is pinned in two pieces.
#include "backends/cuda/memory/host_pins.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <map>

namespace ferry::cuda {
namespace {

constexpr uint64_t kPage = 4096;

class CudaHostPins : public ::testing::Test {
 protected:
  using Ranges = std::map<uintptr_t, uint64_t>;  // start and size

  Ranges pinned_;
  bool refuses_ = false;
  HostPins pins_{kPage,
                 {.pin = [this](uintptr_t start, uint64_t size) -> Trouble {
                    if (refuses_ && size > 2 * kPage) {
                      return {.code = ACL_ERROR_RT_MEMORY_ALLOCATION, .text = "no"};
                    }
                    for (const auto& [other, length] : pinned_)
                      EXPECT_TRUE(start + size <= other || other + length <= start);
                    pinned_[start] = size;
                    return {};
                  },
                  .unpin = [this](uintptr_t start) { EXPECT_EQ(1u, pinned_.erase(start)); }}};
};

TEST_F(CudaHostPins, PinsWholePages) {
  EXPECT_TRUE(pins_.add(kPage + 100, 10).ok());
  EXPECT_TRUE(pins_.add(8 * kPage - 1, 2).ok());
  EXPECT_EQ((Ranges{{kPage, kPage}, {7 * kPage, 2 * kPage}}), pinned_);
  pins_.remove(kPage + 100, 10);
  pins_.remove(8 * kPage - 1, 2);
  EXPECT_EQ(Ranges{}, pinned_);
}

TEST_F(CudaHostPins, ARangeInsidePinnedPagesIsPinnedAlready) {
  EXPECT_TRUE(pins_.add(kPage, 4 * kPage).ok());
  EXPECT_TRUE(pins_.add(2 * kPage + 5, 10).ok());
  EXPECT_EQ((Ranges{{kPage, 4 * kPage}}), pinned_);
  pins_.remove(kPage, 4 * kPage);
  EXPECT_EQ((Ranges{{kPage, 4 * kPage}}), pinned_) << "the other range still needs it";
  pins_.remove(2 * kPage + 5, 10);
  EXPECT_EQ(Ranges{}, pinned_);
}

TEST_F(CudaHostPins, RangesThatShareAPageBecomeOne) {
  EXPECT_TRUE(pins_.add(kPage, kPage + 8).ok());
  EXPECT_TRUE(pins_.add(5 * kPage + 8, kPage).ok());
  EXPECT_EQ(2u, pinned_.size());
  EXPECT_TRUE(pins_.add(2 * kPage + 16, 3 * kPage).ok());
  EXPECT_EQ((Ranges{{kPage, 6 * kPage}}), pinned_);
  pins_.remove(kPage, kPage + 8);
  pins_.remove(2 * kPage + 16, 3 * kPage);
  EXPECT_EQ(1u, pinned_.size());
  pins_.remove(5 * kPage + 8, kPage);
  EXPECT_EQ(Ranges{}, pinned_);
}

TEST_F(CudaHostPins, NeighboursWithoutACommonPageStayApart) {
  EXPECT_TRUE(pins_.add(kPage, kPage).ok());
  EXPECT_TRUE(pins_.add(2 * kPage, kPage).ok());
  EXPECT_EQ(2u, pinned_.size());
}

TEST_F(CudaHostPins, AFailureLeavesAllAsItWas) {
  EXPECT_TRUE(pins_.add(kPage, 2 * kPage).ok());
  refuses_ = true;
  EXPECT_EQ(ACL_ERROR_RT_MEMORY_ALLOCATION, pins_.add(2 * kPage + 1, 3 * kPage).code);
  EXPECT_EQ((Ranges{{kPage, 2 * kPage}}), pinned_);
  pins_.remove(kPage, 2 * kPage);
  EXPECT_EQ(Ranges{}, pinned_);
}

TEST_F(CudaHostPins, WhatIsNotPinnedIsNotUnpinned) {
  EXPECT_TRUE(pins_.add(4 * kPage, kPage).ok());
  pins_.remove(kPage, 10);
  pins_.remove(9 * kPage, 10);
  EXPECT_EQ(1u, pinned_.size());
}

}  // namespace
}  // namespace ferry::cuda
