// SPDX-License-Identifier: Apache-2.0
// What single copies and batches share.
#ifndef FERRY_PYTHON_COPIES_H
#define FERRY_PYTHON_COPIES_H

#include "errors.h"
#include "pins.h"

#include "acl/acl.h"

namespace ferry::python {

// Throws ValueError when the sizes differ.
void require_same_size(const Side& dst, const Side& src, Py_ssize_t item);

// Records the event that tells when the work queued before is done. When it cannot, it waits for
// the stream. Needs no interpreter lock.
Outcome mark(aclrtEvent event, aclrtStream stream);

void add_copies(nanobind::module_& module);
void add_batches(nanobind::module_& module);

}  // namespace ferry::python

#endif
