// SPDX-License-Identifier: Apache-2.0
// Texts for numbers and accesses.
#include "layers/check/rules/words.h"

#include <cinttypes>
#include <cstdio>

namespace ferry::layers::check {

const char* verb_of(AccessKind kind) {
  return kind == AccessKind::kRead ? " reads " : " writes ";
}

std::string address_text(uintptr_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIxPTR, address);
  return text;
}

std::string bytes_text(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string access_text(const World& world, const Task& task, const TaskRange& range) {
  return std::string(task.function) + " on " + world.describe_queue(task.moment.queue) +
         verb_of(range.kind) + bytes_text(range.range.size()) + " at " +
         address_text(range.range.begin);
}

std::vector<Place> places_of(World& world, const Place& first, uintptr_t address) {
  const Allocation* allocation = world.memory().find(address);
  if (allocation == nullptr) return {first};
  return {first, {"the memory was allocated", allocation->made_at}};
}

}  // namespace ferry::layers::check
