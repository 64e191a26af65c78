// SPDX-License-Identifier: Apache-2.0
// Words for an instruction of the host that touched memory in flight.
#pragma once

#include "layers/check/guard/guard.h"
#include "layers/check/world/world.h"

#include <string>
#include <vector>

namespace ferry::layers::check {

// "thread 4711 wrote 0x… while a copy queued by aclrtMemcpyAsync on stream 0x… was not known to be
// done"
std::string sentence_of(World& world, const Touch& touch, const char* verb);
// Where it touched, and where the copy was queued.
std::vector<Place> places_of(const Touch& touch);

}  // namespace ferry::layers::check
