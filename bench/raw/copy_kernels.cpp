// SPDX-License-Identifier: Apache-2.0
// Non-temporal copies: a head up to a cache line of the target, whole lines, a tail.
#include "bench/raw/copy_kernels.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ferry::bench {
namespace {

constexpr size_t kLine = 64;

using LineKernel = void (*)(std::byte* to, const std::byte* from, size_t lines);

#if defined(__x86_64__)

__attribute__((target("avx2"))) void stream_lines_avx2(std::byte* to, const std::byte* from,
                                                       size_t lines) {
  for (; lines != 0; --lines, to += kLine, from += kLine) {
    const auto* source = reinterpret_cast<const __m256i*>(from);
    auto* target = reinterpret_cast<__m256i*>(to);
    const __m256i low = _mm256_loadu_si256(source);
    const __m256i high = _mm256_loadu_si256(source + 1);
    _mm256_stream_si256(target, low);
    _mm256_stream_si256(target + 1, high);
  }
  _mm_sfence();
}

void stream_lines_sse2(std::byte* to, const std::byte* from, size_t lines) {
  for (; lines != 0; --lines, to += kLine, from += kLine) {
    for (size_t i = 0; i < kLine; i += sizeof(__m128i)) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
    }
  }
  _mm_sfence();
}

LineKernel choose_line_kernel() {
  return __builtin_cpu_supports("avx2") != 0 ? stream_lines_avx2 : stream_lines_sse2;
}

#elif defined(__aarch64__)

void stream_lines(std::byte* to, const std::byte* from, size_t lines) {
  for (; lines != 0; --lines, to += kLine, from += kLine) {
    asm volatile(
        "ldp q0, q1, [%1]\n\t"
        "ldp q2, q3, [%1, #32]\n\t"
        "stnp q0, q1, [%0]\n\t"
        "stnp q2, q3, [%0, #32]"
        :
        : "r"(to), "r"(from)
        : "v0", "v1", "v2", "v3", "memory");
  }
}

LineKernel choose_line_kernel() {
  return stream_lines;
}

#else

void copy_lines(std::byte* to, const std::byte* from, size_t lines) {
  std::memcpy(to, from, lines * kLine);
}

LineKernel choose_line_kernel() {
  return copy_lines;
}

#endif

}  // namespace

void copy_plain(std::byte* to, const std::byte* from, size_t bytes) {
  std::memcpy(to, from, bytes);
}

void copy_non_temporal(std::byte* to, const std::byte* from, size_t bytes) {
  static const LineKernel kernel = choose_line_kernel();
  const size_t to_line = (kLine - reinterpret_cast<uintptr_t>(to) % kLine) % kLine;
  const size_t head = std::min(bytes, to_line);
  const size_t lines = (bytes - head) / kLine;
  const size_t tail = head + lines * kLine;
  std::memcpy(to, from, head);
  kernel(to + head, from + head, lines);
  std::memcpy(to + tail, from + tail, bytes - tail);
}

}  // namespace ferry::bench
