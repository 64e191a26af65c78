// SPDX-License-Identifier: Apache-2.0
// The one vocabulary for results inside the product: Status, Result<T>, and fail(), which decides
// an error and writes its text. What a thread keeps of its errors lives in error_state.h.
#pragma once

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <cstdarg>
#include <utility>

namespace ferry {

// An aclError whose text, if it is a failure, has been recorded already by the one who decided it.
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

// The code in brackets at the end of every text; it says what kind of text it is (docs/errors.md).
enum class MessageCode {
  kNone,
  kEE1001,
  kEE1002,
  kEE1003,
  kEE1004,
  kEE1006,
  kEE1010,
  kEE1011,
  kEE1016,
  kEE1017,
  kEE1018,
  kEE9999,
  kEH0007,
  kEH0008,
  kEH0009,
  kEH0012,
  kEH9999,
  kWE0001,
};

// Records the text "<function>: <text> (<message code>)" for aclGetRecentErrMsg, sets the thread's
// last error when `code` belongs to the runtime layer, and returns the code.
// Cold: the compiler puts what leads there out of the way of what succeeds.
[[gnu::cold, gnu::format(printf, 3, 4)]] Status fail(aclError code, MessageCode message,
                                                     const char* format, ...);
[[gnu::cold]] Status vfail(aclError code, MessageCode message, const char* format,
                           va_list arguments);

// As fail(), for the few refusals that the contract keeps out of the thread's last error.
[[gnu::cold, gnu::format(printf, 3, 4)]] Status fail_unlogged(aclError code, MessageCode message,
                                                              const char* format, ...);

// A mandatory pointer of the ACL layer is NULL: 100000.
[[gnu::cold]] Status fail_null(const char* argument);

}  // namespace ferry

#define FERRY_RETURN_IF_ERROR(expression)                                                        \
  do {                                                                                           \
    if (::ferry::Status ferry_status_ = (expression); !ferry_status_.ok()) return ferry_status_; \
  } while (false)
