// SPDX-License-Identifier: Apache-2.0
// Describes a conflict.
#include "layers/check/rules/races.h"

#include "layers/check/rules/words.h"

namespace ferry::layers::check {

std::string sentence_of(World& world, const Conflict& conflict) {
  const TaskLabel earlier = TaskLabel::of(conflict.earlier.label);
  return std::string(conflict.task.function) + " on " +
         world.describe_queue(conflict.task.moment.queue) + verb_of(conflict.mine.kind) +
         std::to_string(conflict.where.size()) + " bytes at " +
         world.describe_address(conflict.where.begin) + ", which " +
         site_of(earlier.site).function + " on " + world.describe_queue(earlier.queue) +
         verb_of(conflict.earlier.kind) + "too; nothing orders the two";
}

std::vector<Place> places_of(const World& world, const Conflict& conflict) {
  const TaskLabel earlier = TaskLabel::of(conflict.earlier.label);
  return {{"on " + world.describe_queue(conflict.task.moment.queue), conflict.task.site},
          {"on " + world.describe_queue(earlier.queue), earlier.site}};
}

}  // namespace ferry::layers::check
