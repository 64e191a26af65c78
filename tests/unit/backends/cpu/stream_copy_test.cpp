// SPDX-License-Identifier: Apache-2.0
// Copies that bypass the caches: exact at every alignment and length, no byte outside is touched.
#include "backends/cpu/stream_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

namespace ferry::cpu {
namespace {

constexpr size_t kMargin = 64;

class StreamCopy : public ::testing::TestWithParam<size_t> {};

TEST_P(StreamCopy, IsExactAtEveryAlignment) {
  const size_t size = GetParam();
  std::vector<unsigned char> source(size + 2 * kMargin);
  std::iota(source.begin(), source.end(), static_cast<unsigned char>(1));
  for (size_t dst_shift = 0; dst_shift < kMargin; dst_shift += 7) {
    for (size_t src_shift = 0; src_shift < kMargin; src_shift += 13) {
      std::vector<unsigned char> target(size + 3 * kMargin, 0xEE);
      unsigned char* start = target.data() + kMargin + dst_shift;
      stream_copy(start, source.data() + src_shift, size);
      end_stream_copies();
      ASSERT_EQ(0, std::memcmp(start, source.data() + src_shift, size))
          << "shifts " << dst_shift << " and " << src_shift;
      ASSERT_EQ(0xEE, start[-1]);
      ASSERT_EQ(0xEE, start[size]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, StreamCopy,
                         ::testing::Values(0, 1, 63, 64, 65, 255, 256, 257, 319, 320, 321, 4095,
                                           4096, 4097, 65536, 100003));

TEST(CacheSize, IsBelievable) {
  EXPECT_GE(cache_size(), uint64_t{8} << 20);
  EXPECT_LE(cache_size(), uint64_t{32} << 20);
}

}  // namespace
}  // namespace ferry::cpu
