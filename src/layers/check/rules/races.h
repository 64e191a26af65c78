// SPDX-License-Identifier: Apache-2.0
// Words for two accesses that nothing orders.
#pragma once

#include "layers/check/world/world.h"

#include <string>
#include <vector>

namespace ferry::layers::check {

// "aclrtMemcpyAsync on stream 0x… writes 4096 bytes at 0x…, which aclrtMemset on the host writes;
// nothing orders the two"
std::string sentence_of(World& world, const Conflict& conflict);
// Where the later one was asked for, and the earlier one.
std::vector<Place> places_of(const World& world, const Conflict& conflict);

}  // namespace ferry::layers::check
