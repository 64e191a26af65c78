// SPDX-License-Identifier: Apache-2.0
// Keeps the latest inputs of bytes_to_ptr and numpy_to_ptr alive. Programs take the address of a
// temporary, such as array.tobytes(), and copy from it after its last reference is gone.
#ifndef FERRY_PYTHON_ACL_KEPT_INPUTS_H
#define FERRY_PYTHON_ACL_KEPT_INPUTS_H

#include <nanobind/nanobind.h>

#include <cstddef>

namespace ferry::python {

inline constexpr size_t kMostInputs = 64;
inline constexpr size_t kMostInputBytes = size_t{256} << 20U;

// Releases the oldest inputs when there are more than kMostInputs, or more than kMostInputBytes in
// total; always keeps the latest. Requires the interpreter lock.
void keep_input(const nanobind::object& input, size_t size);

}  // namespace ferry::python

#endif
