// SPDX-License-Identifier: Apache-2.0
// The extension module ferry._native: buffers and copies of the package ferry, where every
// nanosecond per item counts, and what only C can do. Not for users.
#include "copies.h"
#include "library.h"
#include "memory.h"
#include "pins.h"

#include <nanobind/nanobind.h>

NB_MODULE(_native, module) {
  // Objects that live until the interpreter exits are normal: process exit reclaims them.
  nanobind::set_leak_warnings(false);
  ferry::python::add_memory(module);
  ferry::python::add_pins(module);
  ferry::python::add_copies(module);
  ferry::python::add_batches(module);
  ferry::python::add_library(module);
  ferry::python::add_kernels(module);
  ferry::python::add_streams(module);
  ferry::python::add_tracing(module);
}
