/* SPDX-License-Identifier: Apache-2.0 */
/* Prints which library this program got, by the product name it returns. */
#include <stdio.h>

const char* aclrtGetSocName(void);

int main(void) {
  const char* name = aclrtGetSocName();
  puts(name != NULL ? name : "(none)");
  return 0;
}
