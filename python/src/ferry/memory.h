// SPDX-License-Identifier: Apache-2.0
// The memory behind the Python objects of the package ferry, and when it is freed. The code that
// reads and writes it is in copies.cpp.
#ifndef FERRY_PYTHON_MEMORY_H
#define FERRY_PYTHON_MEMORY_H

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ferry::python {

enum class Kind {
  kDevice,   // from aclrtMalloc, ours to free
  kPinned,   // from aclrtMallocHost, ours to free
  kForeign,  // owned by others; kept alive by an object, if at all
  kStored,   // freed by a Storage
};

// Memory that takes more than one call to free, in growing.cpp and shared.cpp. Its destructor frees
// it, under the interpreter lock.
class Storage {
 public:
  Storage() = default;
  virtual ~Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // Called under the interpreter lock when the last copy that used the memory is complete.
  virtual void become_idle() {}
};

// One allocation. Its members change under the interpreter lock only. Closing it forbids later use;
// the memory itself is freed when no copy uses it any more.
class Memory {
 public:
  static std::shared_ptr<Memory> allocate(Kind kind, size_t nbytes, uint32_t policy);
  static std::shared_ptr<Memory> foreign(uintptr_t address, size_t nbytes, int32_t device,
                                         PyObject* owner);
  static std::shared_ptr<Memory> stored(void* address, size_t nbytes, int32_t device,
                                        std::unique_ptr<Storage> storage);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  char* address() const { return address_; }
  size_t nbytes() const { return nbytes_; }
  int32_t device() const { return device_; }  // negative: host memory
  bool is_closed() const { return is_closed_; }
  Storage* storage() const { return storage_.get(); }  // null for the other kinds

  void close();
  void pin() { ++pins_; }
  void unpin();

 private:
  Memory(Kind kind, char* address, size_t nbytes, int32_t device, PyObject* owner);
  void give_back();

  Kind kind_;
  char* address_;
  size_t nbytes_;
  int32_t device_;
  PyObject* owner_;
  std::unique_ptr<Storage> storage_;
  size_t pins_ = 0;
  bool is_closed_ = false;
};

// A slice of an allocation: the memory of a Buffer or of a slice of one.
struct Region {
  std::shared_ptr<Memory> memory;
  size_t offset = 0;
  size_t nbytes = 0;

  char* address() const { return memory->address() + offset; }
};

// Pinned host memory with the buffer protocol; lives as long as the object.
struct PinnedMemory {
  std::shared_ptr<Memory> memory;
};

// Raises ferry.ClosedError when the region's buffer is closed.
void require_open(const Region& region);

// After this nothing is freed: the process is about to exit, and work may still be running.
void stop_giving_back();
bool gives_back();

void add_memory(nanobind::module_& module);

}  // namespace ferry::python

#endif
