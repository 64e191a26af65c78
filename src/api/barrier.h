// SPDX-License-Identifier: Apache-2.0
// The barrier for exceptions of the standard library: it turns them into error codes.
#pragma once

#include "acl/acl_base_rt.h"

namespace ferry::api {

// Records a text for the exception being handled and returns its code. Call in a catch block.
aclError code_of_exception();

}  // namespace ferry::api
