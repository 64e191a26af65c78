// SPDX-License-Identifier: Apache-2.0
// acl.util: addresses of Python objects, and objects made from addresses. Nothing here uses numpy's
// headers: an array is recognised by its __array_interface__.
#include "binding.h"
#include "chapters.h"
#include "collections.h"
#include "host_read.h"
#include "kept_inputs.h"

#include <nanobind/stl/tuple.h>

#include <limits>
#include <string>
#include <vector>

namespace ferry::python {
namespace {

void warn(PyObject* category, const char* text) {
  if (PyErr_WarnEx(category, text, 1) != 0) throw nb::python_error();
}

uintptr_t bytes_to_ptr(const nb::bytes& data) {
  keep_input(data, data.size());
  return reinterpret_cast<uintptr_t>(data.data());
}

// Checked before memory is allocated for a copy that cannot be read anyway.
bool are_ends_readable(Address address, size_t size) {
  if (size == 0) return true;
  if (address.value > UINTPTR_MAX - size) return false;
  const char* const start = pointer_of<const char>(address);
  return can_read_host_memory(start, 1) && can_read_host_memory(start + size - 1, 1);
}

nb::bytes ptr_to_bytes(Address address, Number<size_t> size) {
  if (!are_ends_readable(address, size.value)) raise_not_readable(address.value, size.value);
  auto bytes =
      nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size.value)));
  if (!bytes.is_valid()) throw nb::python_error();
  char* target = PyBytes_AS_STRING(bytes.ptr());
  const bool is_read = unlocked(
      [&] { return read_host_memory(target, pointer_of<const void>(address), size.value); });
  if (!is_read) raise_not_readable(address.value, size.value);
  return bytes;
}

nb::object array_interface(const nb::object& array) {
  nb::object interface = nb::getattr(array, "__array_interface__", nb::none());
  if (PyDict_Check(interface.ptr()) == 0) {
    PyErr_Format(PyExc_TypeError, "an ndarray is needed, not %s", Py_TYPE(array.ptr())->tp_name);
    throw nb::python_error();
  }
  return interface;
}

uintptr_t address_of(const nb::object& array) {
  return number_of<uintptr_t>(array_interface(array)["data"][0], "the address of the array");
}

bool is_contiguous(const nb::object& array) {
  return nb::cast<bool>(array.attr("flags").attr("c_contiguous"));
}

uintptr_t numpy_to_ptr(const nb::object& array) {
  const uintptr_t address = address_of(array);
  warn(PyExc_DeprecationWarning, "numpy_to_ptr is deprecated, use bytes_to_ptr");
  if (!is_contiguous(array)) {
    warn(PyExc_RuntimeWarning,
         "the array is not contiguous: what lies at its address is not the array alone; "
         "use numpy_contiguous_to_ptr");
  }
  keep_input(array, nb::cast<size_t>(array.attr("nbytes")));
  return address;
}

std::tuple<uintptr_t, nb::object> numpy_contiguous_to_ptr(const nb::object& array) {
  array_interface(array);
  warn(PyExc_DeprecationWarning, "numpy_contiguous_to_ptr is deprecated, use bytes_to_ptr");
  nb::object result = array;
  if (!is_contiguous(array)) {
    result = nb::module_::import_("numpy").attr("ascontiguousarray")(array);
  }
  keep_input(result, nb::cast<size_t>(result.attr("nbytes")));
  return {address_of(result), result};
}

// The one-letter type code for a type number of numpy's C interface.
const char* type_code(int32_t number) {
  static constexpr const char* kCodes[] = {"?", "b", "B", "h", "H", "i", "I", "l", "L",
                                           "q", "Q", "f", "d", "g", "F", "D", "G"};
  constexpr int32_t kHalf = 23;
  if (number == kHalf) return "e";
  if (number >= 0 && number < static_cast<int32_t>(std::size(kCodes))) return kCodes[number];
  PyErr_Format(PyExc_ValueError, "npy_type is %d, allowed is 0 to 16 and 23", number);
  throw nb::python_error();
}

// The size of an array in bytes. Raises when the product of the shape overflows.
size_t bytes_of(const std::vector<size_t>& shape, size_t item_size) {
  size_t bytes = item_size;
  for (const size_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes) ||
        bytes > static_cast<size_t>(std::numeric_limits<Py_ssize_t>::max())) {
      PyErr_SetString(PyExc_ValueError, "an array of this shape is larger than memory can be");
      throw nb::python_error();
    }
  }
  return bytes;
}

nb::object ptr_to_numpy(Address address, const nb::object& shape_object, Number<int32_t> type) {
  const Sequence shape_list(shape_object, "shape");
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object dtype = numpy.attr("dtype")(type_code(type.value));
  const std::vector<size_t> shape = numbers_of<size_t>(shape_list);
  const size_t size = bytes_of(shape, nb::cast<size_t>(dtype.attr("itemsize")));
  warn(PyExc_DeprecationWarning, "ptr_to_numpy is deprecated, use ptr_to_bytes");
  if (size == 0) return numpy.attr("empty")(shape_object, dtype);
  const bool is_readable =
      unlocked([&] { return can_read_host_memory(pointer_of<const void>(address), size); });
  if (!is_readable) raise_not_readable(address.value, size);
  const auto view = nb::steal(PyMemoryView_FromMemory(pointer_of<char>(address),
                                                      static_cast<Py_ssize_t>(size), PyBUF_WRITE));
  return numpy.attr("ndarray")(shape_object, dtype, view);
}

}  // namespace

void add_pointers(nb::module_& util) {
  define(util, "bytes_to_ptr", "(data: bytes, /) -> int",
         "Address of the bytes. Keep a reference: only the latest inputs are kept alive.",
         bytes_to_ptr);
  define(util, "ptr_to_bytes", "(ptr: int, size: int, /) -> bytes",
         "A copy of host memory. ValueError if the host cannot read it.", ptr_to_bytes);
  define(util, "numpy_to_ptr", "(array: Any, /) -> int",
         "Address of an array. Deprecated; warns if the array is not contiguous.", numpy_to_ptr);
  define(util, "numpy_contiguous_to_ptr", "(array: Any, /) -> tuple[int, Any]",
         "Address of an array made contiguous, and that array. Deprecated.",
         numpy_contiguous_to_ptr);
  define(util, "ptr_to_numpy", "(ptr: int, shape: tuple[int, ...], npy_type: int, /) -> Any",
         "An array over host memory, which must outlive it; npy_type is numpy's number.\n"
         "Deprecated. ValueError if the host cannot read it.",
         ptr_to_numpy);
}

}  // namespace ferry::python
