// SPDX-License-Identifier: Apache-2.0
// Keeps the latest inputs of bytes_to_ptr and numpy_to_ptr alive. Programs take the address of a
// temporary, such as array.tobytes(), and copy from it after it is gone.
#ifndef FERRY_PYTHON_ACL_KEPT_INPUTS_H
#define FERRY_PYTHON_ACL_KEPT_INPUTS_H

#include <nanobind/nanobind.h>

#include <cstddef>

namespace ferry::python {

inline constexpr size_t kMostInputs = 64;
inline constexpr size_t kMostInputBytes = size_t{256} << 20U;

// The oldest ones go when there are more than kMostInputs, or more than kMostInputBytes together;
// the latest one always stays. The lock of the interpreter is held.
void keep_input(const nanobind::object& input, size_t size);

}  // namespace ferry::python

#endif
