// SPDX-License-Identifier: Apache-2.0
// The implemented functions, declared from the list: what the slots of the base table point at.
// Their contract stands in the public headers.
#pragma once

#include "dispatch/dispatch_table.h"

namespace ferry::api {

#define FERRY_API(ret, name, params, args, failure) ret name params;
#define FERRY_API_REFUSED(ret, name, params, args, failure)
#include "dispatch/api_list.def"

}  // namespace ferry::api
