// SPDX-License-Identifier: Apache-2.0
// Texts of failures, and the functions of libascendcl.so.
#include "companions/support.h"

#include "ferry/companion.h"

#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace ferry::companions {

aclError fail(const char* function, aclError code, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start has initialised it
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return ferryRecordError(function, code, text);
}

aclError fail_null(const char* function, const char* argument) {
  return fail(function, ACL_ERROR_INVALID_PARAM, "%s is NULL", argument);
}

aclError fail_memory(const char* function) {
  return fail(function, ACL_ERROR_BAD_ALLOC, "host memory is exhausted");
}

aclError refuse(const char* function) {
  return fail(function, kRefused, "Ferry does not have what this function needs");
}

void* find_function(const char* name) {
  // This library needs it, so it is loaded; the name is its SONAME. RTLD_NEXT would not find it
  // when the program has loaded it before this library.
  void* const library = dlopen("libascendcl.so", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* const found = dlsym(library, name);
  dlclose(library);  // it is never unloaded
  return found;
}

size_t find_null(const void* const* pointers, size_t count) {
  size_t place = 0;
  while (place < count && pointers[place] != nullptr)
    ++place;
  return place;
}

aclError fail_null_at(const char* function, const char* arguments, size_t place) {
  const char* name = arguments;
  for (; place > 0; --place)
    name = std::strchr(name, ',') + 2;
  return fail(function, ACL_ERROR_INVALID_PARAM, "%.*s is NULL",
              static_cast<int>(std::strcspn(name, ",")), name);
}

}  // namespace ferry::companions
