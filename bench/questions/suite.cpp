// SPDX-License-Identifier: Apache-2.0
// The questions for CPU devices, in their order.
#include "bench/questions/questions.h"

namespace ferry::bench {

Suite cpu_suite() {
  return {
      "CPU",
      "",
      {{"latency", "the cost of one small copy", ask_latency},
       {"bandwidth", "one large copy, pinned host memory", ask_bandwidth},
       {"batch", "scattered blocks of that many bytes, pinned; in: to the device", ask_batch},
       {"pageable", "one large copy, ordinary host memory", ask_pageable},
       {"growth", "a 64-byte round trip while much is alive; memory of an idle runtime",
        ask_growth},
       {"memory", "virtual and shared memory: mapping, copies; events of two processes",
        ask_memory},
       {"streams", "one stream waits for another", ask_streams},
       {"capture", "recorded work runs again", ask_capture},
       {"check", "copies under the checker, by its schedule", ask_check},
       {"trace", "what a trace adds to copies", ask_trace},
       {"predict", "predicted with a profile, and measured", ask_predict},
       {"fabric", "memory of another host, against raw UCX; out: to the peer", ask_fabric}},
      sweep,
  };
}

}  // namespace ferry::bench
