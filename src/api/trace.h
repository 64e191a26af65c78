// SPDX-License-Identifier: Apache-2.0
// What connects traces with the runtime and the checker.
#pragma once

namespace ferry {

// Call before the first trace. It can be repeated.
void connect_trace();

}  // namespace ferry
