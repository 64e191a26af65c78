// SPDX-License-Identifier: Apache-2.0
// Capsules in both forms of DLPack. A consumed capsule is renamed, so that its destructor leaves
// the tensor alone.
#include "dlpack.h"

#include "errors.h"

#include <memory>
#include <utility>

namespace nb = nanobind;

namespace ferry::python {
namespace {

constexpr const char* kPlainName = "dltensor";
constexpr const char* kPlainUsedName = "used_dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";
constexpr const char* kVersionedUsedName = "used_dltensor_versioned";

// What an exported tensor owns.
struct Export {
  std::shared_ptr<Memory> memory;
  int64_t shape[1];
  int64_t strides[1];
};

void end_export(void* manager) {
  // The consumer may call this from any thread, and after the interpreter has ended.
  if (Py_IsInitialized() == 0 || !gives_back()) return;
  const nb::gil_scoped_acquire locked;
  auto* owned = static_cast<Export*>(manager);
  owned->memory->unpin();
  delete owned;
}

template <typename Managed>
void delete_managed(Managed* managed) {
  end_export(managed->manager);
  delete managed;
}

template <typename Managed>
void destroy_capsule(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

void destroy_plain(PyObject* capsule) {
  destroy_capsule<dlpack::ManagedTensor>(capsule, kPlainName);
}

void destroy_versioned(PyObject* capsule) {
  destroy_capsule<dlpack::ManagedTensorVersioned>(capsule, kVersionedName);
}

template <typename Managed>
std::unique_ptr<Managed> managed_tensor(const Region& region) {
  auto owned = std::make_unique<Export>();
  owned->memory = region.memory;
  owned->shape[0] = static_cast<int64_t>(region.nbytes);
  owned->strides[0] = 1;
  auto managed = std::make_unique<Managed>();
  dlpack::Tensor& tensor = managed->tensor;
  tensor.data = region.address();
  tensor.device = {dlpack::kExternalDevice, region.memory->device()};
  tensor.ndim = 1;
  tensor.dtype = {dlpack::kUnsignedInteger, 8, 1};
  tensor.shape = owned->shape;
  tensor.strides = owned->strides;
  tensor.byte_offset = 0;
  managed->deleter = delete_managed<Managed>;
  managed->manager = owned.release();
  region.memory->pin();
  return managed;
}

template <typename Managed>
nb::object capsule_of(std::unique_ptr<Managed> managed, const char* name,
                      PyCapsule_Destructor destructor) {
  PyObject* capsule = PyCapsule_New(managed.get(), name, destructor);
  Managed* const tensor = managed.release();
  if (capsule == nullptr) {
    tensor->deleter(tensor);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

nb::object ask_for_capsule(nb::handle object) {
  const nb::object method = object.attr("__dlpack__");
  try {
    return method(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& error) {
    // Objects of DLPack versions before 1 do not know the argument.
    if (!error.matches(PyExc_TypeError)) throw;
  }
  return method();
}

}  // namespace

nb::object export_region(const Region& region, bool is_versioned) {
  require_open(region);
  if (is_versioned) {
    auto managed = managed_tensor<dlpack::ManagedTensorVersioned>(region);
    managed->version = {1, 0};
    managed->flags = 0;
    return capsule_of(std::move(managed), kVersionedName, destroy_versioned);
  }
  return capsule_of(managed_tensor<dlpack::ManagedTensor>(region), kPlainName, destroy_plain);
}

namespace dlpack {

Taken take(nb::handle object) {
  const nb::object capsule = ask_for_capsule(object);
  Taken taken;
  if (PyCapsule_IsValid(capsule.ptr(), kVersionedName) != 0) {
    taken.versioned =
        static_cast<ManagedTensorVersioned*>(PyCapsule_GetPointer(capsule.ptr(), kVersionedName));
    if (taken.versioned->version.major != 1) {
      raise_python(PyExc_BufferError, "the tensor has a version of DLPack other than 1");
    }
    PyCapsule_SetName(capsule.ptr(), kVersionedUsedName);
  } else if (PyCapsule_IsValid(capsule.ptr(), kPlainName) != 0) {
    taken.plain = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kPlainName));
    PyCapsule_SetName(capsule.ptr(), kPlainUsedName);
  } else {
    raise_python(PyExc_TypeError, "__dlpack__ did not return a tensor that can be used");
  }
  return taken;
}

bool Taken::is_contiguous() const {
  const Tensor& t = tensor();
  if (t.strides == nullptr) return true;
  int64_t expected = 1;
  for (int32_t i = t.ndim - 1; i >= 0; --i) {
    if (t.shape[i] == 0) return true;
    if (t.shape[i] != 1 && t.strides[i] != expected) return false;
    expected *= t.shape[i];
  }
  return true;
}

size_t Taken::nbytes() const {
  const Tensor& t = tensor();
  size_t elements = 1;
  for (int32_t i = 0; i < t.ndim; ++i)
    elements *= static_cast<size_t>(t.shape[i]);
  return (elements * t.dtype.bits * t.dtype.lanes + 7) / 8;
}

void Taken::release() const {
  if (plain != nullptr && plain->deleter != nullptr) plain->deleter(plain);
  if (versioned != nullptr && versioned->deleter != nullptr) versioned->deleter(versioned);
}

}  // namespace dlpack
}  // namespace ferry::python
