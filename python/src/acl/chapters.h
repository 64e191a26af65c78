// SPDX-License-Identifier: Apache-2.0
// The chapters of the module; each adds its functions.
#ifndef FERRY_PYTHON_ACL_CHAPTERS_H
#define FERRY_PYTHON_ACL_CHAPTERS_H

#include <nanobind/nanobind.h>

namespace ferry::python {

void add_general(nanobind::module_& acl);
void add_data_buffer(nanobind::module_& acl);
void add_device(nanobind::module_& rt);
void add_context(nanobind::module_& rt);
void add_stream(nanobind::module_& rt);
void add_event(nanobind::module_& rt);
void add_callback(nanobind::module_& rt);
void add_memory(nanobind::module_& rt);
void add_virtual_memory(nanobind::module_& rt);
void add_memory_pool(nanobind::module_& rt);
void add_managed_memory(nanobind::module_& rt);
void add_sharing(nanobind::module_& rt);
void add_copy(nanobind::module_& rt);
void add_copy_batch(nanobind::module_& rt);
void add_pointers(nanobind::module_& util);
void add_threads(nanobind::module_& util);

}  // namespace ferry::python

#endif
