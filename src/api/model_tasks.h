// SPDX-License-Identifier: Apache-2.0
// Checks of models and their tasks that inspection and changes share.
#pragma once

#include "base/status.h"
#include "core/model/model_parts.h"

namespace ferry::api {

// 207000 for a branch of a condition.
Status check_no_branch(const Model& model);
// 207000 for a model that no capture has made.
Status check_captured_kind(const Model& model);

}  // namespace ferry::api
