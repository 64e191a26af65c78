// SPDX-License-Identifier: Apache-2.0
// Takes the place of perfetto_*.cpp where protozero was not found.
#include "plugins/trace/format.h"

#if !FERRY_TRACE_HAS_PROTOZERO

namespace ferry::plugins::trace {

bool can_write_perfetto() {
  return false;
}

std::unique_ptr<Format> make_perfetto(Bytes&) {
  return nullptr;
}

}  // namespace ferry::plugins::trace

#endif
