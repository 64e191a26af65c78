/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the library at run time, as many clients do, and prints which one it got. */
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
  void* library = dlopen("libascendcl.so", RTLD_NOW);
  if (library == NULL) {
    puts("no library");
    return 1;
  }
  const char* (*get_name)(void) = (const char* (*)(void))dlsym(library, "aclrtGetSocName");
  puts(get_name != NULL ? get_name() : "no function");
  return 0;
}
