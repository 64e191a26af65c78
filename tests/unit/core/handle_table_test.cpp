// SPDX-License-Identifier: Apache-2.0
// Handles: found, stale, never dereferenced.
#include "core/handle_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace ferry {
namespace {

struct Counted final : Handled {
  static constexpr HandleKind kHandleKind = HandleKind::kEvent;
  static std::atomic<int> alive;
  Counted() { ++alive; }
  ~Counted() { --alive; }
  int value = 0;
};
std::atomic<int> Counted::alive{0};

HandleTable<Counted>& table() {
  return HandleTable<Counted>::instance();
}

TEST(HandleTable, FindsWhatItHolds) {
  Ref<Counted> made = table().insert(std::make_unique<Counted>());
  made->value = 5;
  const Ref<Counted> found = table().find(made->handle());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 5);
  EXPECT_TRUE(table().remove(made->handle()));
}

TEST(HandleTable, HandlesAreNoAddressesAndNeverNull) {
  const Ref<Counted> made = table().insert(std::make_unique<Counted>());
  const auto number = reinterpret_cast<uint64_t>(made->handle());
  EXPECT_GE(number, uint64_t{1} << 48) << "user addresses end below";
  EXPECT_LT(number, uint64_t{1} << 63) << "positive as a signed number";
  table().remove(made->handle());
}

TEST(HandleTable, ARemovedObjectLivesWhileItIsReferredTo) {
  const int before = Counted::alive;
  void* handle = nullptr;
  {
    const Ref<Counted> made = table().insert(std::make_unique<Counted>());
    handle = made->handle();
    EXPECT_TRUE(table().remove(handle));
    EXPECT_FALSE(table().remove(handle)) << "only one of several removals succeeds";
    EXPECT_FALSE(table().find(handle));
    EXPECT_EQ(Counted::alive, before + 1);
    const Ref<Counted> copy = made;
    EXPECT_EQ(copy.get(), made.get());
  }
  EXPECT_EQ(Counted::alive, before);
}

TEST(HandleTable, AReusedSlotHasANewHandle) {
  void* first = nullptr;
  {
    const Ref<Counted> made = table().insert(std::make_unique<Counted>());
    first = made->handle();
    table().remove(first);
  }
  const Ref<Counted> second = table().insert(std::make_unique<Counted>());
  EXPECT_NE(second->handle(), first);
  EXPECT_FALSE(table().find(first));
  table().remove(second->handle());
}

TEST(HandleTable, RandomValuesAreNotFound) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100000; ++i) {
    EXPECT_FALSE(table().find(reinterpret_cast<void*>(random())));
  }
  int local = 0;
  EXPECT_FALSE(table().find(&local));
  EXPECT_FALSE(table().find(nullptr));
  EXPECT_FALSE(table().remove(reinterpret_cast<void*>(UINT64_MAX)));
}

TEST(HandleTable, ThreadsThatFindAndRemoveAtOnceAgree) {
  const int before = Counted::alive;
  for (int round = 0; round < 200; ++round) {
    void* handle = table().insert(std::make_unique<Counted>())->handle();
    std::atomic<int> removed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 20; ++k) {
          if (const Ref<Counted> found = table().find(handle)) {
            EXPECT_EQ(found->value, 0);
          }
        }
        if (table().remove(handle)) ++removed;
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    EXPECT_EQ(removed, 1);
  }
  EXPECT_EQ(Counted::alive, before);
}

TEST(HandleTable, HoldsMoreThanOneBlock) {
  std::vector<Ref<Counted>> many;
  for (int i = 0; i < 3000; ++i) {
    many.push_back(table().insert(std::make_unique<Counted>()));
    many.back()->value = i;
  }
  for (int i = 0; i < 3000; ++i) {
    const Ref<Counted> found = table().find(many[static_cast<size_t>(i)]->handle());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value, i);
  }
  for (const Ref<Counted>& one : many)
    EXPECT_TRUE(table().remove(one->handle()));
}

}  // namespace
}  // namespace ferry
