// SPDX-License-Identifier: Apache-2.0
// Describes a touch.
#include "layers/check/rules/touches.h"

namespace ferry::layers::check {

std::string sentence_of(World& world, const Touch& touch, const char* verb) {
  const TaskLabel label = TaskLabel::of(touch.label);
  return "thread " + std::to_string(touch.thread) + " " + verb + " " +
         world.describe_address(touch.address) + " while the copy queued by " +
         site_of(label.site).function + " on " + world.describe_queue(label.queue) +
         " was not known to be done";
}

std::vector<Place> places_of(const Touch& touch) {
  return {{"the host touched it", intern_site(touch.site())},
          {"the copy was queued", TaskLabel::of(touch.label).site}};
}

}  // namespace ferry::layers::check
