// SPDX-License-Identifier: Apache-2.0
// Integer arguments: anything with __index__ (int, bool, IntEnum, numpy's integers) that fits into
// the C type. Anything else is a TypeError; nothing is truncated or rounded.
#ifndef FERRY_PYTHON_ACL_NUMBER_H
#define FERRY_PYTHON_ACL_NUMBER_H

#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace ferry::python {

namespace nb = nanobind;

template <typename T>
struct Number {
  T value;
};

using Address = Number<uintptr_t>;

// Raises TypeError: `source` is an integer, but not one from `lowest` to `highest`.
[[noreturn]] void raise_out_of_range(PyObject* source, long long lowest,
                                     unsigned long long highest);

enum class Loaded { kNumber, kOutOfRange, kNoInteger };

// CPython reports whether an int fits into its widest type; a comparison finds what T truncates.
template <typename T>
Loaded load_int(PyObject* source, T* result) noexcept {
  if constexpr (std::is_signed_v<T>) {
    int overflow = 0;
    const long long wide = PyLong_AsLongLongAndOverflow(source, &overflow);
    *result = static_cast<T>(wide);
    return overflow == 0 && *result == wide ? Loaded::kNumber : Loaded::kOutOfRange;
  } else {
    const unsigned long long wide = PyLong_AsUnsignedLongLong(source);
    if (wide == std::numeric_limits<unsigned long long>::max() && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      return Loaded::kOutOfRange;
    }
    *result = static_cast<T>(wide);
    return *result == wide ? Loaded::kNumber : Loaded::kOutOfRange;
  }
}

template <typename T>
Loaded load_number(PyObject* source, T* result) noexcept {
  if (PyLong_Check(source) != 0) return load_int(source, result);
  if (PyIndex_Check(source) == 0) return Loaded::kNoInteger;
  PyObject* index = PyNumber_Index(source);
  if (index == nullptr) {
    PyErr_Clear();
    return Loaded::kNoInteger;
  }
  const Loaded loaded = load_int(index, result);
  Py_DECREF(index);
  return loaded;
}

template <typename T>
[[noreturn]] void raise_out_of_range_of(PyObject* source) {
  raise_out_of_range(source, static_cast<long long>(std::numeric_limits<T>::min()),
                     static_cast<unsigned long long>(std::numeric_limits<T>::max()));
}

// For numbers inside lists and dicts; `what` names the place, such as "sizes[3]".
template <typename T>
T number_of(nb::handle source, const char* what) {
  T result{};
  switch (load_number(source.ptr(), &result)) {
    case Loaded::kNumber:
      return result;
    case Loaded::kOutOfRange:
      raise_out_of_range_of<T>(source.ptr());
    case Loaded::kNoInteger:
      break;
  }
  PyErr_Format(PyExc_TypeError, "%s must be an int, not %s", what, Py_TYPE(source.ptr())->tp_name);
  throw nb::python_error();
}

}  // namespace ferry::python

template <typename T>
struct nanobind::detail::type_caster<ferry::python::Number<T>> {
  // nanobind requires this name.
  static constexpr auto Name = const_name("int");  // NOLINT(readability-identifier-naming)
  template <typename>
  using Cast = ferry::python::Number<T>;
  template <typename>
  static constexpr bool can_cast() {
    return true;
  }

  // The types of flags and list differ between versions of nanobind.
  template <typename Flags, typename Cleanup>
  bool from_python(handle source, Flags, Cleanup*) noexcept {
    source_ = source.ptr();
    loaded_ = ferry::python::load_number(source_, &number_.value);
    return loaded_ != ferry::python::Loaded::kNoInteger;
  }

  explicit operator ferry::python::Number<T>() {
    if (loaded_ == ferry::python::Loaded::kOutOfRange) {
      ferry::python::raise_out_of_range_of<T>(source_);
    }
    return number_;
  }

 private:
  PyObject* source_ = nullptr;
  ferry::python::Loaded loaded_ = ferry::python::Loaded::kNoInteger;
  ferry::python::Number<T> number_{};
};

#endif
