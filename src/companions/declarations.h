// SPDX-License-Identifier: Apache-2.0
// Declares the symbols of all companion libraries: from the public headers, and from the list for
// those that no header of Ferry declares. Where both do, the compiler compares them.
#pragma once

#include "companions/types.h"
#include "hccl/hccl.h"
#include "ms_tools_ext.h"

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_platform.h"
#include "acl/acl_prof.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"

#pragma push_macro("FERRY_DECLARED")
#define FERRY_DECLARED(answer, result, name, params, last) ACL_FUNC_VISIBILITY result name params;
extern "C" {
#include "companions/all_symbols.h"
}
#pragma pop_macro("FERRY_DECLARED")
