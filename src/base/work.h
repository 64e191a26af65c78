// SPDX-License-Identifier: Apache-2.0
// Work as a value: making, cloning, comparing and printing it.
#pragma once

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace ferry {

// Work of this kind. Its origin is filled in at submission. Only the payload of the kind is
// written: clearing the rest of the union would cost more than everything else.
template <class Payload>
ferryx_work make_work(ferryx_work_kind kind, Payload ferryx_payload::*member,
                      const Payload& payload, uint64_t epoch = 0) {
  ferryx_work work;
  work.struct_size = offsetof(ferryx_work, as) + sizeof(Payload);
  work.kind = kind;
  work.epoch = epoch;
  work.as.*member = payload;
  return work;
}

// The number of bytes that the work moves or fills; 0 when unknown before it executes.
uint64_t bytes_of(const ferryx_work& work);

// One line: "aclrtMemcpyAsync, stream 3, task 7: copy of 64 bytes from 0x… to 0x…, host to device".
std::string describe(const ferryx_work& work);

// Whether both describe the same work of the same call, stream and context. Task number,
// correlation id and epoch are ignored. Arrays are compared by content.
bool is_same(const ferryx_work& a, const ferryx_work& b);

// A deep copy. It includes the arrays of copies and columns, the name and accesses of a kernel, and
// the source bytes of a copy with FERRYX_COPY_CAPTURE, which then reads from the clone. Handles and
// arguments are copied as they are: the owner of the clone must keep alive what they refer to.
class WorkClone {
 public:
  WorkClone() = default;  // empty
  explicit WorkClone(const ferryx_work& work);
  // The same batch as single copies with unresolved storage addresses.
  static WorkClone as_copies(const ferryx_work& columns);

  const ferryx_work& operator*() const { return work_; }
  const ferryx_work* operator->() const { return &work_; }
  ferryx_payload& payload() { return work_.as; }
  // The clone's own items of FERRYX_COPIES.
  ferryx_copy* items() { return items_.get(); }

 private:
  void clone_columns();
  void clone_kernel();
  void capture_source();

  ferryx_work work_{};
  std::unique_ptr<ferryx_copy[]> items_;
  std::unique_ptr<void*[]> addresses_;  // of columns: destinations, then sources
  std::unique_ptr<size_t[]> sizes_;
  std::unique_ptr<ferryx_access[]> accesses_;
  std::unique_ptr<char[]> captured_;  // source bytes of a copy; the name of a kernel
};

}  // namespace ferry
