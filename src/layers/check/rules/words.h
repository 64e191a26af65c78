// SPDX-License-Identifier: Apache-2.0
// Texts that several rules use.
#pragma once

#include "layers/check/world/world.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ferry::layers::check {

// " reads " or " writes "
const char* verb_of(AccessKind kind);
// "0x7f0000001000"
std::string address_text(uintptr_t address);
// "1 byte", "4096 bytes"
std::string bytes_text(uint64_t count);
// "aclrtMemcpyAsyncWithDesc on stream 0x… writes 4096 bytes at 0x…"
std::string access_text(const World& world, const Task& task, const TaskRange& range);
// The place, and where the live memory at the address was allocated.
std::vector<Place> places_of(World& world, const Place& first, uintptr_t address);

}  // namespace ferry::layers::check
