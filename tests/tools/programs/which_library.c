/* SPDX-License-Identifier: Apache-2.0 */
/* Prints who answers: the product's name of the library this program got. */
#include <stdio.h>

const char* aclrtGetSocName(void);

int main(void) {
  const char* name = aclrtGetSocName();
  puts(name != NULL ? name : "(none)");
  return 0;
}
