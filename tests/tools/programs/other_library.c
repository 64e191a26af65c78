/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the libascendcl.so of somebody else. */
const char* aclrtGetSocName(void) {
  return "somebody else";
}
