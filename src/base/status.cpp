// SPDX-License-Identifier: Apache-2.0
// Making the text of an error and recording it for the thread.
#include "base/status.h"

#include "base/error_state.h"
#include "base/log.h"

#include <cstdio>

namespace ferry {
namespace {

// Runtime-layer codes are x07xxx; the ACL layer's are 1000xx, 2000xx, 5000xx.
constexpr bool is_runtime_code(aclError code) {
  return code % 100000 / 1000 == 7;
}

const char* name_of(MessageCode code) {
  switch (code) {
    case MessageCode::kNone:
      return "";
    case MessageCode::kEE1001:
      return " (EE1001)";
    case MessageCode::kEE1002:
      return " (EE1002)";
    case MessageCode::kEE1003:
      return " (EE1003)";
    case MessageCode::kEE1004:
      return " (EE1004)";
    case MessageCode::kEE1006:
      return " (EE1006)";
    case MessageCode::kEE1010:
      return " (EE1010)";
    case MessageCode::kEE1011:
      return " (EE1011)";
    case MessageCode::kEE1016:
      return " (EE1016)";
    case MessageCode::kEE1017:
      return " (EE1017)";
    case MessageCode::kEE1018:
      return " (EE1018)";
    case MessageCode::kEE9999:
      return " (EE9999)";
    case MessageCode::kEH0007:
      return " (EH0007)";
    case MessageCode::kEH0008:
      return " (EH0008)";
    case MessageCode::kEH0009:
      return " (EH0009)";
    case MessageCode::kEH0012:
      return " (EH0012)";
    case MessageCode::kEH9999:
      return " (EH9999)";
    case MessageCode::kWE0001:
      return " (WE0001)";
  }
  return "";
}

Status record(aclError code, LastError last_error, MessageCode message, const char* format,
              va_list arguments) {
  char detail[768];
  std::vsnprintf(detail, sizeof detail, format, arguments);
  char text[1024];
  std::snprintf(text, sizeof text, "%s: %s%s", current_function(), detail, name_of(message));
  record_error(code, text, last_error);
  FERRY_LOG(kError, "%d %s", code, text);
  return Status(code);
}

LastError by_layer(aclError code) {
  return is_runtime_code(code) ? LastError::kSet : LastError::kKeep;
}

}  // namespace

Status vfail(aclError code, MessageCode message, const char* format, va_list arguments) {
  return record(code, by_layer(code), message, format, arguments);
}

Status fail(aclError code, MessageCode message, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const Status status = vfail(code, message, format, arguments);
  va_end(arguments);
  return status;
}

Status fail_unlogged(aclError code, MessageCode message, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const Status status = record(code, LastError::kKeep, message, format, arguments);
  va_end(arguments);
  return status;
}

Status fail_null(const char* argument) {
  return fail(ACL_ERROR_INVALID_PARAM, MessageCode::kEH0008, "%s is NULL", argument);
}

}  // namespace ferry
