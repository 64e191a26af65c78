// SPDX-License-Identifier: Apache-2.0
// What a program attaches to the task that the calling thread has queued last, while that is
// recorded.
#pragma once

#include "base/status.h"

#include <string>
#include <vector>

namespace ferry {

// Details of an operator, as bytes. 507000 when the last task is not in a capture, or its stream's
// attribute CACHE_OP_INFO is off; 107003 when its stream belongs to another context.
Status attach_operator_info(std::vector<char> bytes);
// A text for the print of the model. 507000 when the stream of the last task is in no model.
Status attach_text(std::string text);

}  // namespace ferry
