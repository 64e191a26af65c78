// SPDX-License-Identifier: Apache-2.0
// The CPU backend: devices made of this machine's cores and memory.
#pragma once

#include "ferry/backend.h"

namespace ferry::cpu {

const ferryx_backend* backend();

}  // namespace ferry::cpu
