// SPDX-License-Identifier: Apache-2.0
// Perfetto's protobuf traces; a build without protozero has none.
#include "plugins/trace/format.h"

namespace ferry::plugins::trace {

bool can_write_perfetto() {
  return false;
}

std::unique_ptr<Format> make_perfetto(Bytes&) {
  return nullptr;
}

}  // namespace ferry::plugins::trace
