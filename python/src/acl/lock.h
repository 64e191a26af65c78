// SPDX-License-Identifier: Apache-2.0
// The interpreter's lock: given back around C calls that can block or copy, and taken by callbacks
// on threads that Python may not know. Part of both modules, `acl` and `ferry._native`.
#ifndef FERRY_PYTHON_ACL_LOCK_H
#define FERRY_PYTHON_ACL_LOCK_H

#include <Python.h>

namespace ferry::python {

// While one lives, other Python threads run.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

// While one lives and is_held(), this thread may use Python. It is not held when the interpreter is
// going down or gone: callbacks then do nothing.
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
