// SPDX-License-Identifier: Apache-2.0
// The one vocabulary for results inside the product: Status, Result<T>, and the functions that
// decide an error. What a thread keeps of its errors lives in error_state.h.
#pragma once

#include "base/error.h"
#include "base/log.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <utility>

namespace ferry {

// An aclError. If it is a failure, the code that decided it has recorded the error already.
class [[nodiscard]] Status {
 public:
  constexpr Status() = default;
  constexpr explicit Status(aclError code) : code_(code) {}

  constexpr bool ok() const { return code_ == ACL_SUCCESS; }
  constexpr aclError code() const { return code_; }
  // Adapters return aclError to C callers; nothing is lost by letting a Status become one.
  constexpr operator aclError() const { return code_; }  // NOLINT(google-explicit-constructor)

 private:
  aclError code_ = ACL_SUCCESS;
};

// A value, or the Status that says why there is none. T must be default constructible.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Status failure) : status_(failure) {}   // NOLINT(google-explicit-constructor)

  bool ok() const { return status_.ok(); }
  Status status() const { return status_; }
  T& operator*() { return value_; }
  T* operator->() { return &value_; }

 private:
  T value_{};
  Status status_;
};

// Decides an error that no argument is to blame for: keeps it, with the sentence given here, as the
// thread's recent error; makes it the last error when `code` belongs to the runtime layer; logs it.
// Cold: the compiler puts what leads there out of the way of what succeeds.
[[gnu::cold, gnu::format(printf, 3, 4)]] Status fail(aclError code, MessageCode message,
                                                     const char* format, ...);

// The call fails because of an error that was found before, for example in the configuration.
[[gnu::cold]] Status fail(aclError code, MessageCode message, const Error& cause,
                          const char* lead = "");

// A mandatory pointer is NULL.
[[gnu::cold]] Status fail_null(const Argument& argument, aclError code = ACL_ERROR_INVALID_PARAM,
                               MessageCode message = kEH0008);

// The handle is not that of a live `kind`, such as "stream".
[[gnu::cold]] Status fail_handle(aclError code, const Argument& argument, const void* handle,
                                 const char* kind);

// The error of reject(), until allowed() or because() decides it. It is written where the thread
// keeps it: what is passed on the way must not fail.
struct [[nodiscard]] Rejection {
  // For the few refusals that the contract keeps out of the thread's last error.
  Rejection& unlogged() { return is_logged = false, *this; }
  // For outcomes that correct programs meet all the time, such as a poll that finds nothing: the
  // log of errors does not show them.
  Rejection& expected() { return level = LogLevel::kInfo, *this; }
  // What stands between the value and what is allowed, if not ", allowed is ".
  [[gnu::cold, gnu::format(printf, 2, 3)]] Rejection& detail(const char* format, ...);
  [[gnu::cold, gnu::format(printf, 2, 3)]] Status allowed(const char* format, ...);
  // What stands behind the value: ", which is too large".
  [[gnu::cold, gnu::format(printf, 2, 3)]] Status because(const char* format, ...);

  Error& error;
  bool is_logged = true;
  LogLevel level = LogLevel::kError;
};

// Decides an error that an argument is to blame for, if any:
// reject(code, message, "count", count).allowed("0 to destMax = %zu", dest_max) is the error
// "<function>: count is 64, allowed is 0 to destMax = 63 (<message>)".
[[gnu::cold]] Rejection reject(aclError code, MessageCode message, const Argument& argument = "",
                               const Value& value = {});

}  // namespace ferry

#define FERRY_RETURN_IF_ERROR(expression)                                                        \
  do {                                                                                           \
    if (::ferry::Status ferry_status_ = (expression); !ferry_status_.ok()) return ferry_status_; \
  } while (false)

// Declares the Result `name`, and returns its error if there is no value: what nearly every
// function that looks up a handle begins with.
#define FERRY_TRY(type, name, expression)    \
  ::ferry::Result<type> name = (expression); \
  if (!name.ok()) [[unlikely]]               \
  return name.status()
