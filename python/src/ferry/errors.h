// SPDX-License-Identifier: Apache-2.0
// From codes of the C interface to exceptions of the package ferry. The classes themselves are in
// Python, in ferry/errors.py.
#ifndef FERRY_PYTHON_ERRORS_H
#define FERRY_PYTHON_ERRORS_H

#include "acl/acl_base_rt.h"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ferry::python {

// How a call ended. The error is fetched with it, because a later call may replace it.
struct Outcome {
  static constexpr size_t kNoIndex = SIZE_MAX;

  aclError code = ACL_SUCCESS;
  std::string function;
  std::string text;
  // Fields of the error; "" where they do not apply.
  std::string message_code;
  std::string argument;
  std::string value;
  std::string allowed;
  size_t index = kNoIndex;  // the item of a batch that is at fault

  bool is_success() const { return code == ACL_SUCCESS; }
};

// Needs no interpreter lock. Without `function` it is the one that the error names.
Outcome outcome_of(const char* function, aclError code);

// The arguments of from_code in ferry/errors.py.
nanobind::tuple as_tuple(const Outcome& outcome);

// All three throw; the interpreter lock is held.
[[noreturn]] void raise(const Outcome& outcome);
[[noreturn]] void raise_closed(const char* text);
[[noreturn]] void raise_python(PyObject* type, const std::string& text);

}  // namespace ferry::python

#endif
