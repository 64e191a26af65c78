// SPDX-License-Identifier: Apache-2.0
// Requests that move nothing: they connect, and show what a request costs.
#include "plugins/fabric/engine.h"

#include <algorithm>

namespace ferry::fabric {
namespace {

constexpr int64_t kLossTime = 10'000'000;  // nanoseconds between looks at a peer that is being lost
constexpr int kBursts = 4;                 // the best of them counts
constexpr size_t kBurst = 24;
// Beyond this a machine is so busy, or so far away, that nothing is learnt about the cost of a
// request; and an import must not take long because of it.
constexpr int64_t kLongestBurst = 20'000'000;

}  // namespace

struct Engine::ProbeAnswer {
  uint32_t is_there = 0;  // changed atomically
  int code = 0;
  std::string text;
};

// Asks for no bytes of a segment that there is not: any answer will do. Until all are answered, or
// the peer is lost.
Engine::ProbeAnswer Engine::probe(const std::shared_ptr<Peer>& peer, size_t times,
                                  int64_t deadline) {
  ProbeAnswer answer;
  const ferryx_fabric_opening nothing{.peer = peer, .segment = 0, .size = 0, .fabric = nullptr};
  fill(
      nothing, {.offset = 0, .size = 0, .value = 0, .width = 1}, times,
      [](void* argument, int code, const char* text) {
        ProbeAnswer& told = *static_cast<ProbeAnswer*>(argument);
        told.code = code;
        told.text = text;
        __atomic_store_n(&told.is_there, 1u, __ATOMIC_RELEASE);
      },
      &answer);
  drive(answer.is_there, deadline - now());
  if (__atomic_load_n(&answer.is_there, __ATOMIC_ACQUIRE) == 0) {
    lose(peer, "UCX cannot reach it in time");
    while (__atomic_load_n(&answer.is_there, __ATOMIC_ACQUIRE) == 0)
      drive(answer.is_there, kLossTime);
  }
  return answer;
}

std::string Engine::connect(const std::shared_ptr<Peer>& peer, int64_t deadline) {
  const int64_t begun = now();
  const ProbeAnswer answer = probe(peer, 1, deadline);
  if (answer.code == FERRYX_FABRIC_LOST) return answer.text;
  return now() - begun > kLongestBurst ? "" : measure(peer, deadline - begun);
}

// The peer has been reached. A burst has as much time as that had at most.
std::string Engine::measure(const std::shared_ptr<Peer>& peer, int64_t limit) {
  int64_t best = kLongestBurst;
  for (int i = 0; i < kBursts; ++i) {
    const int64_t start = now();
    const ProbeAnswer answer = probe(peer, kBurst, start + limit);
    if (answer.code == FERRYX_FABRIC_LOST) return answer.text;
    const int64_t time = now() - start;
    if (time >= kLongestBurst) return "";
    best = std::min(best, time);
  }
  static const double copying = measure_copying();
  peer->packed_block.store(packed_block_for(static_cast<double>(best) / kBurst, copying),
                           std::memory_order_relaxed);
  return "";
}

}  // namespace ferry::fabric
