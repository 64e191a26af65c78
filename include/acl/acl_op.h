// SPDX-License-Identifier: Apache-2.0
// Operators are not part of this library: the header exists for programs that include it.
#ifndef ACL_OP_H
#define ACL_OP_H

#include "acl_rt.h"

#endif
