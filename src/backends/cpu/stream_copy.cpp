// SPDX-License-Identifier: Apache-2.0
// One kernel per register width of the processor, chosen on first use. A kernel copies whole groups
// of cache lines to an aligned destination; memcpy copies the ends.
#include "backends/cpu/stream_copy.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ferry::cpu {
namespace {

constexpr size_t kLine = 64;
constexpr size_t kGroup = 4 * kLine;

// `size` is a multiple of kGroup, `dst` of kLine.
using Kernel = void (*)(char* dst, const char* src, size_t size);

#if defined(__x86_64__)

// Prefetch distance.
constexpr size_t kAhead = 8 * kLine;

// All widths share the same loop; only the instructions differ.
#define FERRY_STREAM_KERNEL(name, features, Vector, load, store)                         \
  __attribute__((target(features))) void name(char* dst, const char* src, size_t size) { \
    constexpr size_t kVectors = kGroup / sizeof(Vector);                                 \
    for (const char* end = src + size; src != end; src += kGroup, dst += kGroup) {       \
      for (size_t line = 0; line < kGroup; line += kLine)                                \
        _mm_prefetch(src + kAhead + line, _MM_HINT_NTA);                                 \
      Vector group[kVectors];                                                            \
      for (size_t i = 0; i < kVectors; ++i)                                              \
        group[i] = load(reinterpret_cast<const Vector*>(src) + i);                       \
      for (size_t i = 0; i < kVectors; ++i)                                              \
        store(reinterpret_cast<Vector*>(dst) + i, group[i]);                             \
    }                                                                                    \
  }

FERRY_STREAM_KERNEL(stream_sse2, "sse2", __m128i, _mm_loadu_si128, _mm_stream_si128)
FERRY_STREAM_KERNEL(stream_avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_stream_si256)
FERRY_STREAM_KERNEL(stream_avx512, "avx512f", __m512i, _mm512_loadu_si512, _mm512_stream_si512)
#undef FERRY_STREAM_KERNEL

Kernel choose_kernel() {
  if (__builtin_cpu_supports("avx512f") != 0) return stream_avx512;
  if (__builtin_cpu_supports("avx2") != 0) return stream_avx2;
  return stream_sse2;
}

#elif defined(__aarch64__)

void stream_neon(char* dst, const char* src, size_t size) {
  for (const char* end = src + size; src != end; src += kLine, dst += kLine) {
    asm volatile(
        "ldp q0, q1, [%0]\n"
        "ldp q2, q3, [%0, 32]\n"
        "stnp q0, q1, [%1]\n"
        "stnp q2, q3, [%1, 32]\n" ::"r"(src),
        "r"(dst)
        : "v0", "v1", "v2", "v3", "memory");
  }
}

Kernel choose_kernel() {
  return stream_neon;
}

#endif

}  // namespace

uint64_t cache_size() {
  // Virtual machines report the caches of a whole host, some systems none at all.
  constexpr uint64_t kLeast = uint64_t{8} << 20;
  constexpr uint64_t kMost = uint64_t{32} << 20;
  static const uint64_t size = std::clamp(
      static_cast<uint64_t>(std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 0L)), kLeast, kMost);
  return size;
}

void stream_copy(void* dst, const void* src, size_t size) {
  auto* to = static_cast<char*>(dst);
  const auto* from = static_cast<const char*>(src);
  const size_t head = std::min(size, (kLine - reinterpret_cast<uintptr_t>(to) % kLine) % kLine);
  const size_t body = (size - head) / kGroup * kGroup;
  static const Kernel kernel = choose_kernel();
  std::memcpy(to, from, head);
  kernel(to + head, from + head, body);
  std::memcpy(to + head + body, from + head + body, size - head - body);
}

void end_stream_copies() {
#if defined(__x86_64__)
  _mm_sfence();
#elif defined(__aarch64__)
  asm volatile("dmb ishst" ::: "memory");
#endif
}

}  // namespace ferry::cpu
