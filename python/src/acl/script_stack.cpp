// SPDX-License-Identifier: Apache-2.0
// Walks the Python frames of the calling thread. Runs inside API calls, with or without the
// interpreter lock, and inside the signal handler that catches accesses to memory in flight. There
// the thread is at an instruction that touched pinned memory, so neither the interpreter nor its
// allocator is in the middle of an operation.
#include "script_stack.h"

#include "lock.h"

#include "ferry/ferry.h"

// lock.h includes Python.h, which lacks the definition of a frame before version 3.11.
#include <frameobject.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

// Absent where the loaded library is not Ferry, or is an older version.
#pragma weak ferrySetScriptStack

namespace ferry::python {
namespace {

PyObject* name_key = nullptr;  // "__name__"

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

// The text of a str; "?" if it cannot be encoded, as file names with odd bytes.
std::string_view utf8_of(PyObject* text) {
  Py_ssize_t size = 0;
  const char* start = text != nullptr ? PyUnicode_AsUTF8AndSize(text, &size) : nullptr;
  if (start != nullptr) return {start, static_cast<size_t>(size)};
  PyErr_Clear();
  return "?";
}

std::string_view module_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030B0000
  PyObject* globals = PyFrame_GetGlobals(frame);
  PyObject* name = PyDict_GetItem(globals, name_key);  // borrowed; the frame keeps its globals
  Py_DECREF(globals);
#else
  PyObject* name = PyDict_GetItem(frame->f_globals, name_key);
#endif
  return name != nullptr && PyUnicode_Check(name) != 0 ? utf8_of(name) : std::string_view();
}

// Frames of the package are skipped: the user's line comes first.
bool is_of_package(PyFrameObject* frame) {
  constexpr std::string_view kPackage = "ferry";
  const std::string_view module = module_of(frame);
  return module == kPackage || (module.substr(0, kPackage.size()) == kPackage &&
                                module.substr(kPackage.size(), 1) == ".");
}

// Lines of text in a fixed-size buffer. A line that does not fit is left out, with all that follow.
// Not shared between threads.
class FrameLines {
 public:
  FrameLines(char* text, size_t size) : text_(text), room_(size) {}

  bool add(PyFrameObject* frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
#if PY_VERSION_HEX >= 0x030B0000
    const std::string_view function = utf8_of(code->co_qualname);
#else
    const std::string_view function = utf8_of(code->co_name);
#endif
    const std::string_view file = utf8_of(code->co_filename);
    char line[16];
    std::snprintf(line, sizeof line, ":%d\n", PyFrame_GetLineNumber(frame));
    const std::string_view parts[] = {function, "  ", file, line};
    Py_DECREF(code);  // the frame keeps it
    size_t length = 0;
    for (const std::string_view part : parts)
      length += part.size();
    if (length > room_ - used_) return false;
    for (const std::string_view part : parts)
      append(part);
    return true;
  }

  size_t size() const {
    return used_;
  }

 private:
  void append(std::string_view part) {
    std::memcpy(text_ + used_, part.data(), part.size());
    used_ += part.size();
  }

  char* text_;
  size_t room_;
  size_t used_ = 0;
};

PyFrameObject* outer_of(PyFrameObject* frame) {
  PyFrameObject* outer = PyFrame_GetBack(frame);
  Py_DECREF(frame);
  return outer;
}

size_t write_frames(char* text, size_t size) {
  FrameLines lines(text, size);
  PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
  while (frame != nullptr && is_of_package(frame))
    frame = outer_of(frame);
  while (frame != nullptr && lines.add(frame))
    frame = outer_of(frame);
  Py_XDECREF(frame);
  return lines.size();
}

size_t script_stack(char* text, size_t size) {
  // A thread unknown to Python, such as one of the library's, runs no script. It must not be
  // registered with Python here either.
  if (Py_IsInitialized() == 0 || PyGILState_GetThisThreadState() == nullptr) return 0;
  const int error_before = errno;
  size_t length = 0;
  {
    const Locked locked;
    if (locked.is_held()) {
      const Undisturbed undisturbed;
      length = write_frames(text, size);
    }
  }
  errno = error_before;
  return length;
}

}  // namespace

void offer_script_stack() {
  if (&ferrySetScriptStack == nullptr) return;
  name_key = PyUnicode_InternFromString("__name__");
  if (name_key == nullptr) {
    PyErr_Clear();
    return;
  }
  ferrySetScriptStack(script_stack);
}

}  // namespace ferry::python
