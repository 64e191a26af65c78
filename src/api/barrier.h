// SPDX-License-Identifier: Apache-2.0
// Where exceptions of the standard library end: they become an error code.
#pragma once

#include "acl/acl_base_rt.h"

namespace ferry::api {

// The code for the exception being handled, with its text recorded. To be called in a catch block.
aclError code_of_exception();

}  // namespace ferry::api
