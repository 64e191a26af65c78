// SPDX-License-Identifier: Apache-2.0
// The exported symbols of the API, generated from the list.
#include "api/barrier.h"
#include "base/error_state.h"
#include "dispatch/dispatch_table.h"

#include <cstdarg>
#include <cstdio>

#define FERRY_API(ret, name, params, args, failure)                           \
  extern "C" ACL_FUNC_VISIBILITY ret name params {                            \
    const ferry::CallScope scope(#name);                                      \
    try {                                                                     \
      return ferry::dispatch().name args;                                     \
    } catch (...) {                                                           \
      [[maybe_unused]] const aclError code = ferry::api::code_of_exception(); \
      return failure;                                                         \
    }                                                                         \
  }
#define FERRY_API_VARIADIC(ret, name, params, args, failure)
#include "dispatch/api_list.def"

extern "C" ACL_FUNC_VISIBILITY void aclAppLog(aclLogLevel logLevel, const char* func,
                                              const char* file, uint32_t line, const char* fmt,
                                              ...) {
  if (fmt == nullptr) return;
  const ferry::CallScope scope("aclAppLog");
  char text[1024];
  va_list arguments;
  va_start(arguments, fmt);
  std::vsnprintf(text, sizeof text, fmt, arguments);
  va_end(arguments);
  ferry::dispatch().aclAppLog(logLevel, func, file, line, text);
}
