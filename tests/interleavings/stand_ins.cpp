// SPDX-License-Identifier: Apache-2.0
// What the queue needs beside its own sources: tasks whose bytes are a record, and a runtime in
// which nothing fails. Device functions are not explored.
#include "backends/cpu/copy.h"
#include "backends/cpu/function_threads.h"
#include "backends/cpu/services.h"
#include "backends/cpu/stream_copy.h"
#include "backends/cpu/value_watch.h"
#include "stage.h"

#include <memory>
#include <string>

namespace ferry::cpu {
namespace {

// All memory is live.
int find_any_memory(const void* address, ferryx_memory* found) {
  auto* start = const_cast<void*>(address);
  *found = {.address = start,
            .size = sizeof(uint64_t),
            .storage = start,
            .kind = FERRYX_MEMORY_DEVICE,
            .device = 0};
  return 1;
}
uint64_t constant_epoch() {
  return 0;
}
ferryx_after_fault note_failure(void* cookie, const ferryx_fault* /*fault*/) {
  static_cast<interleavings::Stream*>(cookie)->note_failure();
  return FERRYX_CONTINUE;
}
ferryx_after_fault never_stop(void* /*cookie*/) {
  return FERRYX_CONTINUE;
}
constexpr ferryx_runtime kServices{.struct_size = sizeof(ferryx_runtime),
                                   .fail = nullptr,
                                   .find_memory = find_any_memory,
                                   .memory_epoch = constant_epoch,
                                   .work_failed = note_failure,
                                   .before_work = never_stop,
                                   .log = nullptr,
                                   .requested_size = nullptr,
                                   .move_bytes = nullptr};

interleavings::Record& record_of(const Task& task) {
  return *static_cast<interleavings::Record*>(task.origin.context);
}

}  // namespace

ValueWatch& value_watch() {
  return *interleavings::watch_of_run;
}

// ---- the runtime ----

const ferryx_runtime* services = &kServices;

Clock::time_point deadline_after(int64_t /*timeout*/) {
  return Clock::time_point::max();
}

int DeviceCall::operator()(int /*run*/) const {
  return 0;
}

DeviceCall call_of(const Task& /*task*/) {
  return {};
}

bool run_device_function(const DeviceCall& /*function*/, std::shared_ptr<Link> /*link*/) {
  return false;
}

// ---- bytes ----

std::string prepare(Task& /*task*/) {
  return {};
}
uint64_t cost_of(const Task& task) {
  return task.copies.bytes();
}
bool is_small(const Task& task) {
  return task.kind == FERRYX_COPIES && cost_of(task) == 1;
}
uint64_t cache_size() {
  return UINT64_MAX;
}
bool is_at_end(const Task& /*task*/, const Cursor& cursor) {
  return cursor.item == interleavings::kHalves;
}
bool cut_piece(const Task& task, Cursor& cursor, Cut /*cut*/, Piece& piece) {
  if (is_at_end(task, cursor)) return false;
  piece = {.from = cursor, .amount = 1};
  ++cursor.item;
  return true;
}
const void* run_piece(const Task& task, const Piece& piece) {
  record_of(task).execute(task.origin.task, static_cast<uint32_t>(piece.from.item));
  return nullptr;
}
const void* run_whole(const Task& task) {
  record_of(task).execute(task.origin.task);
  return nullptr;
}
const void* run_small(const Task& task) {
  return run_whole(task);
}

}  // namespace ferry::cpu
