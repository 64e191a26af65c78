// SPDX-License-Identifier: Apache-2.0
// Reads host memory at any address. An unreadable address, such as a device's, gives false and not
// a signal.
#ifndef FERRY_PYTHON_ACL_HOST_READ_H
#define FERRY_PYTHON_ACL_HOST_READ_H

#include <cstddef>
#include <cstdint>

namespace ferry::python {

// Both must be called without the interpreter lock.
bool read_host_memory(void* target, const void* source, size_t size);
bool can_read_host_memory(const void* source, size_t size);

// Raises a ValueError that says what is at the address.
[[noreturn]] void raise_not_readable(uintptr_t address, size_t size);

}  // namespace ferry::python

#endif
