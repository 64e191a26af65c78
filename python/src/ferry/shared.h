// SPDX-License-Identifier: Apache-2.0
// Device memory of another process, imported by a key and closed like a Buffer.
#ifndef FERRY_PYTHON_SHARED_H
#define FERRY_PYTHON_SHARED_H

#include "memory.h"

#include <cstddef>
#include <memory>
#include <string>

namespace ferry::python {

// Imports the memory of a key on the thread's device.
std::shared_ptr<Memory> import_shared(const std::string& key, size_t nbytes);

}  // namespace ferry::python

#endif
