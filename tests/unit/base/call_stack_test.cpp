// SPDX-License-Identifier: Apache-2.0
// When a remembered stack walk may be reused.
#include "base/call_stack.h"

#include <gtest/gtest.h>

#include <vector>

namespace ferry {
namespace {

TEST(StackMarks, KnowNothingBeforeAWalk) {
  StackMarks marks;
  EXPECT_FALSE(marks.are_there());
  marks.clear();
  EXPECT_FALSE(marks.are_there()) << "a walk without frames";
}

TEST(StackMarks, AreThereUntilOneReturnAddressChanges) {
  std::vector<uintptr_t> stack{10, 20, 30};
  StackMarks marks;
  marks.clear();
  for (const uintptr_t& place : stack)
    marks.add(&place, place);
  EXPECT_TRUE(marks.are_there());
  for (uintptr_t& place : stack) {
    place += 1;
    EXPECT_FALSE(marks.are_there());
    place -= 1;
  }
  EXPECT_TRUE(marks.are_there());
}

TEST(StackMarks, GiveUpWhereAnAddressIsNotAtItsPlace) {
  const uintptr_t place = 10;
  StackMarks marks;
  marks.clear();
  marks.add(&place, 10);
  marks.add(&place, 11);
  EXPECT_FALSE(marks.are_there());
  marks.add(&place, 10);
  EXPECT_FALSE(marks.are_there()) << "later frames do not make it valid again";
  marks.clear();
  marks.add(&place, 10);
  EXPECT_TRUE(marks.are_there());
}

TEST(StackMarks, GiveUpOnDeepStacks) {
  const uintptr_t place = 10;
  StackMarks marks;
  marks.clear();
  for (int i = 0; i < 1000; ++i)
    marks.add(&place, 10);
  EXPECT_FALSE(marks.are_there());
}

}  // namespace
}  // namespace ferry
