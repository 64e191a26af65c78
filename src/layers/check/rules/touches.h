// SPDX-License-Identifier: Apache-2.0
// Texts for an instruction of the program that touched memory in flight.
#pragma once

#include "layers/check/guard/guard.h"
#include "layers/check/world/world.h"

#include <string>
#include <vector>

namespace ferry::layers::check {

// "thread 4711 wrote 0x… while the copy queued by aclrtMemcpyAsync on stream 0x… was not known to
// be done"
std::string sentence_of(World& world, const Touch& touch, const char* verb);
// The sites of the touch and of the call that queued the copy.
std::vector<Place> places_of(const Touch& touch);

}  // namespace ferry::layers::check
