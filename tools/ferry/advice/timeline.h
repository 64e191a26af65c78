// SPDX-License-Identifier: Apache-2.0
// Works, as they were submitted, and changes of memory between them, in the order of time.
#pragma once

#include "trace/trace.h"

#include <functional>

namespace ferry::tools::advice {

struct Happening {  // one of them is not null
  const trace::Work* work = nullptr;
  const trace::Instant* instant = nullptr;  // of memory
};

void for_each_happening(const trace::Trace& trace,
                        const std::function<void(const Happening&)>& look);

}  // namespace ferry::tools::advice
