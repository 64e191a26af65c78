// SPDX-License-Identifier: Apache-2.0
// Looks at frames of Python. The interpreter lock is held. Part of both modules, `acl` and
// `ferry._native`.
#ifndef FERRY_PYTHON_ACL_SCRIPT_FRAMES_H
#define FERRY_PYTHON_ACL_SCRIPT_FRAMES_H

#include <Python.h>

// Python.h lacks the definition of a frame before version 3.11.
#include <frameobject.h>

#include <string_view>

namespace ferry::python {

// During its lifetime a pending exception is preserved, and garbage collection is off: it could run
// code of the program at an arbitrary point.
class Undisturbed {
 public:
  Undisturbed() {
#if PY_VERSION_HEX >= 0x030C0000
    raised_ = PyErr_GetRaisedException();
#else
    PyErr_Fetch(&type_, &value_, &traceback_);
#endif
#if PY_VERSION_HEX >= 0x030A0000  // before 3.10, walking creates no objects
    was_collecting_ = PyGC_Disable() != 0;
#endif
  }
  ~Undisturbed() {
#if PY_VERSION_HEX >= 0x030A0000
    if (was_collecting_) PyGC_Enable();
#endif
#if PY_VERSION_HEX >= 0x030C0000
    PyErr_SetRaisedException(raised_);
#else
    PyErr_Restore(type_, value_, traceback_);
#endif
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
#if PY_VERSION_HEX >= 0x030C0000
  PyObject* raised_ = nullptr;
#else
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* traceback_ = nullptr;
#endif
#if PY_VERSION_HEX >= 0x030A0000
  bool was_collecting_ = false;
#endif
};

// The text of a str; "?" if it cannot be encoded, as file names with odd bytes. May clear an
// exception.
std::string_view utf8_of(PyObject* text);

// With its classes where Python knows them. Valid while the code is.
std::string_view function_of(const PyCodeObject* code);

// Frames of the package are skipped: the user's line comes first.
bool is_of_package(PyFrameObject* frame);

// The frame that has called it, or NULL. Takes the reference.
PyFrameObject* outer_of(PyFrameObject* frame);

}  // namespace ferry::python

#endif
