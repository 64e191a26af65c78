// SPDX-License-Identifier: Apache-2.0
// Each time our handler is installed over another, it is a different function with its own slot for
// the action below. So a program that restores an earlier action gets exactly what was below that
// one, and two handlers installed over each other in turn do not form a cycle.
#include "layers/check/guard/fault_chain.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ferry::layers::check {
namespace {

constexpr size_t kMostPlaces = 8;
constexpr uint32_t kDeepestChain = 32;

using Handler = void (*)(int, siginfo_t*, void*);

std::atomic<TakeFault> taker{nullptr};
// An element is written once, before the handler of its slot is installed: the handler reads it
// without a lock.
struct sigaction below[kMostPlaces];
size_t places_used = 0;

// How often handlers have passed on one fault. The program's handlers may pass on to whatever they
// found when they were installed, which may be ours, so a chain may be a cycle. A nested handler
// gets the same context and its frame lies lower; the frame also reveals that a handler left by
// longjmp.
struct Delivery {
  const void* context = nullptr;
  uintptr_t frame = 0;
  uint32_t depth = 0;
};

// One thread's delivery, without thread_local: accessing a thread_local may allocate, or uses
// static TLS, which prevents loading the library late, as interpreters do. Threads share slots; if
// two of them fault at once in one slot, the worst effect is that their cycle count restarts.
class DeliveryPlace {
 public:
  static DeliveryPlace& of_this_thread() {
    static constinit std::array<DeliveryPlace, 256> places{};
    return places[static_cast<size_t>(gettid()) % places.size()];
  }
  Delivery get() const {
    return {.context = context_.load(std::memory_order_relaxed),
            .frame = frame_.load(std::memory_order_relaxed),
            .depth = depth_.load(std::memory_order_relaxed)};
  }
  void set(const Delivery& delivery) {
    context_.store(delivery.context, std::memory_order_relaxed);
    frame_.store(delivery.frame, std::memory_order_relaxed);
    depth_.store(delivery.depth, std::memory_order_relaxed);
  }

 private:
  std::atomic<const void*> context_{nullptr};
  std::atomic<uintptr_t> frame_{0};
  std::atomic<uint32_t> depth_{0};
};

bool is_circle(const void* context) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  DeliveryPlace& place = DeliveryPlace::of_this_thread();
  const Delivery outer = place.get();
  const bool is_nested = outer.context == context && frame < outer.frame;
  const uint32_t depth = is_nested ? outer.depth + 1 : 0;
  place.set({.context = context, .frame = frame, .depth = depth});
  return depth > kDeepestChain;
}

void pass_on(const struct sigaction& next, siginfo_t* info, void* context) {
  DeliveryPlace& place = DeliveryPlace::of_this_thread();
  const Delivery outer = place.get();
  const bool has_handler = next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN;
  if (!has_handler || is_circle(context)) {
    // The instruction runs again and meets the default action.
    signal(SIGSEGV, SIG_DFL);
    if (info->si_code <= 0) raise(SIGSEGV);
  } else if ((next.sa_flags & SA_SIGINFO) != 0) {
    next.sa_sigaction(SIGSEGV, info, context);
  } else {
    next.sa_handler(SIGSEGV);
  }
  // This store also prevents tail calls above: in a cycle the next frame must lie lower.
  place.set(outer);
}

template <size_t place>
void on_fault(int /*signal*/, siginfo_t* info, void* context) {
  if (!taker.load(std::memory_order_relaxed)(*info, context)) pass_on(below[place], info, context);
}

template <size_t... places>
constexpr std::array<Handler, sizeof...(places)> handlers_of(
    std::index_sequence<places...> /*all*/) {
  return {on_fault<places>...};
}
constexpr auto kHandlers = handlers_of(std::make_index_sequence<kMostPlaces>());

bool is_ours(const struct sigaction& action) {
  for (const Handler handler : kHandlers) {
    if (action.sa_sigaction == handler) return true;
  }
  return false;
}

// The slot on top of this action; allocated if there is none. kMostPlaces: no slot is left.
size_t place_above(const struct sigaction& action) {
  for (size_t place = 0; place < places_used; ++place) {
    const bool is_same = below[place].sa_sigaction == action.sa_sigaction &&
                         below[place].sa_flags == action.sa_flags;
    if (is_same) return place;
  }
  if (places_used == kMostPlaces) return kMostPlaces;
  below[places_used] = action;
  return places_used++;
}

}  // namespace

void open_fault_chain(TakeFault take_fault) {
  taker.store(take_fault);
}

bool stay_on_top() {
  struct sigaction top {};
  sigaction(SIGSEGV, nullptr, &top);
  if (is_ours(top)) return true;
  const size_t place = place_above(top);
  if (place == kMostPlaces) return false;
  struct sigaction action {};
  action.sa_sigaction = kHandlers[place];
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSEGV, &action, nullptr) == 0;
}

}  // namespace ferry::layers::check
