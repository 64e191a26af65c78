// SPDX-License-Identifier: Apache-2.0
// Loops over arrays of 64-bit words, compiled for each useful register width and run with the
// widest that the processor has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ferry {

constexpr size_t kPlainWidth = 16;  // register bytes that every processor has

template <size_t kBytes>
struct Wide {
  using Words [[gnu::vector_size(kBytes)]] = uint64_t;
  static constexpr size_t kCount = kBytes / sizeof(uint64_t);
};

// By reference: the ABI for returning wide words differs between targets.
template <class Words, class Item>
[[gnu::always_inline]] inline void load_wide(const Item* from, Words& words) {
  std::memcpy(&words, from, sizeof words);
}

namespace wide {

template <class Loop>
auto run_plain(const Loop& loop) {
  return loop.template run<kPlainWidth>();
}

#if defined(__x86_64__)
template <class Loop>
[[gnu::target("avx2")]] auto run_avx2(const Loop& loop) {
  return loop.template run<2 * kPlainWidth>();
}
template <class Loop>
[[gnu::target("avx512f")]] auto run_avx512(const Loop& loop) {
  return loop.template run<4 * kPlainWidth>();
}
#endif

template <class Loop>
auto best_for() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") != 0) return run_avx512<Loop>;
  if (__builtin_cpu_supports("avx2") != 0) return run_avx2<Loop>;
#endif
  return run_plain<Loop>;
}

}  // namespace wide

// Calls loop.run<register bytes>(), which must be always_inline.
template <class Loop>
auto run_widest(const Loop& loop) {
  static const auto best = wide::best_for<Loop>();
  return best(loop);
}

}  // namespace ferry
