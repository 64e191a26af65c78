// SPDX-License-Identifier: Apache-2.0
// The module `acl`: assembles its chapters. No function is defined here.
#include "chapters.h"
#include "number.h"
#include "script_stack.h"

namespace ferry::python {

void raise_out_of_range(PyObject* source, long long lowest, unsigned long long highest) {
  PyErr_Format(PyExc_TypeError, "%R is out of range, allowed is %lld to %llu", source, lowest,
               highest);
  throw nb::python_error();
}

}  // namespace ferry::python

NB_MODULE(acl, acl) {
  using namespace ferry::python;
  acl.doc() =
      "The Python interface of AscendCL, for memory copies.\n\n"
      "Handles and addresses are ints, structs are dicts. Functions return a code, or a tuple "
      "with\n"
      "the code last; 0 is success. TypeError is raised for arguments of a wrong number or type.";
  add_general(acl);
  add_data_buffer(acl);

  nb::module_ rt = acl.def_submodule("rt", "Devices, contexts, streams, events, memory, copies.");
  add_device(rt);
  add_context(rt);
  add_stream(rt);
  add_event(rt);
  add_callback(rt);
  add_memory(rt);
  add_virtual_memory(rt);
  add_memory_pool(rt);
  add_managed_memory(rt);
  add_sharing(rt);
  add_copy(rt);
  add_copy_batch(rt);

  nb::module_ util = acl.def_submodule("util", "Addresses of Python objects, and threads.");
  add_pointers(util);
  add_threads(util);

  offer_script_stack();
}
