// SPDX-License-Identifier: Apache-2.0
// Calls of the API that have to succeed.
#pragma once

#include "acl/acl.h"

namespace ferry::tools::soak {

/// Ends the process with the text of the error unless the call has succeeded. The program of a soak
/// is correct: none of its calls may fail.
void must(aclError code);

/// As must; false when the device or the emulated product does not support the call.
bool is_supported(aclError code);

}  // namespace ferry::tools::soak
