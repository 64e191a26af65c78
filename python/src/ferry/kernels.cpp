// SPDX-License-Identifier: Apache-2.0
// Stand-ins for kernels that are Python functions. The library calls them on its own threads.
#include "../acl/lock.h"
#include "errors.h"
#include "library.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <map>
#include <optional>
#include <string>

namespace nb = nanobind;

namespace ferry::python {
namespace {

// What a registration refers to. It is never freed: launches that are queued keep using it.
struct PythonKernel {
  nb::object function;
  nb::object declare;  // or None
};

void require_success(const char* function, aclError code) {
  const Outcome outcome = outcome_of(function, code);
  if (!outcome.is_success()) raise(outcome);
}

nb::bytes bytes_of(const void* args, size_t size) {
  return nb::bytes(static_cast<const char*>(args), size);
}

// The exception goes to sys.unraisablehook: nobody else can get it on this thread.
int report_error(nb::handle function) {
  PyErr_WriteUnraisable(function.ptr());
  return 1;
}

int run(uint32_t blocks, const void* args, size_t size, const ferryKernelContext* context) {
  const Locked locked;
  if (!locked.is_held()) return 0;  // the interpreter is gone
  const auto* kernel = static_cast<const PythonKernel*>(context->data);
  try {
    const nb::object result =
        kernel->function(blocks, bytes_of(args, size), reinterpret_cast<uintptr_t>(context),
                         context->kernel, context->deviceId, context->streamId);
    return result.is_none() ? 0 : nb::cast<int>(result);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& exception) {
    PyErr_SetString(PyExc_TypeError, exception.what());
  }
  return report_error(kernel->function);
}

void declare(uint32_t blocks, const void* args, size_t size, const ferryKernelContext* context,
             ferryKernelRanges* ranges) {
  const Locked locked;
  if (!locked.is_held()) return;
  const auto* kernel = static_cast<const PythonKernel*>(context->data);
  try {
    kernel->declare(blocks, bytes_of(args, size), reinterpret_cast<uintptr_t>(context),
                    context->kernel, context->deviceId, reinterpret_cast<uintptr_t>(ranges));
    return;
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& exception) {
    PyErr_SetString(PyExc_TypeError, exception.what());
  }
  report_error(kernel->declare);
}

// A wait for a stream must let the stand-ins of that stream have the interpreter lock.
void* begin_wait() {
  return PyGILState_Check() != 0 ? new Unlocked : nullptr;
}

void end_wait(void* token) {
  delete static_cast<Unlocked*>(token);
}

void register_kernel(const std::string& name, nb::object function, nb::object declared) {
  require_success("ferrySetWaitFunctions", ferrySetWaitFunctions(begin_wait, end_wait));
  auto* kernel = new PythonKernel{std::move(function), std::move(declared)};
  ferryKernel registration{};
  registration.structSize = sizeof registration;
  registration.name = name.c_str();
  registration.function = run;
  registration.data = kernel;
  registration.declare = kernel->declare.is_none() ? nullptr : declare;
  require_success("ferryRegisterKernelEx", ferryRegisterKernelEx(&registration));
}

// Only inside a stand-in: a writable view of device memory.
nb::object kernel_memory(uintptr_t context, uintptr_t address, size_t size) {
  void* found = ferryKernelAddress(reinterpret_cast<const ferryKernelContext*>(context),
                                   reinterpret_cast<const void*>(address), size);
  if (found == nullptr) require_success("ferryKernelAddress", ACL_ERROR_INVALID_PARAM);
  PyObject* view = PyMemoryView_FromMemory(static_cast<char*>(found), static_cast<Py_ssize_t>(size),
                                           PyBUF_WRITE);
  if (view == nullptr) throw nb::python_error();
  return nb::steal(view);
}

void kernel_range(uintptr_t ranges, uintptr_t address, size_t size, bool writes) {
  auto* list = reinterpret_cast<ferryKernelRanges*>(ranges);
  auto* start = reinterpret_cast<void*>(address);
  if (writes) {
    ferryKernelWrites(list, start, size);
  } else {
    ferryKernelReads(list, start, size);
  }
}

nb::list kernel_uses() {
  nb::list list;
  ferryKernelUse use{};
  for (size_t i = 0; ferryGetKernel(i, &use) == ACL_SUCCESS; ++i) {
    list.append(
        nb::make_tuple(use.name, use.isRegistered != 0, use.launches, use.failures, use.skipped));
  }
  static_cast<void>(aclGetRecentErrMsg());  // the end of the list is not a failure
  return list;
}

// The text is the thread's own: work that is captured refers to its site, not to the text.
void note_work(std::optional<std::string> text) {
  thread_local std::string kept;
  kept = text.value_or("");
  static_cast<void>(ferryNoteWork(text ? kept.c_str() : nullptr));
}

void note_block(uintptr_t address, bool is_taken) {
  const auto* block = reinterpret_cast<const void*>(address);
  if (is_taken) {
    ferryNoteBlockTaken(block);
  } else {
    ferryNoteBlockReleased(block);
  }
}

// Launches by name, for programs without a binary of their own.
void launch_kernel(const std::string& name, uint32_t blocks, nb::bytes args, uintptr_t stream) {
  static auto* binaries = new std::map<int32_t, aclrtBinHandle>;  // guarded by the interpreter lock
  int32_t device = 0;
  require_success("aclrtGetDevice", aclrtGetDevice(&device));
  aclrtBinHandle& binary = (*binaries)[device];
  if (binary == nullptr) {
    require_success("aclrtBinaryLoadFromData", aclrtBinaryLoadFromData("\x7f"
                                                                       "ELF",
                                                                       4, nullptr, &binary));
  }
  aclrtFuncHandle function = nullptr;
  require_success("aclrtBinaryGetFunction",
                  aclrtBinaryGetFunction(binary, name.c_str(), &function));
  Outcome outcome;
  {
    const Unlocked unlocked;
    outcome = outcome_of("aclrtLaunchKernelWithHostArgs",
                         aclrtLaunchKernelWithHostArgs(
                             function, blocks, reinterpret_cast<aclrtStream>(stream), nullptr,
                             const_cast<char*>(args.c_str()), args.size(), nullptr, 0));
  }
  if (!outcome.is_success()) raise(outcome);
}

}  // namespace

void add_kernels(nb::module_& module) {
  module.def("register_kernel", register_kernel, nb::arg("name"), nb::arg("function"),
             nb::arg("declare").none());
  module.def(
      "unregister_kernel",
      [](const std::string& name) {
        require_success("ferryUnregisterKernel", ferryUnregisterKernel(name.c_str()));
      },
      nb::arg("name"));
  module.def("kernel_memory", kernel_memory, nb::arg("context"), nb::arg("address"),
             nb::arg("size"));
  module.def("kernel_range", kernel_range, nb::arg("ranges"), nb::arg("address"), nb::arg("size"),
             nb::arg("writes"));
  module.def("kernel_uses", kernel_uses);
  module.def("note_work", note_work, nb::arg("text").none());
  module.def("note_block", note_block, nb::arg("address"), nb::arg("is_taken"));
  module.def("launch_kernel", launch_kernel, nb::arg("name"), nb::arg("blocks"), nb::arg("args"),
             nb::arg("stream"));
}

}  // namespace ferry::python
