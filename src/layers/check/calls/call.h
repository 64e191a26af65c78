// SPDX-License-Identifier: Apache-2.0
// The API call a thread is in: the function, its arguments and the call site.
#pragma once

#include "base/jump_guard.h"
#include "dispatch/dispatch_table.h"
#include "layers/check/report/site.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ferry::layers::check {

// One per call, on the stack of the calling thread. Not shared between threads.
class Call {
 public:
  // `names` is the argument list as written in api_list.def, "(dst, destMax, src)".
  Call(Function function, const char* names, std::span<const uint64_t> arguments);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Function function() const { return function_; }
  const char* name() const { return kFunctionNames[static_cast<size_t>(function_)]; }
  // Whether the function may return before its work is done.
  bool is_asynchronous() const;

  bool has(std::string_view argument) const { return find(argument).has_value(); }
  // 0 when there is no such argument.
  uint64_t argument(std::string_view name) const { return find(name).value_or(0); }
  template <class T>
  T* pointer(std::string_view name) const {
    return reinterpret_cast<T*>(argument(name));
  }

  // The call site. The stack is captured on first use.
  SiteId site() const;
  std::chrono::steady_clock::time_point start() const { return start_; }

  // The innermost call of this thread; nullptr outside any call.
  static const Call* current();

 private:
  std::optional<uint64_t> find(std::string_view name) const;

  Function function_;
  const char* names_;
  std::span<const uint64_t> arguments_;
  mutable SiteId site_ = kNoSite;
  std::chrono::steady_clock::time_point start_;
  const Call* outer_;
  // A callback inside the call may leave it with longjmp.
  const JumpGuard guard_;
};

// The site at which the calling thread entered the API.
SiteId current_site();

}  // namespace ferry::layers::check
