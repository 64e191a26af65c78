// SPDX-License-Identifier: Apache-2.0
// Calls of Python functions by the library. The objects they need are held until they have run, and
// exceptions go to sys.unraisablehook.
#ifndef FERRY_PYTHON_ACL_CALLBACK_QUEUE_H
#define FERRY_PYTHON_ACL_CALLBACK_QUEUE_H

#include "number.h"

#include "acl/acl.h"

#include <nanobind/nanobind.h>

namespace ferry::python {

// Calls function(argument). Requires the interpreter lock.
void call_and_report(PyObject* function, PyObject* argument);

aclError launch_callback(const nb::object& function, const nb::object& user_data,
                         Number<int32_t> block_type, Address stream);

}  // namespace ferry::python

#endif
