// SPDX-License-Identifier: Apache-2.0
// Lookup of arguments by name, and the chain of calls a thread is in.
#include "layers/check/calls/call.h"

#include "base/error_state.h"

#include <cctype>
#include <new>
#include <string>

namespace ferry::layers::check {
namespace {

thread_local const Call* innermost = nullptr;

void leave(void* outer) {
  innermost = static_cast<const Call*>(outer);
}

// The name at `index` of "(dst, destMax, src)".
std::string_view name_at(std::string_view names, size_t index) {
  names = names.substr(1, names.size() - 2);
  for (; index > 0; --index)
    names.remove_prefix(std::min(names.find(',') + 1, names.size()));
  while (!names.empty() && names.front() == ' ')
    names.remove_prefix(1);
  return names.substr(0, names.find(','));
}

// A report without a place is better than a call that fails because of the checker.
SiteId site_unless_short_of_memory(const char* function) {
  try {
    return capture_site(function);
  } catch (const std::bad_alloc&) {
    return kNoSite;
  }
}

}  // namespace

Call::Call(Function function, const char* names, std::span<const uint64_t> arguments)
    : function_(function),
      names_(names),
      arguments_(arguments),
      start_(std::chrono::steady_clock::now()),
      outer_(innermost),
      guard_(leave, const_cast<Call*>(outer_)) {
  innermost = this;
}

Call::~Call() {
  innermost = outer_;
}

bool Call::is_asynchronous() const {
  return std::string_view(name()).find("Async") != std::string_view::npos;
}

std::optional<uint64_t> Call::find(std::string_view name) const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (name_at(names_, i) == name) return arguments_[i];
  }
  return {};
}

SiteId Call::site() const {
  if (site_ == kNoSite) site_ = site_unless_short_of_memory(name());
  return site_;
}

const Call* Call::current() {
  return innermost;
}

SiteId current_site() {
  return innermost != nullptr ? innermost->site() : site_unless_short_of_memory(current_function());
}

}  // namespace ferry::layers::check
