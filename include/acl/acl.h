// SPDX-License-Identifier: Apache-2.0
// AscendCL, everything at once: base types, runtime, and the headers of operators and models, which
// add nothing of their own here.
#ifndef ACL_H
#define ACL_H

#include "acl_base.h"
#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

#endif
