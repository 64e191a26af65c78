// SPDX-License-Identifier: Apache-2.0
// ThreadOwned: one object per thread, deleted with the thread or taken away from it.
#include "base/thread_owned.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace ferry {
namespace {

std::atomic<int> live_objects{0};

struct Counted {
  Counted() { ++live_objects; }
  ~Counted() { --live_objects; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  int value = 0;
};

using Owned = ThreadOwned<Counted>;

void on_new_thread(void (*body)()) {
  std::thread(body).join();
}

TEST(ThreadOwned, IsMadeOnFirstUseAndDeletedWithItsThread) {
  on_new_thread([] {
    EXPECT_EQ(nullptr, Owned::get_if_made());
    Owned::get().value = 7;
    EXPECT_EQ(7, Owned::get().value);
    EXPECT_EQ(&Owned::get(), Owned::get_if_made());
    EXPECT_EQ(1, live_objects);
  });
  EXPECT_EQ(0, live_objects);
}

TEST(ThreadOwned, IsGoneFromItsThreadOnceTaken) {
  on_new_thread([] {
    EXPECT_EQ(nullptr, Owned::take());
    Owned::get().value = 7;
    {
      const std::unique_ptr<Counted> taken = Owned::take();
      ASSERT_NE(nullptr, taken);
      EXPECT_EQ(7, taken->value);
      EXPECT_EQ(nullptr, Owned::get_if_made());
    }
    EXPECT_EQ(0, live_objects);
    EXPECT_EQ(0, Owned::get().value);
  });
  EXPECT_EQ(0, live_objects);
}

TEST(ThreadOwned, OutlivesItsThreadWhenTaken) {
  static std::unique_ptr<Counted> taken;
  on_new_thread([] {
    Owned::get().value = 7;
    taken = Owned::take();
  });
  ASSERT_NE(nullptr, taken);
  EXPECT_EQ(7, taken->value);
  taken.reset();
  EXPECT_EQ(0, live_objects);
}

}  // namespace
}  // namespace ferry
