// SPDX-License-Identifier: Apache-2.0
// A run of a model as the checker sees it. Its tasks are in flight from the call that launches it,
// though they are submitted only when the launching queue comes to the run.
#pragma once

#include "layers/check/order/order.h"
#include "layers/check/report/site.h"
#include "layers/check/world/task.h"

#include <cstdint>
#include <map>
#include <memory>

namespace ferry::layers::check {

// Protected by World's lock once it is queued, except for what is constant from then on.
struct Run {
  uint64_t number = 0;    // unique in the process
  uint32_t model = 0;     // its number, as programs see it
  SiteId site = kNoSite;  // where it was launched
  Moment moment;          // in the launching queue
  uint64_t epoch = 0;     // in which it was launched; 0: not queued, or over
  Knowledge begin;        // what its lanes can rely on
  Knowledge done;         // what is known of the lanes that are over
  // There is more to it than its lanes, such as host functions. It then counts as a host function
  // of the launching queue, and its lanes as queues of their own.
  bool has_more = false;
  // The host, or a host function, may prepare memory for it after it was launched: it waits for
  // something from outside.
  bool has_waits = false;
  // Tasks that are not submitted yet, by the correlation of their work. They belong to the
  // launching queue, at the moment of the run.
  std::map<uint64_t, std::shared_ptr<Task>> announced;
};

}  // namespace ferry::layers::check
