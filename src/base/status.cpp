// SPDX-License-Identifier: Apache-2.0
// Making the error of a call, where the thread keeps it.
#include "base/status.h"

#include "base/error_state.h"

#include <cstdarg>
#include <new>

namespace ferry {
namespace {

// Runtime-layer codes are x07xxx; the ACL layer's are 1000xx, 2000xx, 5000xx.
constexpr bool is_runtime_code(aclError code) {
  return code % 100000 / 1000 == 7;
}

Status decide(const Rejection& rejection) {
  Error& error = rejection.error;
  error.render();
  const bool is_last = rejection.is_logged && is_runtime_code(error.code);
  keep_error(is_last ? LastError::kSet : LastError::kKeep);
  if (is_logged(rejection.level)) write_log(rejection.level, "%d %s", error.code, error.text());
  return Status(error.code);
}

}  // namespace

Rejection reject(aclError code, MessageCode message, const Argument& argument, const Value& value) {
  Error& error = *new (&error_of_thread()) Error;
  error.code = code;
  error.message = message;
  error.function = current_function();
  argument.put_into(error);
  value.put_into(error);
  return {error};
}

Rejection& Rejection::detail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  error.vput(Error::kDetail, format, arguments);
  va_end(arguments);
  return *this;
}

Status Rejection::allowed(const char* format, ...) {
  if (!error.has(Error::kDetail)) error.put(Error::kDetail, ", allowed is ");
  va_list arguments;
  va_start(arguments, format);
  error.vput(Error::kAllowed, format, arguments);
  va_end(arguments);
  return decide(*this);
}

Status Rejection::because(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  error.vput(Error::kDetail, format, arguments);
  va_end(arguments);
  return decide(*this);
}

Status fail(aclError code, MessageCode message, const char* format, ...) {
  const Rejection rejection = reject(code, message);
  va_list arguments;
  va_start(arguments, format);
  rejection.error.vput(Error::kDetail, format, arguments);
  va_end(arguments);
  return decide(rejection);
}

Status fail(aclError code, MessageCode message, const Error& cause, const char* lead) {
  Error& error = error_of_thread() = cause;
  error.code = code;
  error.message = message;
  error.function = current_function();
  error.lead = lead;
  return decide({error});
}

Status fail_null(const Argument& argument, aclError code, MessageCode message) {
  return decide(reject(code, message, argument, nullptr));
}

Status fail_handle(aclError code, const Argument& argument, const void* handle, const char* kind) {
  Rejection rejection = reject(code, kEE1017, argument, handle);
  rejection.error.handle = handle;
  return rejection.because(", which is not a live %s: it was destroyed or never was one", kind);
}

}  // namespace ferry
