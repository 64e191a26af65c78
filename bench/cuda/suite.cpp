// SPDX-License-Identifier: Apache-2.0
// The questions for GPUs, in their order.
#include "bench/cuda/suite.h"

#include "bench/cuda/batch.h"
#include "bench/cuda/ground.h"
#include "bench/cuda/questions.h"

#include <memory>

namespace ferry::bench::cuda {
namespace {

// One copy of this many bytes is the limit that batches are compared with.
size_t bytes_of(Effort effort) {
  return effort == Effort::kQuick ? size_t{32} << 20 : size_t{1} << 30;
}

}  // namespace

Suite suite(ThreadTeam& team, Effort effort) {
  struct State {
    State(ThreadTeam& threads, size_t bytes) : ground(threads, bytes), batch(ground) {}
    Ground ground;
    BatchQuestion batch;
  };
  const auto state = std::make_shared<State>(team, bytes_of(effort));
  const auto on_ground = [state](void (*ask)(const Setup&, Ground&)) {
    return [state, ask](const Setup& setup) { ask(setup, state->ground); };
  };
  return {
      "CUDA",
      state->ground.raw().device_text(),
      {{"latency", "what it costs to hand work over, and to wait for it", on_ground(ask_latency)},
       {"bandwidth", "one large copy, pinned host memory", on_ground(ask_bandwidth)},
       {"batch", "scattered blocks of that many bytes, pinned; in: to the device",
        [state](const Setup& setup) { state->batch.ask(setup); }},
       {"pageable", "one large copy, ordinary host memory", on_ground(ask_pageable)},
       {"descriptor", "addresses read on the device, and rows; inside the device",
        on_ground(ask_descriptor)},
       {"check", "copies under the checker, pinned; in: to the device", on_ground(ask_check)}},
      [state](const Setup& setup) { return state->batch.sweep(setup); },
  };
}

}  // namespace ferry::bench::cuda
