// SPDX-License-Identifier: Apache-2.0
// All of AscendCL: base types, runtime, and the headers of operators and models, which add nothing
// here.
#ifndef INC_EXTERNAL_ACL_ACL_H_
#define INC_EXTERNAL_ACL_ACL_H_

#include "acl_base.h"
#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

#endif
