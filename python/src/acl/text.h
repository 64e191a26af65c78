// SPDX-License-Identifier: Apache-2.0
// C strings as str. Bytes that are not UTF-8 are replaced, so that conversion never raises.
#ifndef FERRY_PYTHON_ACL_TEXT_H
#define FERRY_PYTHON_ACL_TEXT_H

#include <nanobind/nanobind.h>

#include <cstring>

namespace ferry::python {

inline nanobind::str text_of(const char* text) {
  return nanobind::steal<nanobind::str>(
      PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "replace"));
}

}  // namespace ferry::python

#endif
