// SPDX-License-Identifier: Apache-2.0
// Merging works and changes of memory by time.
#include "advice/timeline.h"

#include <algorithm>
#include <vector>

namespace ferry::tools::advice {
namespace {

template <typename T>
void sort_by_time(std::vector<const T*>& list, int64_t T::*time) {
  std::stable_sort(list.begin(), list.end(),
                   [time](const T* a, const T* b) { return a->*time < b->*time; });
}

}  // namespace

void for_each_happening(const trace::Trace& trace,
                        const std::function<void(const Happening&)>& look) {
  std::vector<const trace::Instant*> instants;
  for (const trace::Instant& instant : trace.instants) {
    if (instant.what == trace::Instant::What::kMemory) instants.push_back(&instant);
  }
  std::vector<const trace::Work*> works;
  works.reserve(trace.works.size());
  for (const trace::Work& work : trace.works) {
    if (work.result == 0) works.push_back(&work);
  }
  sort_by_time(instants, &trace::Instant::time);
  sort_by_time(works, &trace::Work::submitted);
  auto instant = instants.begin();
  for (const trace::Work* work : works) {
    for (; instant != instants.end() && (*instant)->time <= work->submitted; ++instant)
      look({.work = nullptr, .instant = *instant});
    look({.work = work, .instant = nullptr});
  }
  for (; instant != instants.end(); ++instant)
    look({.work = nullptr, .instant = *instant});
}

}  // namespace ferry::tools::advice
