// SPDX-License-Identifier: Apache-2.0
// acl.util: threads that serve callbacks. They are threads of Python's `threading`, whose
// identifiers equal pthread_self, which subscribe_report takes.
#include "binding.h"
#include "callback_queue.h"
#include "chapters.h"

namespace ferry::python {
namespace {

// Threads that were started and not stopped, by identifier. Never destroyed.
nb::dict& threads() {
  static nb::dict& all = *new nb::dict();
  return all;
}

void run_thread(const nb::object& function, const nb::object& arguments) {
  call_and_report(function.ptr(), arguments.ptr());
}

nb::tuple start_thread(const nb::object& function, const nb::object& arguments) {
  if (PyCallable_Check(function.ptr()) == 0) {
    PyErr_Format(PyExc_TypeError, "func must be callable, not %s",
                 Py_TYPE(function.ptr())->tp_name);
    throw nb::python_error();
  }
  // A daemon: a loop that is never stopped must not keep the process from exiting.
  const nb::object target =
      nb::cpp_function(run_thread, nb::arg("function"), nb::arg("arguments").none());
  const nb::object thread =
      nb::module_::import_("threading")
          .attr("Thread")(nb::arg("target") = target,
                          nb::arg("args") = nb::make_tuple(function, arguments),
                          nb::arg("daemon") = true);
  try {
    thread.attr("start")();
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_RuntimeError)) throw;
    return nb::make_tuple(0, ACL_ERROR_FAILURE);
  }
  const nb::object identifier = thread.attr("ident");
  threads()[identifier] = thread;
  return nb::make_tuple(identifier, ACL_SUCCESS);
}

aclError stop_thread(Number<uint64_t> identifier) {
  const nb::object key = nb::int_(identifier.value);
  if (!threads().contains(key)) return ACL_ERROR_INVALID_PARAM;
  const nb::object thread = threads()[key];
  const nb::object current = nb::module_::import_("threading").attr("get_ident")();
  if (current.equal(key)) return ACL_ERROR_INVALID_PARAM;  // it would wait for itself
  thread.attr("join")();
  // Another thread may have been given the identifier by now.
  if (threads().contains(key) && nb::object(threads()[key]).is(thread)) {
    PyDict_DelItem(threads().ptr(), key.ptr());
  }
  return ACL_SUCCESS;
}

}  // namespace

void add_threads(nb::module_& util) {
  define(util, "start_thread", "(func: Callable[[Any], object], args: Any, /) -> tuple[int, int]",
         "Runs func(args) on a new thread; returns the identifier that subscribe_report takes.",
         start_thread, nb::arg("func"), nb::arg("args").none());
  define(util, "stop_thread", "(thread_id: int, /) -> int",
         "Waits until a thread of start_thread has ended; does not interrupt it.", stop_thread);
}

}  // namespace ferry::python
