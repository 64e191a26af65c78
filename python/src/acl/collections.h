// SPDX-License-Identifier: Apache-2.0
// Reads Python lists and dicts into C++. A missing or wrongly typed item is a TypeError that names
// its place.
#ifndef FERRY_PYTHON_ACL_COLLECTIONS_H
#define FERRY_PYTHON_ACL_COLLECTIONS_H

#include "number.h"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::python {

// A list or tuple. Reading an item can run the program's __index__, which may change the list:
// length and items are read anew each time.
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

// A dict; `name` identifies it in errors, such as "attrs[2]".
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
