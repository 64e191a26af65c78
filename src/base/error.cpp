// SPDX-License-Identifier: Apache-2.0
// The fields of an error, and the one place that renders its text.
#include "base/error.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace ferry {

const char* name_of(MessageCode code) {
  constexpr const char* kNames[] = {"",       "EE1001", "EE1002", "EE1003", "EE1004",
                                    "EE1006", "EE1010", "EE1011", "EE1012", "EE1016",
                                    "EE1017", "EE1018", "EE1022", "EE9999", "EH0007",
                                    "EH0008", "EH0009", "EH0012", "EH9999", "WE0001"};
  static_assert(std::size(kNames) == static_cast<size_t>(kWE0001) + 1);
  return kNames[static_cast<size_t>(code)];
}

Error::Error(const Argument& argument, const Value& value, const std::string& detail,
             const std::string& allowed, aclError error_code)
    : code(error_code) {
  argument.put_into(*this);
  value.put_into(*this);
  put(kDetail, "%s", detail.c_str());
  put(kAllowed, "%s", allowed.c_str());
  render();
}

void Error::put(Field field, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vput(field, format, arguments);
  va_end(arguments);
}

void Error::vput(Field field, const char* format, va_list arguments) {
  if (used_ == sizeof fields_) --used_;  // an empty field in place of the last 0
  starts_[field] = used_;
  const size_t room = sizeof fields_ - used_;
  const int length = std::vsnprintf(fields_ + used_, room, format, arguments);
  used_ += static_cast<uint16_t>(std::min(static_cast<size_t>(std::max(length, 0)) + 1, room));
}

std::string Error::sentence() const {
  std::string text(kTextSize, '\0');
  render_to(text.data(), "", "");
  return text.c_str();
}

void Error::render_to(char* text, const char* in_function, const char* message_code) const {
  const bool is_named = joint != nullptr;
  const bool has_function = in_function[0] != '\0';
  const bool has_code = message_code[0] != '\0';
  const char* const quote = is_quoted ? "\"" : "";
  std::snprintf(text, kTextSize, "%s%s%s%s%s%s%s%s%s%s%s%s%s", in_function,
                has_function ? ": " : "", lead, is_named ? argument() : "",
                is_named && has(kValue) ? joint : "", quote, value(), quote,
                fields_ + starts_[kDetail], allowed(), has_code ? " (" : "", message_code,
                has_code ? ")" : "");
}

void Argument::put_into(Error& error) const {
  char index[24] = "";
  char member_index[24] = "";
  if (index_ != kNone) std::snprintf(index, sizeof index, "[%zu]", index_);
  if (member_index_ != kNone) std::snprintf(member_index, sizeof index, "[%zu]", member_index_);
  error.put(Error::kArgument, "%s%s%s%s%s", name_, index, member_[0] != '\0' ? "." : "", member_,
            member_index);
}

void Value::put_into(Error& error) const {
  error.joint = joint_;
  error.is_quoted = kind_ == kQuoted;
  if (kind_ == kText || kind_ == kQuoted) {
    error.put(Error::kValue, "%s", reinterpret_cast<const char*>(bits_));
  } else if (kind_ == kAddress) {
    error.put(Error::kValue, "%p", reinterpret_cast<const void*>(bits_));
  } else if (kind_ == kSigned) {
    error.put(Error::kValue, "%lld", static_cast<long long>(bits_));
  } else if (kind_ != kNothing) {
    error.put(Error::kValue, kind_ == kHex ? "0x%llx" : "%llu",
              static_cast<unsigned long long>(bits_));
  }
}

}  // namespace ferry
