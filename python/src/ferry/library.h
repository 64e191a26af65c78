// SPDX-License-Identifier: Apache-2.0
// The parts of the module that concern neither memory nor copies.
#ifndef FERRY_PYTHON_LIBRARY_H
#define FERRY_PYTHON_LIBRARY_H

#include <nanobind/nanobind.h>

namespace ferry::python {

void add_library(nanobind::module_& module);
void add_kernels(nanobind::module_& module);
void add_streams(nanobind::module_& module);
void add_tracing(nanobind::module_& module);

}  // namespace ferry::python

#endif
