// SPDX-License-Identifier: Apache-2.0
// Allocating and freeing, and the Python types Region and PinnedMemory.
#include "memory.h"

#include "../acl/lock.h"
#include "counters.h"
#include "dlpack.h"
#include "errors.h"
#include "growing.h"
#include "shared.h"

#include "acl/acl.h"

#include <nanobind/stl/string.h>

#include <utility>

namespace nb = nanobind;

namespace ferry::python {
namespace {

bool is_giving_back = true;

void make_region(Region* self, size_t nbytes, uint32_t policy) {
  new (self) Region{Memory::allocate(Kind::kDevice, nbytes, policy), 0, nbytes};
}

void make_part(Region* self, const Region& whole, size_t offset, size_t nbytes) {
  if (offset > whole.nbytes || nbytes > whole.nbytes - offset) {
    throw nb::value_error("the part does not lie inside the region");
  }
  new (self) Region{whole.memory, whole.offset + offset, nbytes};
}

void make_foreign(Region* self, uintptr_t address, size_t nbytes, int32_t device,
                  nb::handle owner) {
  new (self) Region{Memory::foreign(address, nbytes, device, owner.ptr()), 0, nbytes};
}

void make_growing(Region* self, size_t capacity, int32_t device) {
  new (self) Region{reserve_growing(capacity, device), 0, 0};
}

void make_shared(Region* self, const std::string& key, size_t nbytes) {
  new (self) Region{import_shared(key, nbytes), 0, nbytes};
}

uintptr_t region_address(const Region& region) {
  require_open(region);
  return reinterpret_cast<uintptr_t>(region.address());
}

int pinned_get_buffer(PyObject* self, Py_buffer* view, int flags) {
  const PinnedMemory& pinned = *nb::inst_ptr<PinnedMemory>(self);
  return PyBuffer_FillInfo(view, self, pinned.memory->address(),
                           static_cast<Py_ssize_t>(pinned.memory->nbytes()), 0, flags);
}

PyType_Slot pinned_slots[] = {
    {Py_bf_getbuffer, reinterpret_cast<void*>(pinned_get_buffer)},
    {0, nullptr},
};

}  // namespace

Memory::Memory(Kind kind, char* address, size_t nbytes, int32_t device, PyObject* owner)
    : kind_(kind), address_(address), nbytes_(nbytes), device_(device), owner_(owner) {
  Py_XINCREF(owner_);
  if (kind_ == Kind::kDevice) counters().device_bytes += nbytes_;
  if (kind_ == Kind::kDevice) ++counters().buffers;
  if (kind_ == Kind::kPinned) counters().pinned_bytes += nbytes_;
}

Memory::~Memory() {
  if (address_ != nullptr) give_back();
}

std::shared_ptr<Memory> Memory::allocate(Kind kind, size_t nbytes, uint32_t policy) {
  void* address = nullptr;
  int32_t device = -1;
  Outcome outcome;
  {
    const Unlocked unlocked;
    if (kind == Kind::kPinned) {
      outcome = outcome_of("aclrtMallocHost", aclrtMallocHost(&address, nbytes));
    } else {
      outcome = outcome_of(
          "aclrtMalloc", aclrtMalloc(&address, nbytes, static_cast<aclrtMemMallocPolicy>(policy)));
      if (outcome.is_success()) outcome = outcome_of("aclrtGetDevice", aclrtGetDevice(&device));
    }
  }
  if (!outcome.is_success()) {
    if (address != nullptr) static_cast<void>(aclrtFree(address));
    raise(outcome);
  }
  return std::shared_ptr<Memory>(
      new Memory(kind, static_cast<char*>(address), nbytes, device, nullptr));
}

std::shared_ptr<Memory> Memory::foreign(uintptr_t address, size_t nbytes, int32_t device,
                                        PyObject* owner) {
  if (address == 0) throw nb::value_error("address is 0");
  return std::shared_ptr<Memory>(
      new Memory(Kind::kForeign, reinterpret_cast<char*>(address), nbytes, device, owner));
}

std::shared_ptr<Memory> Memory::stored(void* address, size_t nbytes, int32_t device,
                                       std::unique_ptr<Storage> storage) {
  std::shared_ptr<Memory> memory(
      new Memory(Kind::kStored, static_cast<char*>(address), nbytes, device, nullptr));
  memory->storage_ = std::move(storage);
  return memory;
}

void Memory::close() {
  if (is_closed_) return;
  is_closed_ = true;
  if (pins_ == 0) give_back();
}

void Memory::unpin() {
  --pins_;
  if (pins_ != 0) return;
  if (is_closed_) {
    give_back();
  } else if (storage_ != nullptr) {
    storage_->become_idle();
  }
}

void Memory::give_back() {
  if (!gives_back()) {
    static_cast<void>(storage_.release());
    return;
  }
  // A finaliser cannot use the result of a free: after fork, for example, it always fails.
  if (kind_ == Kind::kDevice) {
    counters().device_bytes -= nbytes_;
    --counters().buffers;
    static_cast<void>(aclrtFree(address_));
  } else if (kind_ == Kind::kPinned) {
    counters().pinned_bytes -= nbytes_;
    static_cast<void>(aclrtFreeHost(address_));
  }
  storage_.reset();
  address_ = nullptr;
  PyObject* owner = owner_;
  owner_ = nullptr;
  Py_XDECREF(owner);  // last: it may run any code
}

void require_open(const Region& region) {
  if (region.memory->is_closed()) raise_closed("the Buffer is closed");
}

void stop_giving_back() {
  is_giving_back = false;
}

bool gives_back() {
  return is_giving_back;
}

void add_memory(nb::module_& module) {
  nb::class_<Region>(module, "Region", nb::is_weak_referenceable())
      .def("__init__", make_region, nb::arg("nbytes"), nb::arg("policy"))
      .def("__init__", make_part, nb::arg("whole"), nb::arg("offset"), nb::arg("nbytes"))
      .def("__init__", make_foreign, nb::arg("address"), nb::arg("nbytes"), nb::arg("device"),
           nb::arg("owner").none())
      .def("__init__", make_growing, nb::kw_only(), nb::arg("capacity"), nb::arg("device"))
      .def("__init__", make_shared, nb::kw_only(), nb::arg("key"), nb::arg("nbytes"))
      .def_prop_ro("address", region_address)
      .def_prop_ro("nbytes", [](const Region& region) { return region.nbytes; })
      .def_prop_ro("device_id", [](const Region& region) { return region.memory->device(); })
      .def_prop_ro("closed", [](const Region& region) { return region.memory->is_closed(); })
      .def_prop_ro("_piece_nbytes", piece_nbytes_of)
      .def("_resize", resize, nb::arg("nbytes"))
      .def("_close", [](const Region& region) { region.memory->close(); })
      .def("_dlpack", export_region, nb::arg("versioned"));
  nb::class_<PinnedMemory>(module, "PinnedMemory", nb::type_slots(pinned_slots))
      .def(
          "__init__",
          [](PinnedMemory* self, size_t nbytes) {
            new (self) PinnedMemory{Memory::allocate(Kind::kPinned, nbytes, 0)};
          },
          nb::arg("nbytes"));
}

}  // namespace ferry::python
