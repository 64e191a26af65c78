// SPDX-License-Identifier: Apache-2.0
// Texts for two accesses that nothing orders.
#pragma once

#include "layers/check/world/world.h"

#include <string>
#include <vector>

namespace ferry::layers::check {

// "aclrtMemcpyAsync on stream 0x… writes 4096 bytes at 0x…, which aclrtMemset on the host writes
// too; nothing orders the two"
std::string sentence_of(World& world, const Conflict& conflict);
// The sites of the later and of the earlier access.
std::vector<Place> places_of(const World& world, const Conflict& conflict);
// If the program's own allocator took the block back between the two accesses: says so, with the
// place, and what to do about that.
void explain_reuse(World& world, const Conflict& conflict, Finding& finding);

}  // namespace ferry::layers::check
