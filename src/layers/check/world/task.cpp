// SPDX-License-Identifier: Apache-2.0
// Merges the ranges of a task into runs.
#include "layers/check/world/task.h"

#include <algorithm>
#include <tuple>

namespace ferry::layers::check {
namespace {

bool is_continued(const TaskRange& range, const TaskRange& next) {
  return range.kind == next.kind && range.is_host == next.is_host && !range.is_rough &&
         !next.is_rough && range.range.end == next.range.begin &&
         static_cast<const char*>(range.storage) + range.range.size() == next.storage;
}

}  // namespace

std::vector<TaskRange> runs_of(std::vector<TaskRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const TaskRange& a, const TaskRange& b) {
    return std::tie(a.kind, a.range.begin) < std::tie(b.kind, b.range.begin);
  });
  size_t last = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (is_continued(ranges[last], ranges[i])) {
      ranges[last].range.end = ranges[i].range.end;
    } else {
      ranges[++last] = ranges[i];
    }
  }
  if (!ranges.empty()) ranges.resize(last + 1);
  return ranges;
}

}  // namespace ferry::layers::check
