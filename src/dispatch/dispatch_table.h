// SPDX-License-Identifier: Apache-2.0
// The table behind the exported functions: one slot per function. A layer replaces the table by one
// whose slots it has wrapped; a layer that is off is not in the call path.
#pragma once

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_prof.h"

#include <atomic>
#include <cstddef>

namespace ferry {

struct DispatchTable {
#define FERRY_API(ret, name, params, args, failure) ret(*name) params;
#include "dispatch/api_list.def"
};

// The functions by number, for layers that keep state per function.
enum class Function : size_t {
#define FERRY_API(ret, name, params, args, failure) name,
#include "dispatch/api_list.def"
  kCount
};
constexpr size_t kFunctionCount = static_cast<size_t>(Function::kCount);

constexpr const char* kFunctionNames[kFunctionCount] = {
#define FERRY_API(ret, name, params, args, failure) #name,
#include "dispatch/api_list.def"
};

// The current table. Invariant: a table that has been current stays valid forever, because a thread
// may still be inside it.
extern std::atomic<const DispatchTable*> active_table;

inline const DispatchTable& dispatch() {
  return *active_table.load(std::memory_order_acquire);
}

}  // namespace ferry
