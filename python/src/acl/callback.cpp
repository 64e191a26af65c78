// SPDX-License-Identifier: Apache-2.0
// acl.rt: functions of the program that run in stream order, reports of failed tasks, and the last
// error. The threads that serve callbacks are started in threads.cpp.
#include "binding.h"
#include "callback_queue.h"
#include "chapters.h"

namespace ferry::python {
namespace {

// The last argument of set_exception_info_callback, guarded by the interpreter lock. Never
// destroyed: failures may be reported until the process ends.
PyObject* exception_callback = nullptr;

void report_exception(aclrtExceptionInfo* info) {
  const Locked locked;
  if (!locked.is_held() || exception_callback == nullptr) return;
  const nb::object function = nb::borrow(exception_callback);
  const nb::object address = nb::steal(PyLong_FromVoidPtr(info));
  call_and_report(function.ptr(), address.ptr());
}

aclError set_exception_info_callback(const nb::object& function) {
  if (!function.is_none() && PyCallable_Check(function.ptr()) == 0) {
    PyErr_Format(PyExc_TypeError, "the callback must be callable or None, not %s",
                 Py_TYPE(function.ptr())->tp_name);
    throw nb::python_error();
  }
  const bool is_set = !function.is_none();
  const aclError code =
      unlocked([&] { return aclrtSetExceptionInfoCallback(is_set ? report_exception : nullptr); });
  if (code != ACL_SUCCESS) return code;
  PyObject* before = exception_callback;
  exception_callback = is_set ? nb::object(function).release().ptr() : nullptr;
  Py_XDECREF(before);
  return code;
}

void add_callbacks(nb::module_& rt) {
  define(rt, "launch_callback",
         "(fn: Callable[[Any], object], user_data: Any, block_type: int, stream: int, /) -> int",
         "Queues fn(user_data) on a stream; block_type 1: later work waits (aclrtLaunchCallback).",
         launch_callback, nb::arg("fn"), nb::arg("user_data").none(), nb::arg("block_type"),
         nb::arg("stream"));
  bind<aclrtSubscribeReport>(rt, "subscribe_report", "(thread_id: int, stream: int, /) -> int",
                             "Sets the thread that runs a stream's callbacks "
                             "(aclrtSubscribeReport).");
  bind<aclrtUnSubscribeReport>(rt, "unsubscribe_report", "(thread_id: int, stream: int, /) -> int",
                               "Undoes subscribe_report (aclrtUnSubscribeReport).");
  bind<aclrtProcessReport>(rt, "process_report", "(timeout_ms: int, /) -> int",
                           "Waits for a callback and runs it; -1: no limit "
                           "(aclrtProcessReport).");
}

void add_exceptions(nb::module_& rt) {
  define(rt, "set_exception_info_callback", "(fn: Callable[[int], object] | None = None, /) -> int",
         "Sets the function called for failed tasks (aclrtSetExceptionInfoCallback).",
         set_exception_info_callback, nb::arg("fn") = nb::none());
  constexpr const char* kSignature = "(info: int, /) -> int";
  bind<aclrtGetTaskIdFromExceptionInfo, Gil::kKept>(
      rt, "get_task_id_from_exception_info", kSignature,
      "Number of the failed task, inside the callback (aclrtGetTaskIdFromExceptionInfo).");
  bind<aclrtGetStreamIdFromExceptionInfo, Gil::kKept>(
      rt, "get_stream_id_from_exception_info", kSignature,
      "Number of its stream (aclrtGetStreamIdFromExceptionInfo).");
  bind<aclrtGetThreadIdFromExceptionInfo, Gil::kKept>(
      rt, "get_thread_id_from_exception_info", kSignature,
      "The thread it failed on (aclrtGetThreadIdFromExceptionInfo).");
  bind<aclrtGetDeviceIdFromExceptionInfo, Gil::kKept>(
      rt, "get_device_id_from_exception_info", kSignature,
      "Its device (aclrtGetDeviceIdFromExceptionInfo).");
  bind<aclrtGetErrorCodeFromExceptionInfo, Gil::kKept>(
      rt, "get_error_code_from_exception_info", kSignature,
      "The code it failed with (aclrtGetErrorCodeFromExceptionInfo).");
}

}  // namespace

void add_callback(nb::module_& rt) {
  add_callbacks(rt);
  add_exceptions(rt);
  bind<aclrtPeekAtLastError, Gil::kKept>(rt, "peek_at_last_error", "(level: int, /) -> int",
                                         "The thread's last error; level is 0 "
                                         "(aclrtPeekAtLastError).");
  bind<aclrtGetLastError, Gil::kKept>(
      rt, "get_last_error", "(level: int, /) -> int",
      "Returns and clears the thread's last error (aclrtGetLastError).");
}

}  // namespace ferry::python
