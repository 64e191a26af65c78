// SPDX-License-Identifier: Apache-2.0
// The front that makes tasks fail, or come late, when they run. Only put before backends when a
// rule of FERRY_FAIL asks for it.
#pragma once

#include "ferry/backend.h"

namespace ferry::layers::inject {

const ferryx_backend* put_inject_in_front(const ferryx_backend* backend);

}  // namespace ferry::layers::inject
