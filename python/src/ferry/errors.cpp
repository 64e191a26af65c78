// SPDX-License-Identifier: Apache-2.0
// Raising. The Python side is looked up when it is needed: this is never in a hurry.
#include "errors.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

namespace nb = nanobind;

namespace ferry::python {

Outcome outcome_of(const char* function, aclError code) {
  Outcome outcome;
  outcome.code = code;
  outcome.function = function;
  if (code == ACL_SUCCESS) return outcome;
  ferryErrorInfo info{};
  info.structSize = sizeof info;
  const bool is_known = ferryGetErrorInfo(&info) == ACL_SUCCESS;
  const char* text = aclGetRecentErrMsg();
  if (text != nullptr) outcome.text = text;
  // A different text is another thread's ("err_msg_mode": "1"), or the error is an old one.
  if (!is_known || outcome.text != info.text) return outcome;
  if (outcome.function.empty()) outcome.function = info.function;
  outcome.message_code = info.messageCode;
  outcome.argument = info.argument;
  outcome.value = info.value;
  outcome.allowed = info.allowed;
  return outcome;
}

nb::tuple as_tuple(const Outcome& outcome) {
  nb::object index = nb::none();
  if (outcome.index != Outcome::kNoIndex) index = nb::int_(outcome.index);
  return nb::make_tuple(outcome.code, outcome.function.c_str(), outcome.text.c_str(), index,
                        outcome.message_code.c_str(), outcome.argument.c_str(),
                        outcome.value.c_str(), outcome.allowed.c_str());
}

void raise(const Outcome& outcome) {
  const nb::object make = nb::module_::import_("ferry.errors").attr("from_code");
  const nb::object error = make(*as_tuple(outcome));
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
