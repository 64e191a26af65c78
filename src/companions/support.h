// SPDX-License-Identifier: Apache-2.0
// Shared by the companion libraries: texts of failures, and the functions of libascendcl.so. This
// code needs no C++ run-time library: no exceptions, no operator new, no static objects with
// constructors.
#pragma once

#include "acl/acl.h"

#include <cstddef>

namespace ferry::companions {

// What refuses returns this, never 207000: torch_npu takes that for a harmless warning.
constexpr aclError kRefused = 500004;

// Records "<function>: <text>" for aclGetRecentErrMsg and returns `code`.
[[gnu::format(printf, 3, 4)]] aclError fail(const char* function, aclError code, const char* format,
                                            ...);
aclError fail_null(const char* function, const char* argument);
aclError fail_memory(const char* function);
aclError refuse(const char* function);

// A function of libascendcl.so whose name a companion library has too; nullptr when it is missing.
void* find_function(const char* name);

// Which of the pointers is NULL: its place, or `count`.
size_t find_null(const void* const* pointers, size_t count);
// "first, second" is the text of the arguments.
aclError fail_null_at(const char* function, const char* arguments, size_t place);

}  // namespace ferry::companions
