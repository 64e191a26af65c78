// SPDX-License-Identifier: Apache-2.0
// A random sequence of calls of virtual memory, valid and invalid ones. Each call is made and
// compared with the model at once; the calls so far are kept as C++ statements.
#pragma once

#include "model.h"

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace stress::virtual_memory {

// The library and the model disagree.
struct Difference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A value and how the reproducer writes it.
template <class Value>
struct Named {
  Value value;
  std::string text;
};
using Address = Named<uintptr_t>;
using Handle = Named<aclrtDrvMemHandle>;

inline void* pointer(uintptr_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT: made from a pointer
}

// A range whose ends lie on cells.
struct Range {
  Address start;
  size_t count;
};

// What a sequence needs: contexts of two devices, a stream of the first, and pinned memory.
struct Surroundings {
  aclrtContext contexts[kDevices];
  aclrtStream stream;
  uint8_t* pinned;
  size_t pinned_size;
  size_t capacity;
};

// Used by one thread, with the first context current.
class Sequence {
 public:
  Sequence(uint64_t seed, const Surroundings& surroundings)
      : random_(seed), surroundings_(surroundings), model_(surroundings.capacity) {}

  // Makes `calls` calls and gives everything back. Throws Difference.
  void run(size_t calls);
  // The body of a test that makes the calls so far.
  std::string reproducer() const;

 private:
  // objects.cpp
  void reserve();
  void release();
  void allocate();
  void free();
  void map();
  void unmap();
  void retain();
  void set_access();
  void get_access();
  void properties();
  void address_range();
  void attributes();
  void memory_info();
  void give_everything_back();
  void release_at(const Address& address);
  void free_handle(const Handle& handle);
  void unmap_at(const Address& address);

  // sharing.cpp
  void export_memory();
  void list_pid();
  void import();
  // Until memory that another thread of the library gives back is back.
  void wait_for_memory();

  // bytes.cpp
  void write();
  void read();
  void copy();
  aclError write_with(int form, const Range& range, int value);
  void expect_written(int form, const Range& range, int value, aclError code);
  // A queued copy that fails: at the call where it starts outside of mapped memory, else later.
  void expect_queued_failure(bool starts_mapped, aclError code);
  bool starts_mapped(const Range& range) const;
  bool is_on_device(const Range& range) const;

  // choices.cpp
  size_t pick(size_t count) { return static_cast<size_t>(random_() % count); }
  bool one_in(size_t count) { return pick(count) == 0; }
  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[pick(values.size())];
  }
  size_t any_size();
  Address any_address();
  Handle any_handle();
  Named<uint64_t> any_number();
  aclrtPhysicalMemProp any_prop();
  aclrtMemLocation any_location();
  Range any_range();
  std::string place_text(uintptr_t address) const;

  // Adds a statement and compares codes.
  void expect(aclError expected, aclError actual, const std::string& call);
  void fail(const std::string& what) const;

  std::mt19937_64 random_;
  const Surroundings& surroundings_;
  Model model_;
  std::vector<uintptr_t> addresses_;        // of all reservations so far, v0, v1 ...
  std::vector<aclrtDrvMemHandle> handles_;  // of all allocations so far, h0, h1 ...
  std::vector<uint64_t> numbers_;           // of all exports so far, n0, n1 ...
  std::vector<std::string> statements_;
};

}  // namespace stress::virtual_memory
