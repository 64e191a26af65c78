// SPDX-License-Identifier: Apache-2.0
// The record of a work, made from its value.
#pragma once

#include "base/trace_options.h"
#include "layers/trace/records.h"

#include "ferry/backend.h"

#include <cstddef>

namespace ferry::layers::trace {

// A record with all its parts, in its order.
class WorkNote {
 public:
  // `queue` is NULL for work that is executed during the call. Only what the origin says.
  WorkNote(const ferryx_queue* queue, const ferryx_work& work);

  // In this order, with RunPart and ExecutedPart between the first two: bytes, addresses and
  // memory; what the options ask for; the name of a kernel.
  void describe(const ferryx_work& work);
  void add_contents(const ferryx_work& work, const TraceOptions& options);
  void add_kernel_name(const char* name);

  WorkRecord& record() { return *reinterpret_cast<WorkRecord*>(room_); }
  // Parts are added in the order of WorkPart.
  template <class Part>
  void add(WorkPart which, const Part& part) {
    add_bytes(which, &part, sizeof part);
  }

 private:
  void add_bytes(WorkPart which, const void* part, size_t size);

  static constexpr size_t kRoom = sizeof(WorkRecord) + sizeof(BatchPart) + sizeof(RowsPart) +
                                  sizeof(RunPart) + sizeof(ExecutedPart) + sizeof(HashPart) +
                                  sizeof(ItemsPart) + sizeof(NamePart) + sizeof(MarkerPart);
  alignas(8) std::byte room_[kRoom];
};

// The parts of a record; NULL where it has none.
struct WorkParts {
  explicit WorkParts(const WorkRecord& record);

  const BatchPart* batch = nullptr;
  const RowsPart* rows = nullptr;
  const RunPart* run = nullptr;
  const ExecutedPart* executed = nullptr;
  const HashPart* hash = nullptr;
  const ItemsPart* items = nullptr;
  const NamePart* name = nullptr;
  const MarkerPart* marker = nullptr;
};

}  // namespace ferry::layers::trace
