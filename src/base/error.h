// SPDX-License-Identifier: Apache-2.0
// An error as a value: which call failed with which code, which argument is to blame, what its
// value was and what is allowed. The text is rendered from it, in one place. No heap, no
// destructor: an error may be made when memory is short, or while its thread ends.
#pragma once

#include "acl/acl_base_rt.h"

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace ferry {

// The code in brackets at the end of every text; it says what kind of text it is (docs/errors.md).
// clang-format off
enum class MessageCode : uint8_t {
  kNoMessageCode, kEE1001, kEE1002, kEE1003, kEE1004, kEE1006, kEE1010, kEE1011, kEE1012, kEE1016,
  kEE1017, kEE1018, kEE1022, kEE9999, kEH0007, kEH0008, kEH0009, kEH0012, kEH9999, kWE0001
};
// clang-format on
using enum MessageCode;

// "EE1003"; "" for none.
const char* name_of(MessageCode code);

struct Error;

// The path of an argument: "count", "dsts[3]", "location.id", "attrs[0].rsv[2]".
class Argument {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  Argument(const char* name, size_t index = kNone, const char* member = "",
           size_t member_index = kNone)
      : name_(name), index_(index), member_(member), member_index_(member_index) {}
  void put_into(Error& error) const;

 private:
  const char* name_;
  size_t index_;
  const char* member_;
  size_t member_index_;
};

// The value of an argument, and how the text shows it.
class Value {
 public:
  Value() = default;  // not at all
  Value(std::nullptr_t) : Value("NULL") {}
  Value(const char* text) : Value(kText, reinterpret_cast<uintptr_t>(text)) {}
  Value(const void* address) : Value(kAddress, reinterpret_cast<uintptr_t>(address)) {}
  template <class T>
  requires std::is_integral_v<T> Value(T number)
      : Value(std::is_signed_v<T> ? kSigned : kUnsigned, static_cast<uint64_t>(number)) {}
  template <class T>
  requires std::is_enum_v<T> Value(T number) : Value(static_cast<int>(number)) {}

  static Value hex(uint64_t number) { return {kHex, number}; }
  static Value quoted(const char* text) { return {kQuoted, reinterpret_cast<uintptr_t>(text)}; }
  // What stands between argument and value instead of " is "; lives forever.
  Value after(const char* joint) const { return {kind_, bits_, joint}; }
  static Value beside(const Value& value) { return value.after(" "); }
  // The text leaves the argument out: "0x10 was ...".
  static Value alone(const Value& value) { return value.after(nullptr); }

  void put_into(Error& error) const;

 private:
  enum Kind : uint8_t { kNothing, kText, kQuoted, kAddress, kSigned, kUnsigned, kHex };
  Value(Kind kind, uint64_t bits, const char* joint = " is ")
      : kind_(kind), bits_(bits), joint_(joint) {}

  Kind kind_ = kNothing;
  uint64_t bits_ = 0;
  const char* joint_ = " is ";
};

struct Error {
  static constexpr size_t kTextSize = 1024;
  // What varies in a sentence, in its order.
  enum Field : uint8_t { kArgument, kValue, kDetail, kAllowed };

  constexpr Error() = default;
  // An error that no call has met yet, such as a wrong variable.
  Error(const Argument& argument, const Value& value, const std::string& detail,
        const std::string& allowed = {}, aclError error_code = ACL_ERROR_INVALID_PARAM);

  const char* argument() const { return fields_ + starts_[kArgument]; }  // "count", "dsts[3]"
  const char* value() const { return fields_ + starts_[kValue]; }
  const char* allowed() const { return fields_ + starts_[kAllowed]; }
  const char* text() const { return text_; }  // "<function>: <sentence> (<message code>)"
  std::string sentence() const;

  // Making one: each field at most once, and the text last.
  [[gnu::format(printf, 3, 4)]] void put(Field field, const char* format, ...);
  void vput(Field field, const char* format, va_list arguments);
  bool has(Field field) const { return starts_[field] != 0; }
  void render() { render_to(text_, function, name_of(message)); }

  aclError code = ACL_SUCCESS;
  MessageCode message = kNoMessageCode;
  bool is_quoted = false;        // the text shows the value in quotation marks
  const char* function = "";     // "" when it is the error of no call; lives forever
  const char* lead = "";         // begins the sentence; lives forever
  const char* joint = " is ";    // before the value; nullptr: the text leaves the argument out
  const void* handle = nullptr;  // the value, where it is the handle of no live object

 private:
  void render_to(char* text, const char* in_function, const char* message_code) const;

  // Invariant: fields_[used_ - 1] is 0. A field starts at 0, where nothing is, until it is put.
  uint16_t used_ = 1;
  uint16_t starts_[4] = {};
  char fields_[800] = {};  // the rest of a text fits beside it
  char text_[kTextSize] = {};
};

// An error that is passed on to the code that will fail because of it; nullptr when there is none.
using Problem = std::unique_ptr<const Error>;

}  // namespace ferry
