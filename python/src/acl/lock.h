// SPDX-License-Identifier: Apache-2.0
// The interpreter lock: released around C calls that can block or copy, and acquired by callbacks
// on threads that Python may not know. Part of both modules, `acl` and `ferry._native`.
#ifndef FERRY_PYTHON_ACL_LOCK_H
#define FERRY_PYTHON_ACL_LOCK_H

#include "script_place.h"

#include <Python.h>

namespace ferry::python {

// Releases the lock during its lifetime, so that other Python threads run. Calls of the library
// are made inside, so it also says which line makes them.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  const ScriptPlace place_;  // before the lock is released
  PyThreadState* state_;
};

// During its lifetime, and if is_held(), this thread may use Python. It is not held when the
// interpreter is shutting down or gone: callbacks then do nothing.
class Locked {
 public:
  Locked();
  ~Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  bool is_held() const { return is_held_; }

 private:
  PyGILState_STATE state_{};
  bool is_held_ = false;
};

}  // namespace ferry::python

#endif
