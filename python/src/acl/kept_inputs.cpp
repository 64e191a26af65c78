// SPDX-License-Identifier: Apache-2.0
#include "kept_inputs.h"

#include <deque>
#include <utility>

namespace ferry::python {
namespace {

struct KeptInput {
  nanobind::object object;
  size_t size;
};

struct KeptInputs {
  std::deque<KeptInput> inputs;
  size_t bytes = 0;
};

// Never destroyed: at process exit there may be no interpreter left to release objects.
KeptInputs& kept() {
  static KeptInputs& inputs = *new KeptInputs();
  return inputs;
}

}  // namespace

void keep_input(const nanobind::object& input, size_t size) {
  KeptInputs& all = kept();
  all.inputs.push_back({input, size});
  all.bytes += size;
  while (all.inputs.size() > 1 &&
         (all.inputs.size() > kMostInputs || all.bytes > kMostInputBytes)) {
    // Removed before it is released: its destruction may run code that calls this again.
    const KeptInput oldest = std::move(all.inputs.front());
    all.inputs.pop_front();
    all.bytes -= oldest.size;
  }
}

}  // namespace ferry::python
