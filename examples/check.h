// SPDX-License-Identifier: Apache-2.0
// Shared by the examples: ends the program when a call fails or a result is wrong.
#pragma once

#include "acl/acl.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

// Ends the program when a call failed. The library's text names the function, the argument and what
// is allowed. It is kept per thread, so the thread whose call failed has to ask for it.
inline void check(aclError code, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (code == ACL_SUCCESS) return;
  const char* slash = std::strrchr(file, '/');
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s:%d: error %d: %s\n", slash != nullptr ? slash + 1 : file, line, code,
               text != nullptr ? text : "the library gives no reason");
  std::exit(1);
}

// Ends the program when a result is not the expected one.
inline void require(bool is_right, const char* what) {
  if (is_right) return;
  std::fprintf(stderr, "wrong: this should hold: %s\n", what);
  std::exit(1);
}
