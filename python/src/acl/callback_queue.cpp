// SPDX-License-Identifier: Apache-2.0
#include "callback_queue.h"

#include "binding.h"

namespace ferry::python {
namespace {

// Owned by the library from the launch on. A call that is dropped, because its stream is aborted or
// no longer served, is never returned: its objects then live as long as the process.
struct QueuedCall {
  nb::object function;
  nb::object user_data;
};

void run_queued_call(void* queued) {
  const Locked locked;
  if (!locked.is_held()) return;
  const auto* call = static_cast<QueuedCall*>(queued);
  call_and_report(call->function.ptr(), call->user_data.ptr());
  delete call;
}

}  // namespace

void call_and_report(PyObject* function, PyObject* argument) {
  PyObject* result = PyObject_CallFunctionObjArgs(function, argument, nullptr);
  if (result == nullptr) PyErr_WriteUnraisable(function);
  Py_XDECREF(result);
}

aclError launch_callback(const nb::object& function, const nb::object& user_data,
                         Number<int32_t> block_type, Address stream) {
  if (PyCallable_Check(function.ptr()) == 0) {
    PyErr_Format(PyExc_TypeError, "fn must be callable, not %s", Py_TYPE(function.ptr())->tp_name);
    throw nb::python_error();
  }
  auto* call = new QueuedCall{function, user_data};
  const aclError code = unlocked([&] {
    return aclrtLaunchCallback(run_queued_call, call, to_c<aclrtCallbackBlockType>(block_type),
                               pointer_of<void>(stream));
  });
  if (code != ACL_SUCCESS) delete call;
  return code;
}

}  // namespace ferry::python
