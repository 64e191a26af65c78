// SPDX-License-Identifier: Apache-2.0
// Describes a conflict.
#include "layers/check/rules/races.h"

#include "layers/check/rules/words.h"

namespace ferry::layers::check {

std::string sentence_of(World& world, const Conflict& conflict) {
  const TaskLabel earlier = TaskLabel::of(conflict.earlier.label);
  const Site& site = site_of(conflict.task.site);
  const bool is_named = !site.work.empty();
  return std::string(is_named ? site.work : conflict.task.function) + " on " +
         world.describe_queue(conflict.task.moment.queue) + verb_of(conflict.mine.kind) +
         std::to_string(conflict.where.size()) + " bytes at " +
         world.describe_address(conflict.where.begin) + ", which " +
         name_of_work(site_of(earlier.site)) + " on " + world.describe_queue(earlier.queue) +
         verb_of(conflict.earlier.kind) + "too; nothing orders the two";
}

std::vector<Place> places_of(const World& world, const Conflict& conflict) {
  const TaskLabel earlier = TaskLabel::of(conflict.earlier.label);
  return {{"on " + world.describe_queue(conflict.task.moment.queue), conflict.task.site},
          {"on " + world.describe_queue(earlier.queue), earlier.site}};
}

void explain_reuse(World& world, const Conflict& conflict, Finding& finding) {
  const SiteId released = world.blocks().release_between(
      conflict.earlier.when, conflict.task.moment, conflict.where.begin);
  if (released == kNoSite) return;
  finding.sentence +=
      ". In between the block was released, and the program's allocator has given it out again";
  finding.places.push_back({"the block was released", released});
  finding.advice =
      "The allocator must know that a second stream uses the block before it gets it back. "
      "PyTorch: tensor.record_stream(stream) before the last reference to the tensor is dropped. "
      "Or let the block's own stream wait for the second stream first.";
}

}  // namespace ferry::layers::check
