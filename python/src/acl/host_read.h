// SPDX-License-Identifier: Apache-2.0
// Reads host memory at any address: one that cannot be read, such as one of a device, is an answer
// and not a signal.
#ifndef FERRY_PYTHON_ACL_HOST_READ_H
#define FERRY_PYTHON_ACL_HOST_READ_H

#include <cstddef>
#include <cstdint>

namespace ferry::python {

// Both are called without the lock of the interpreter.
bool read_host_memory(void* target, const void* source, size_t size);
bool can_read_host_memory(const void* source, size_t size);

// Raises ValueError that says what lies at the address.
[[noreturn]] void raise_not_readable(uintptr_t address, size_t size);

}  // namespace ferry::python

#endif
