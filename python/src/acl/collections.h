// SPDX-License-Identifier: Apache-2.0
// Lists and dicts from Python, read into C++: what is missing or of a wrong type is a TypeError
// that names the place.
#ifndef FERRY_PYTHON_ACL_COLLECTIONS_H
#define FERRY_PYTHON_ACL_COLLECTIONS_H

#include "number.h"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::python {

// A list or tuple. Its items may change while they are read, since __index__ runs code of the
// program: length and items are looked at anew each time.
class Sequence {
 public:
  // `name` must outlive the sequence.
  Sequence(nb::handle object, const char* name);

  size_t size() const { return static_cast<size_t>(Py_SIZE(object_.ptr())); }
  nb::object operator[](size_t index) const;
  const char* name() const { return name_; }

 private:
  nb::object object_;
  const char* name_;
};

template <typename T>
std::vector<T> numbers_of(const Sequence& sequence) {
  std::vector<T> numbers;
  numbers.reserve(sequence.size());
  for (size_t i = 0; i < sequence.size(); ++i) {
    numbers.push_back(number_of<T>(sequence[i], sequence.name()));
  }
  return numbers;
}

// Addresses or handles.
std::vector<void*> pointers_of(const Sequence& sequence);
std::vector<void*> pointers_of(nb::handle list, const char* name);

// A dict; `name` says in errors which one, such as "attrs[2]".
class Dictionary {
 public:
  Dictionary(nb::handle object, std::string name);

  bool is_empty() const { return PyDict_Size(object_.ptr()) == 0; }
  bool has(const char* key) const { return find(key).ptr() != nullptr; }
  nb::object get(const char* key) const;
  std::string path_of(const char* key) const { return name_ + "[\"" + key + "\"]"; }

  template <typename T>
  T number(const char* key) const {
    return number_of<T>(get(key), path_of(key).c_str());
  }

 private:
  nb::handle find(const char* key) const;

  nb::object object_;
  std::string name_;
};

}  // namespace ferry::python

#endif
