// SPDX-License-Identifier: Apache-2.0
// Before version 3.14, a thread that requests the lock while the interpreter shuts down is ended
// with pthread_exit. That unwinds C++ frames that must not be unwound, and would abort the process.
// Such a thread is blocked here for the rest of the process instead, as later versions do.
#include "lock.h"

#include <unistd.h>

namespace ferry::python {
namespace {

[[noreturn]] void stop_here() {
  for (;;)
    pause();
}

bool interpreter_runs() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsInitialized() != 0 && Py_IsFinalizing() == 0;
#else
  return Py_IsInitialized() != 0 && _Py_IsFinalizing() == 0;
#endif
}

}  // namespace

Unlocked::~Unlocked() {
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {
    stop_here();
  }
}

Locked::Locked() {
  if (!interpreter_runs()) return;
  try {
    state_ = PyGILState_Ensure();
  } catch (...) {
    stop_here();
  }
  is_held_ = true;
}

Locked::~Locked() {
  if (is_held_) PyGILState_Release(state_);
}

}  // namespace ferry::python
