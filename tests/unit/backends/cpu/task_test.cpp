// SPDX-License-Identifier: Apache-2.0
// Lists and pools of tasks: no task is lost, and memory is kept where it is needed.
#include "backends/cpu/task.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace ferry::cpu {
namespace {

TaskList list_of(uint64_t count) {
  TaskList list;
  for (uint64_t i = 1; i <= count; ++i) {
    auto* task = new Task;
    task->sequence = i;
    list.push_back(task);
  }
  return list;
}

std::vector<uint64_t> sequences_in(const TaskList& list) {
  std::vector<uint64_t> sequences;
  for (const Task* task = list.front(); task != nullptr; task = task->next)
    sequences.push_back(task->sequence);
  EXPECT_EQ(sequences.size(), list.size());
  return sequences;
}

using Sequences = std::vector<uint64_t>;

TEST(TaskList, GivesUpItsFirstTasks) {
  TaskList list = list_of(5);
  const TaskList first = list.take_through(list.front()->next, 2);
  EXPECT_EQ((Sequences{1, 2}), sequences_in(first));
  EXPECT_EQ((Sequences{3, 4, 5}), sequences_in(list));
  TaskList rest = list.take_after(0);
  EXPECT_TRUE(list.empty());
  EXPECT_EQ((Sequences{3, 4, 5}), sequences_in(rest));
}

TEST(TaskList, GivesUpItsLastTasks) {
  TaskList list = list_of(4);
  EXPECT_EQ((Sequences{2, 3, 4}), sequences_in(list.take_after(1)));
  EXPECT_EQ((Sequences{1}), sequences_in(list));
  EXPECT_EQ(Sequences{}, sequences_in(list.take_after(1)));
  list.append(list_of(2));
  EXPECT_EQ((Sequences{1, 1, 2}), sequences_in(list));
  list.append(TaskList());
  list.push_back(new Task);
  EXPECT_EQ((Sequences{1, 1, 2, 0}), sequences_in(list));
}

TaskList list_with(std::unique_ptr<Task> task) {
  TaskList list;
  list.push_back(task.release());
  return list;
}

TEST(TaskPool, GivesRoomToThoseWhoNeedIt) {
  TaskPool pool;
  const std::vector<ferryx_copy> items(1000);
  std::unique_ptr<Task> batch = pool.take(items.size());
  batch->copies.assign(items);
  const Task* roomy = batch.get();
  pool.give_back(list_with(std::move(batch)));
  for (int i = 0; i < 100; ++i)
    pool.give_back(list_with(std::make_unique<Task>()));

  std::unique_ptr<Task> single = pool.take(1);
  EXPECT_NE(roomy, single.get());
  EXPECT_EQ(0u, single->copies.capacity());
  std::unique_ptr<Task> next_batch = pool.take(items.size());
  EXPECT_EQ(roomy, next_batch.get());
  EXPECT_GE(next_batch->copies.capacity(), items.size());
}

TEST(CopyList, HoldsOneItemOrMany) {
  CopyList list;
  const std::vector<ferryx_copy> many{
      {.dst = nullptr, .src = nullptr, .size = 1, .dst_storage = nullptr, .src_storage = nullptr},
      {.dst = nullptr, .src = nullptr, .size = 2, .dst_storage = nullptr, .src_storage = nullptr}};
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{1}, size_t{2}}) {
    list.assign({many.data(), count});
    ASSERT_EQ(count, list.size());
    for (size_t i = 0; i < count; ++i)
      EXPECT_EQ(i + 1, list[i].size);
  }
}

// Programs hold addresses; the storage is elsewhere. Items of one size are stored differently.
class CopyListOfColumns : public ::testing::TestWithParam<size_t> {};

TEST_P(CopyListOfColumns, HasTheItemsAndTheirStorage) {
  const size_t common_size = GetParam();
  char device[64];
  char storage[64];
  char host[64];
  void* const dsts[] = {device + 8, device + 32, device};
  void* const srcs[] = {host, host + 5, host + 40};
  const size_t even[] = {7, 7, 7};
  const size_t uneven[] = {5, 32, 1};
  const size_t* const sizes = common_size != 0 ? even : uneven;
  const auto memory_of = [](char* address, char* bytes) {
    return ferryx_memory{.address = address, .size = 64, .storage = bytes, .kind = 0, .device = 0};
  };
  CopyList list;
  const auto expect_items = [&](const auto& items) {
    for (size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(items[i].dst, dsts[i]);
      EXPECT_EQ(items[i].src, srcs[i]);
      EXPECT_EQ(items[i].size, sizes[i]);
      EXPECT_EQ(items[i].dst_storage, storage + (static_cast<char*>(dsts[i]) - device));
      EXPECT_EQ(items[i].src_storage, srcs[i]);
    }
  };
  for (const size_t count : {size_t{3}, size_t{1}, size_t{2}}) {
    list.assign(ferryx_columns{.dsts = dsts,
                               .srcs = srcs,
                               .sizes = sizes,
                               .count = count,
                               .common_size = common_size,
                               .dst = memory_of(device, storage),
                               .src = memory_of(host, host),
                               .direction = FERRYX_HOST_TO_DEVICE});
    ASSERT_EQ(list.size(), count);
    EXPECT_EQ(list.bytes(), std::accumulate(sizes, sizes + count, size_t{0}));
    expect_items(list);
    ASSERT_EQ(list.items().size(), count);
    expect_items(list.items());
    expect_items(list);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, CopyListOfColumns, ::testing::Values(0, 7));

}  // namespace
}  // namespace ferry::cpu
