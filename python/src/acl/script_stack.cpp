// SPDX-License-Identifier: Apache-2.0
// Walks the Python frames of the calling thread. Runs inside API calls, with or without the
// interpreter lock, and inside the signal handler that catches accesses to memory in flight. There
// the thread is at an instruction that touched pinned memory, so neither the interpreter nor its
// allocator is in the middle of an operation.
#include "script_stack.h"

#include "lock.h"
#include "script_frames.h"

#include "ferry/ferry.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

// Absent where the loaded library is not Ferry, or is an older version.
#pragma weak ferrySetScriptStack

namespace ferry::python {
namespace {

// Lines of text in a fixed-size buffer. A line that does not fit is left out, with all that follow.
// Not shared between threads.
class FrameLines {
 public:
  FrameLines(char* text, size_t size) : text_(text), room_(size) {}

  bool add(PyFrameObject* frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const std::string_view function = function_of(code);
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

  size_t size() const { return used_; }

 private:
  void append(std::string_view part) {
    std::memcpy(text_ + used_, part.data(), part.size());
    used_ += part.size();
  }

  char* text_;
  size_t room_;
  size_t used_ = 0;
};

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
  ferrySetScriptStack(script_stack);
}

}  // namespace ferry::python
