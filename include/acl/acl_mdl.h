// SPDX-License-Identifier: Apache-2.0
// Offline models are not part of this library: the header exists for programs that include it.
// Models captured from streams are in rt/captured_model.h. acl_rt.h defines the guard, see there.
#ifndef INC_EXTERNAL_ACL_ACL_MODEL_H_
#define INC_EXTERNAL_ACL_ACL_MODEL_H_
#endif

#include "acl_base.h"
#include "acl_rt.h"
