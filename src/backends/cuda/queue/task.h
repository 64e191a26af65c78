// SPDX-License-Identifier: Apache-2.0
// A task: work that a queue owns until it can be handed to CUDA or executed by the host. Most
// copies never become one: they go to CUDA during the submitting call.
#pragma once

#include "backends/cuda/plugin/services.h"
#include "base/work.h"

#include "ferry/backend.h"

#include <cstdint>
#include <string>

namespace ferry::cuda {

class Flag;
class Marker;

// Handles of the backend interface are pointers to objects of this backend.
inline Marker& of(ferryx_marker* marker) {
  return *reinterpret_cast<Marker*>(marker);
}
inline Flag& of(ferryx_flag* flag) {
  return *reinterpret_cast<Flag*>(flag);
}

// Whether no storage address of the items is NULL.
bool has_storage(const ferryx_copies& copies);

// Whether all storage addresses were resolved at submission and no memory was added or removed
// since. `epoch` is that of the work.
inline bool is_resolved(uint64_t epoch, const ferryx_copies& copies) {
  return epoch == services->memory_epoch() &&
         ((copies.flags & FERRYX_COPY_RESOLVED) != 0 || has_storage(copies));
}
inline bool is_resolved(uint64_t epoch, const ferryx_columns& /*columns*/) {
  return epoch == services->memory_epoch();
}

// A clone of the work that holds a reference to its marker or flag. Columns are held as single
// copies. Has one owner at a time: the submitter, then its queue.
class Task {
 public:
  explicit Task(const ferryx_work& work);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  const ferryx_work& work() const { return *clone_; }
  const ferryx_payload& payload() const { return clone_->as; }
  uint32_t kind() const { return clone_->kind; }
  Marker& marker() const { return of(clone_->as.marker.marker); }  // of FERRYX_MARK, FERRYX_AWAIT
  Flag& flag() const { return of(clone_->as.flag.flag); }  // of FERRYX_SET_FLAG, FERRYX_TAKE_FLAG

  // Validates the addresses of work that moves or fills bytes, and resolves them again if the
  // memory has changed. Returns "" or what is wrong; then nothing of the work may execute. The
  // contents of a descriptor or of a base pointer are validated on the device.
  std::string prepare();

 private:
  std::string prepare_copies();

  WorkClone clone_;
};

}  // namespace ferry::cuda
