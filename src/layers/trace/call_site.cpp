// SPDX-License-Identifier: Apache-2.0
// Between the frame of the layer's function and the place where the program's return address lies
// are frames of this library only. Their sizes are constant, so the distance is the same whenever
// the layer's function returns to the same instruction: it is found once, by unwinding, and kept.
// Sanitizers align frames at run time, and AArch64 links frames: there the links are followed.
#include "layers/trace/call_site.h"

#include "base/call_stack.h"

#include <unwind.h>

#include <array>
#include <atomic>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FERRY_FRAMES_VARY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FERRY_FRAMES_VARY 1
#endif
#endif

namespace ferry::layers::trace {
namespace {

#if !defined(__aarch64__) || defined(FERRY_FRAMES_VARY)

// The first frame outside of this library, above the frame with this return address.
struct Walk {
  uintptr_t first = 0;
  bool has_begun = false;
  uintptr_t site = 0;
  uintptr_t stack = 0;  // of the frame that the site is in, when it called
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  const uintptr_t address = _Unwind_GetIP(context);
  walk.has_begun = walk.has_begun || address == walk.first;
  if (!walk.has_begun || own_code().contains(address)) return _URC_NO_REASON;
  walk.site = address;
  walk.stack = _Unwind_GetCFA(context);
  return _URC_END_OF_STACK;
}

Walk find_site(uintptr_t first) {
  Walk walk;
  walk.first = first;
  _Unwind_Backtrace(visit, &walk);
  return walk;
}

#endif

#if defined(__x86_64__) && !defined(FERRY_FRAMES_VARY)

// A return address inside this library, and the distance from the frame of the function that
// returns there to the program's return address: one word, so that it is read and written at once.
constexpr int kDistanceBits = 16;
constexpr size_t kKnown = 4096;
constinit std::array<std::atomic<uint64_t>, kKnown> known_distances{};

uint64_t find_and_keep(uintptr_t frame, uintptr_t first, std::atomic<uint64_t>& known) {
  const Walk walk = find_site(first);
  if (walk.site == 0) return 0;
  const uintptr_t place = walk.stack - sizeof(void*);
  const uintptr_t distance = (place - frame) / sizeof(void*);
  if (*reinterpret_cast<const uintptr_t*>(place) != walk.site || distance >> kDistanceBits != 0) {
    return walk.site;
  }
  known.store(first << kDistanceBits | distance, std::memory_order_relaxed);
  return walk.site;
}

}  // namespace

uint64_t call_site(const void* frame) noexcept {
  const auto* const words = static_cast<const uintptr_t*>(frame);
  const uintptr_t first = words[1];  // the return address of the function with this frame
  std::atomic<uint64_t>& known = known_distances[(first ^ first >> 12) % kKnown];
  const uint64_t entry = known.load(std::memory_order_relaxed);
  if (entry >> kDistanceBits == first) [[likely]]
    return words[entry & ((1U << kDistanceBits) - 1)];
  return find_and_keep(reinterpret_cast<uintptr_t>(frame), first, known);
}

#elif defined(__aarch64__) && !defined(FERRY_FRAMES_VARY)

}  // namespace

uint64_t call_site(const void* frame) noexcept {
  constexpr int kMostFrames = 8;
  const auto* link = static_cast<const uintptr_t*>(frame);
  for (int i = 0; i < kMostFrames; ++i) {
    if (!own_code().contains(link[1])) return link[1];
    const auto* const outer = reinterpret_cast<const uintptr_t*>(link[0]);
    if (outer <= link) return 0;
    link = outer;
  }
  return 0;
}

#else

}  // namespace

uint64_t call_site(const void* frame) noexcept {
  return find_site(static_cast<const uintptr_t*>(frame)[1]).site;
}

#endif

}  // namespace ferry::layers::trace
