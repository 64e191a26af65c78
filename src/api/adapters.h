// SPDX-License-Identifier: Apache-2.0
// The implemented functions, declared from the list; the slots of the base table point to them. The
// public headers state their contract.
#pragma once

#include "dispatch/dispatch_table.h"

namespace ferry::api {

#define FERRY_API(ret, name, params, args, failure) ret name params;
#define FERRY_API_REFUSED(ret, name, params, args, failure)
#include "dispatch/api_list.def"

}  // namespace ferry::api
