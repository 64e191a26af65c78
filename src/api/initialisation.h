// SPDX-License-Identifier: Apache-2.0
// What other chapters ask about aclInit.
#pragma once

namespace ferry::api {

// Whether a call of aclInit is open.
bool is_initialised();

// Whether the file of the open aclInit switches profiling on.
bool is_profiling_configured();

}  // namespace ferry::api
