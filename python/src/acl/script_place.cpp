// SPDX-License-Identifier: Apache-2.0
// Texts of places are made once per place and live forever: traces are written by another thread,
// later on.
#include "script_place.h"

#include "script_frames.h"

#include "ferry/ferry.h"

#include <cstddef>
#include <functional>
#include <new>
#include <string>
#include <unordered_map>

// Absent where the loaded library is not Ferry, or is an older version.
#pragma weak ferryWantsScriptPlaces
#pragma weak ferryNoteScriptPlace

namespace ferry::python {
namespace {

// An instruction of Python code. The code is kept alive, so its address stays its own.
struct Instruction {
  PyCodeObject* code = nullptr;
  int offset = 0;
  bool operator==(const Instruction& other) const {
    return code == other.code && offset == other.offset;
  }
};

struct Hash {
  size_t operator()(const Instruction& at) const {
    return std::hash<void*>()(at.code) * 31 + static_cast<size_t>(at.offset);
  }
};

// NULL for code of the package, whose callers are wanted instead. Guarded by the interpreter lock.
using Places = std::unordered_map<Instruction, const char*, Hash>;

Places& places() {
  static auto* instance = new Places;
  return *instance;
}

int offset_in(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030B0000
  return PyFrame_GetLasti(frame);
#else
  return PyFrame_GetLineNumber(frame);  // takes the place of the instruction
#endif
}

const char* describe_place(PyFrameObject* frame, PyCodeObject* code) {
  const Undisturbed undisturbed;
  if (is_of_package(frame)) return nullptr;
  std::string text(function_of(code));
  text.append("  ").append(utf8_of(code->co_filename));
  text.append(":").append(std::to_string(PyFrame_GetLineNumber(frame)));
  auto* kept = new std::string(std::move(text));
  return kept->c_str();
}

// NULL when the frame does not count; `is_full` when there are too many places to remember.
const char* place_of(PyFrameObject* frame, bool& is_full) {
  constexpr size_t kMost = 100'000;  // for programs that make code without end
  PyCodeObject* code = PyFrame_GetCode(frame);
  const Instruction at{code, offset_in(frame)};
  const auto known = places().find(at);
  if (known != places().end()) {
    Py_DECREF(code);
    return known->second;
  }
  is_full = places().size() >= kMost;
  if (is_full) {
    Py_DECREF(code);
    return nullptr;
  }
  const char* text = describe_place(frame, code);
  places().emplace(at, text);  // with the reference
  return text;
}

// NULL when no frame counts.
const char* current_place() {
  PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
  const char* place = nullptr;
  bool is_full = false;
  while (frame != nullptr && place == nullptr && !is_full) {
    place = place_of(frame, is_full);
    if (place == nullptr && !is_full) frame = outer_of(frame);
  }
  Py_XDECREF(frame);
  return place;
}

}  // namespace

ScriptPlace::ScriptPlace() {
  if (&ferryWantsScriptPlaces == nullptr || ferryWantsScriptPlaces() == 0) return;
  try {
    before_ = ferryNoteScriptPlace(current_place());
    is_noted_ = true;
  } catch (const std::bad_alloc&) {
    return;  // the call has no place
  }
}

ScriptPlace::~ScriptPlace() {
  if (is_noted_) static_cast<void>(ferryNoteScriptPlace(before_));
}

}  // namespace ferry::python
