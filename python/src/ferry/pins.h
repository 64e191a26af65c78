// SPDX-License-Identifier: Apache-2.0
// From a Python object to an address, and keeping its memory alive until a copy is complete.
#ifndef FERRY_PYTHON_PINS_H
#define FERRY_PYTHON_PINS_H

#include "dlpack.h"
#include "memory.h"

#include "acl/acl.h"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace ferry::python {

// One side of a copy.
struct Side {
  char* address = nullptr;
  size_t nbytes = 0;
  aclrtMemLocation location{0, ACL_MEM_LOCATION_TYPE_HOST};
};

enum class Role { kSource, kTarget };

// The argument being resolved; error texts name it.
struct Place {
  static constexpr Py_ssize_t kNoItem = -1;
  Role role;
  Py_ssize_t item = kNoItem;
};

// Keeps the memory of some objects alive. Buffers stay exported, so that a bytearray cannot be
// resized and an mmap cannot be closed. A Buffer that is closed meanwhile is freed later. Used
// under the interpreter lock only.
class Pins {
 public:
  Pins() = default;
  ~Pins() { release(); }
  Pins(const Pins&) = delete;
  Pins& operator=(const Pins&) = delete;

  // Sets the most calls of add(); must come before the first of them.
  void prepare(size_t most);

  // Adds an object.
  Side add(nanobind::handle object, Place place);

  // Releases all objects.
  void release();
  bool is_released() const { return is_released_; }

  // From now on a stream uses the memory, and an event tells when that ends. Before, only the
  // queueing call knows.
  void set_queued() { is_queued_ = true; }
  bool is_queued() const { return is_queued_; }

 private:
  bool add_buffer(nanobind::handle object, Place place, Side& side);
  bool add_tensor(nanobind::handle object, Place place, Side& side);
  bool add_array_interface(nanobind::handle object, Place place, Side& side);

  struct Held {
    // Never grows beyond its first capacity: some exporters keep pointers into the Py_buffer.
    std::vector<Py_buffer> buffers;
    std::vector<std::shared_ptr<Memory>> memories;
    std::vector<dlpack::Taken> tensors;
    std::vector<PyObject*> objects;
  };

  Held held_;
  bool is_released_ = false;
  bool is_queued_ = false;
};

void add_pins(nanobind::module_& module);

}  // namespace ferry::python

#endif
