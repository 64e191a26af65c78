// SPDX-License-Identifier: Apache-2.0
// Remembered sites: each thread has its own, and one is valid only in the frame it was taken in.
#include "layers/check/report/recent_sites.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <thread>

namespace ferry::layers::check {
namespace {

const char kFunction[] = "aclrtMemcpy";
const char kOther[] = "aclrtMemset";

// Stays on the stack as long as the caller's frame.
const uintptr_t kReturnAddress = 4711;

RecentSites::Entry entry_of(const char* function, const void* frame, SiteId site) {
  RecentSites::Entry entry;
  entry.function = function;
  entry.frame = frame;
  entry.site = site;
  entry.marks.clear();
  entry.marks.add(&kReturnAddress, kReturnAddress);
  return entry;
}

TEST(RecentSites, IsOneForAThread) {
  RecentSites* const own = RecentSites::of_this_thread();
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(RecentSites::of_this_thread(), own);
  std::thread([&] {
    RecentSites* const other = RecentSites::of_this_thread();
    EXPECT_NE(other, nullptr);
    EXPECT_NE(other, own);
  }).join();
}

TEST(RecentSites, AnEntryIsFoundAgain) {
  RecentSites recent;
  const char frame = 0;
  recent.entry(kFunction, &frame) = entry_of(kFunction, &frame, 7);
  const RecentSites::Entry& found = recent.entry(kFunction, &frame);
  EXPECT_EQ(found.site, 7u);
  EXPECT_EQ(found.function, kFunction);
  EXPECT_EQ(found.frame, &frame);
}

TEST(RecentSites, AnotherFunctionOrFrameIsNotCurrent) {
  const char frames[2] = {};
  const RecentSites::Entry entry = entry_of(kFunction, &frames[0], 7);
  EXPECT_TRUE(entry.is_current(kFunction, &frames[0]));
  EXPECT_FALSE(entry.is_current(kOther, &frames[0]));
  EXPECT_FALSE(entry.is_current(kFunction, &frames[1]));
  EXPECT_FALSE(RecentSites::Entry().is_current(kFunction, &frames[0]));
}

TEST(RecentSites, HasRoomForSeveralPlacesOfALoop) {
  RecentSites recent;
  const char stack[8 * 64] = {};
  std::set<const RecentSites::Entry*> places;
  for (size_t i = 0; i < sizeof stack; i += 16)
    places.insert(&recent.entry(kFunction, stack + i));
  EXPECT_GE(places.size(), 4u);
  EXPECT_LE(places.size(), 8u);
}

}  // namespace
}  // namespace ferry::layers::check
