// SPDX-License-Identifier: Apache-2.0
// Raising. The Python side is looked up when it is needed: this is never in a hurry.
#include "errors.h"

#include "acl/acl.h"

namespace nb = nanobind;

namespace ferry::python {

Outcome outcome_of(const char* function, aclError code) {
  Outcome outcome;
  outcome.code = code;
  outcome.function = function;
  if (code != ACL_SUCCESS) {
    const char* text = aclGetRecentErrMsg();
    if (text != nullptr) outcome.text = text;
  }
  return outcome;
}

void raise(const Outcome& outcome) {
  const nb::object make = nb::module_::import_("ferry.errors").attr("from_code");
  nb::object index = nb::none();
  if (outcome.index != Outcome::kNoIndex) index = nb::int_(outcome.index);
  const nb::object error = make(outcome.code, outcome.function, outcome.text.c_str(), index);
  PyErr_SetObject(error.type().ptr(), error.ptr());
  throw nb::python_error();
}

void raise_closed(const char* text) {
  const nb::object type = nb::module_::import_("ferry.errors").attr("ClosedError");
  raise_python(type.ptr(), text);
}

void raise_python(PyObject* type, const std::string& text) {
  PyErr_SetString(type, text.c_str());
  throw nb::python_error();
}

}  // namespace ferry::python
