// SPDX-License-Identifier: Apache-2.0
// A slot goes free -> filling -> ready -> told -> free. The touching thread does every step except
// ready -> told. When it has waited too long, it leaves the slot as abandoned, and the reporting
// thread frees it.
#include "layers/check/guard/touch_ring.h"

#include "base/call_stack.h"
#include "base/thread.h"
#include "layers/check/guard/futex.h"

#include <array>

namespace ferry::layers::check {
namespace {

constexpr Nanoseconds kPatience = std::chrono::seconds(2);
constexpr Nanoseconds kLong = std::chrono::hours(1);
constexpr size_t kSlots = 64;

enum : uint32_t { kFree, kFilling, kReady, kAbandoned, kTold };

// Invariant: `touch` belongs to the thread that moved the state to filling, until it is ready; then
// to the reporting thread, until it is told or free.
struct Slot {
  std::atomic<uint32_t> state{kFree};
  Touch touch;
};

struct Ring {
  std::array<Slot, kSlots> slots;
  std::atomic<uint32_t> filled{0};  // incremented for each slot that becomes ready
  std::atomic<uint32_t> freed{0};   // incremented for each slot that becomes free
  std::atomic<int> teller{0};       // the kernel's id of the reporting thread
  OnTouch on_touch = nullptr;
};
constinit Ring ring;

void announce(std::atomic<uint32_t>& count) {
  count.fetch_add(1);
  wake_all(count);
}

void free_slot(Slot& slot) {
  slot.state.store(kFree);
  announce(ring.freed);
}

Slot* find_free_slot() {
  for (Slot& slot : ring.slots) {
    uint32_t expected = kFree;
    if (slot.state.compare_exchange_strong(expected, kFilling)) return &slot;
  }
  return nullptr;
}

Slot* await_free_slot(Nanoseconds deadline) {
  for (;;) {
    const uint32_t freed = ring.freed.load();
    if (Slot* slot = find_free_slot()) return slot;
    const Nanoseconds left = deadline - monotonic_now();
    if (left.count() <= 0) return nullptr;
    sleep_while(ring.freed, freed, left);
  }
}

void await_telling(Slot& slot, Nanoseconds deadline) {
  while (slot.state.load() == kReady) {
    const Nanoseconds left = deadline - monotonic_now();
    uint32_t expected = kReady;
    if (left.count() <= 0 && slot.state.compare_exchange_strong(expected, kAbandoned)) return;
    sleep_while(slot.state, kReady, left);
  }
  free_slot(slot);
}

void tell_all() {
  for (Slot& slot : ring.slots) {
    const uint32_t state = slot.state.load();
    if (state != kReady && state != kAbandoned) continue;
    ring.on_touch(slot.touch);
    if (slot.state.exchange(kTold) == kAbandoned) {
      free_slot(slot);
    } else {
      wake_all(slot.state);
    }
  }
}

[[noreturn]] void keep_telling() {
  ring.teller.store(gettid());
  for (;;) {
    const uint32_t filled = ring.filled.load();
    tell_all();
    sleep_while(ring.filled, filled, kLong);
  }
}

}  // namespace

bool open_touch_ring(OnTouch on_touch) {
  ring.on_touch = on_touch;
  return start_thread("ferry-touch", keep_telling).ok();
}

void tell_touch(const TouchFacts& facts) {
  const int thread = gettid();
  if (thread == ring.teller.load()) return;  // would wait for itself
  const Nanoseconds deadline = monotonic_now() + kPatience;
  Slot* slot = await_free_slot(deadline);
  if (slot == nullptr) return;
  slot->touch.address = facts.address;
  slot->touch.is_write = facts.is_write;
  slot->touch.is_freed = facts.is_freed;
  slot->touch.label = facts.label;
  slot->touch.thread = thread;
  slot->touch.frame_count = take_call_stack(facts.instruction, slot->touch.frames);
  slot->touch.script_size = take_script_stack(slot->touch.script).size();
  slot->state.store(kReady);
  announce(ring.filled);
  await_telling(*slot, deadline);
}

}  // namespace ferry::layers::check
