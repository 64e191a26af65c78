// SPDX-License-Identifier: Apache-2.0
// Tells the library, before each call that releases the interpreter lock, which line of Python
// makes it. Traces have these lines as call sites. Part of both modules, `acl` and `ferry._native`.
#ifndef FERRY_PYTHON_ACL_SCRIPT_PLACE_H
#define FERRY_PYTHON_ACL_SCRIPT_PLACE_H

namespace ferry::python {

// While it lives, calls of this thread come from the current line of Python. Costs one call that
// reads a flag while nothing is traced. The interpreter lock is held when it is made; it need not
// be when it ends.
class ScriptPlace {
 public:
  ScriptPlace();
  ~ScriptPlace();
  ScriptPlace(const ScriptPlace&) = delete;
  ScriptPlace& operator=(const ScriptPlace&) = delete;

 private:
  bool is_noted_ = false;
  const char* before_ = nullptr;
};

}  // namespace ferry::python

#endif
