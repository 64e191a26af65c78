// SPDX-License-Identifier: Apache-2.0
// Reports a failed call.
#include "soak/must.h"

#include "commands.h"
#include "soak/progress.h"
#include "text.h"

#include <fmt/format.h>

#include <cstdlib>

namespace ferry::tools::soak {

void must(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  clear_progress();
  complain(kSoakName, fmt::format("error {}: {}", code, text != nullptr ? text : "no text"));
  // Other threads are in the middle of calls.
  std::_Exit(kExitFailure);
}

bool is_supported(aclError code) {
  if (code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) return false;
  must(code);
  return true;
}

}  // namespace ferry::tools::soak
