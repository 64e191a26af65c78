// SPDX-License-Identifier: Apache-2.0
#include "collections.h"

#include <utility>

namespace ferry::python {
namespace {

[[noreturn]] void raise_wrong_type(const char* name, const char* wanted, nb::handle object) {
  PyErr_Format(PyExc_TypeError, "%s must be a %s, not %s", name, wanted,
               Py_TYPE(object.ptr())->tp_name);
  throw nb::python_error();
}

}  // namespace

Sequence::Sequence(nb::handle object, const char* name) : object_(nb::borrow(object)), name_(name) {
  const bool is_sequence = PyList_Check(object.ptr()) != 0 || PyTuple_Check(object.ptr()) != 0;
  if (!is_sequence) raise_wrong_type(name, "list", object);
}

nb::object Sequence::operator[](size_t index) const {
  const auto place = static_cast<Py_ssize_t>(index);
  PyObject* item = PyList_Check(object_.ptr()) != 0 ? PyList_GET_ITEM(object_.ptr(), place)
                                                    : PyTuple_GET_ITEM(object_.ptr(), place);
  return nb::borrow(item);
}

std::vector<void*> pointers_of(const Sequence& sequence) {
  std::vector<void*> pointers;
  pointers.reserve(sequence.size());
  for (size_t i = 0; i < sequence.size(); ++i) {
    const auto address = number_of<uintptr_t>(sequence[i], sequence.name());
    pointers.push_back(reinterpret_cast<void*>(address));
  }
  return pointers;
}

std::vector<void*> pointers_of(nb::handle list, const char* name) {
  return pointers_of(Sequence(list, name));
}

Dictionary::Dictionary(nb::handle object, std::string name)
    : object_(nb::borrow(object)), name_(std::move(name)) {
  if (PyDict_Check(object.ptr()) == 0) raise_wrong_type(name_.c_str(), "dict", object);
}

nb::handle Dictionary::find(const char* key) const {
  return PyDict_GetItemString(object_.ptr(), key);
}

nb::object Dictionary::get(const char* key) const {
  const nb::handle item = find(key);
  if (item.ptr() == nullptr) {
    PyErr_Format(PyExc_TypeError, "%s has no key \"%s\"", name_.c_str(), key);
    throw nb::python_error();
  }
  return nb::borrow(item);
}

}  // namespace ferry::python
