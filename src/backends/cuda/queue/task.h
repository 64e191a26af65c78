// SPDX-License-Identifier: Apache-2.0
// A task: one thing queued on a stream, with all it needs when it is handed to CUDA later. Most
// tasks never become one: they go to CUDA during the call.
#pragma once

#include "ferry/backend.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ferry::cuda {

class Flag;
class Marker;

enum class TaskKind {
  kCopies,     // items, direction, captured
  kCopy2d,     // rows
  kDescribed,  // descriptor
  kIndirect,   // indirect
  kFill,       // fill
  kMark,       // marker
  kAwait,      // marker, timeout
  kSetFlag,    // flag
  kTakeFlag,   // flag, timeout
  kCallout,    // start, argument
};

// Plain data with one owner at a time: the submitter, then its queue.
struct Task {
  TaskKind kind = TaskKind::kCopies;
  ferryx_task origin{};
  std::vector<ferryx_copy> items;
  uint32_t direction = FERRYX_HOST_TO_DEVICE;
  std::unique_ptr<char[]> captured;  // the source bytes, taken at submission
  ferryx_copy_2d rows{};
  const void* descriptor = nullptr;
  ferryx_indirect_copy indirect{};
  ferryx_fill fill{};
  Marker* marker = nullptr;  // the task holds a reference
  Flag* flag = nullptr;      // the task holds a reference
  int64_t timeout = FERRYX_FOREVER;
  ferryx_callout_start start = nullptr;
  void* argument = nullptr;

  ferryx_copies copies() const;
};

// A task of its own for copies; takes the source bytes if that is asked for.
std::unique_ptr<Task> make_copies(const ferryx_task& origin, const ferryx_copies& copies);
std::unique_ptr<Task> make_copies(const ferryx_task& origin, const ferryx_columns& columns);

// Whether the task moves bytes.
bool is_work(TaskKind kind);

// Releases what the task refers to.
void let_go(Task& task);

// Whether all storage addresses were resolved at submission and no memory was added or removed
// since.
bool is_resolved(const ferryx_task& origin, const ferryx_copies& copies);
bool is_resolved(const ferryx_task& origin, const ferryx_columns& columns);

// Judges the addresses of a task that moves bytes and resolves them anew where the memory has
// changed. Returns "" or what is wrong; then nothing of it may run. What a descriptor or a base
// pointer says is judged on the device.
std::string prepare(Task& task);

}  // namespace ferry::cuda
