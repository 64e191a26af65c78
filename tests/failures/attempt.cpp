// SPDX-License-Identifier: Apache-2.0
// The rules for codes and bytes.
#include "attempt.h"

#include "failing_calls.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <iterator>

namespace failures {

Outcome outcome;

bool is_shortage(aclError code) {
  constexpr aclError kShortages[] = {ACL_ERROR_BAD_ALLOC, ACL_ERROR_RT_MEMORY_ALLOCATION,
                                     ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                                     ACL_ERROR_RT_DEV_SETUP_ERROR};
  return failing_fired() > 0 &&
         std::find(std::begin(kShortages), std::end(kShortages), code) != std::end(kShortages);
}

void note_failure() {
  ++outcome.failed_calls;
  if (outcome.is_careful) throw HasFailed();
}

void complain(const char* format, ...) {
  outcome.is_good = false;
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
}

void complain_code(const char* call, aclError code, const char* when) {
  const char* text = aclGetRecentErrMsg();
  complain("%s returns %d%s: %s", call, code, when, text == nullptr ? "(no text)" : text);
}

void expect_filled(const char* what, const void* bytes, int value, size_t size) {
  if (bytes == nullptr || outcome.failures > 0 || outcome.expect == Expect::kAnything) return;
  const auto* first = static_cast<const unsigned char*>(bytes);
  const auto* wrong =
      std::find_if(first, first + size, [&](unsigned char byte) { return byte != value; });
  if (wrong == first + size) return;
  complain("%s: byte %td is %d, not %d, though every call succeeded", what, wrong - first, *wrong,
           value);
}

void expect_equal(const char* what, uint64_t actual, uint64_t wanted) {
  if (outcome.failures > 0 || outcome.expect == Expect::kAnything || actual == wanted) return;
  complain("%s is %llu, not %llu", what, static_cast<unsigned long long>(actual),
           static_cast<unsigned long long>(wanted));
}

}  // namespace failures
