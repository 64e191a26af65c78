// SPDX-License-Identifier: Apache-2.0
// Shared by single copies and batches.
#ifndef FERRY_PYTHON_COPIES_H
#define FERRY_PYTHON_COPIES_H

#include "errors.h"
#include "pins.h"

#include "acl/acl.h"

namespace ferry::python {

// Throws ValueError when the sizes differ.
void require_same_size(const Side& dst, const Side& src, Py_ssize_t item);

// Records the event that completes with the work queued so far. If that fails, waits for the
// stream. Does not need the interpreter lock.
Outcome mark(aclrtEvent event, aclrtStream stream);

void add_copies(nanobind::module_& module);
void add_batches(nanobind::module_& module);

}  // namespace ferry::python

#endif
