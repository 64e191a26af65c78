// SPDX-License-Identifier: Apache-2.0
#include "script_frames.h"

namespace ferry::python {

std::string_view utf8_of(PyObject* text) {
  Py_ssize_t size = 0;
  const char* start = text != nullptr ? PyUnicode_AsUTF8AndSize(text, &size) : nullptr;
  if (start != nullptr) return {start, static_cast<size_t>(size)};
  PyErr_Clear();
  return "?";
}

namespace {

std::string_view module_of(PyFrameObject* frame) {
  static PyObject* const name_key = PyUnicode_InternFromString("__name__");
  if (name_key == nullptr) {
    PyErr_Clear();
    return {};
  }
#if PY_VERSION_HEX >= 0x030B0000
  PyObject* globals = PyFrame_GetGlobals(frame);
  PyObject* name = PyDict_GetItem(globals, name_key);  // borrowed; the frame keeps its globals
  Py_DECREF(globals);
#else
  PyObject* name = PyDict_GetItem(frame->f_globals, name_key);
#endif
  return name != nullptr && PyUnicode_Check(name) != 0 ? utf8_of(name) : std::string_view();
}

}  // namespace

std::string_view function_of(const PyCodeObject* code) {
#if PY_VERSION_HEX >= 0x030B0000
  return utf8_of(code->co_qualname);
#else
  return utf8_of(code->co_name);
#endif
}

bool is_of_package(PyFrameObject* frame) {
  constexpr std::string_view kPackage = "ferry";
  const std::string_view module = module_of(frame);
  return module == kPackage || (module.substr(0, kPackage.size()) == kPackage &&
                                module.substr(kPackage.size(), 1) == ".");
}

PyFrameObject* outer_of(PyFrameObject* frame) {
  PyFrameObject* outer = PyFrame_GetBack(frame);
  Py_DECREF(frame);
  return outer;
}

}  // namespace ferry::python
