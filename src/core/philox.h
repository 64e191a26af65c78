// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10, a generator of random numbers by counting: "Parallel Random Numbers: As Easy as 1,
// 2, 3" (Salmon, Moraes, Dror, Shaw; SC11). A block of four words is a function of a key of 64 bits
// and a counter of 128 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ferry {

// The words of successive blocks, in order.
class Philox {
 public:
  using Words = std::array<uint32_t, 4>;  // the lowest first

  Philox(uint64_t key, const Words& counter) : key_(key), counter_(counter) {}

  uint32_t next() {
    if (used_ == block_.size()) {
      block_ = block_of(key_, counter_);
      advance();
      used_ = 0;
    }
    return block_[used_++];
  }
  uint64_t next_pair() {
    const uint64_t low = next();
    return low | static_cast<uint64_t>(next()) << 32;
  }

  // That of the first block of which no word was taken.
  const Words& counter() const { return counter_; }

  static Words block_of(uint64_t key, Words counter) {
    auto low = static_cast<uint32_t>(key);
    auto high = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
      const uint64_t even = uint64_t{0xD2511F53} * counter[0];
      const uint64_t odd = uint64_t{0xCD9E8D57} * counter[2];
      counter = {static_cast<uint32_t>(odd >> 32) ^ counter[1] ^ low, static_cast<uint32_t>(odd),
                 static_cast<uint32_t>(even >> 32) ^ counter[3] ^ high,
                 static_cast<uint32_t>(even)};
      low += 0x9E3779B9;
      high += 0xBB67AE85;
    }
    return counter;
  }

 private:
  void advance() {
    for (uint32_t& word : counter_) {
      if (++word != 0) return;
    }
  }

  const uint64_t key_;
  Words counter_;
  Words block_{};
  size_t used_ = block_.size();
};

}  // namespace ferry
