// SPDX-License-Identifier: Apache-2.0
// Handles as bytes: what is written is read again, and nothing else is a handle.
#include "sharing/handle.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace ferry::sharing {
namespace {

Handle sample() {
  return {{4711, 0x0123456789abcdef}, {0xfedcba9876543210, 0x00ff00ff12345678}};
}

void expect_sample(const Handle& handle) {
  EXPECT_EQ(handle.address, sample().address);
  EXPECT_EQ(handle.name, sample().name);
}

std::array<char, kKeySize> sample_key() {
  std::array<char, kKeySize> key{};
  write_key(sample(), key);
  return key;
}

TEST(SharingHandle, KeysAreTextAndAreReadAgain) {
  const auto key = sample_key();
  EXPECT_EQ(std::strlen(key.data()), kKeySize - 1);
  EXPECT_EQ(std::string(key.data()).find_first_not_of("0123456789abcdef"), std::string::npos);
  const auto handle = read_key(key.data());
  ASSERT_TRUE(handle.has_value());
  expect_sample(*handle);
}

TEST(SharingHandle, AnyOtherCharacterInAKeyIsRefused) {
  for (size_t i = 0; i + 1 < kKeySize; ++i) {
    for (const char other : std::string("09afAFg/ \x7f\x01") + '\0') {
      auto key = sample_key();
      if (key[i] == other) continue;
      key[i] = other;
      EXPECT_FALSE(read_key(key.data()).has_value()) << i << " " << static_cast<int>(other);
    }
  }
}

TEST(SharingHandle, KeysHaveOneLength) {
  EXPECT_FALSE(read_key("").has_value());
  auto key = sample_key();
  std::string longer(key.data());
  longer += '0';
  EXPECT_FALSE(read_key(longer.c_str()).has_value());
  // Behind the end of a short key nothing is read: AddressSanitizer watches.
  const auto shorter = std::make_unique<char[]>(4);
  std::memcpy(shorter.get(), key.data(), 3);
  EXPECT_FALSE(read_key(shorter.get()).has_value());
}

TEST(SharingHandle, EventHandlesAreReadAgainAndNoBitMayChange) {
  std::array<std::byte, kEventHandleSize> bytes;
  bytes.fill(std::byte{0xee});
  write_event_handle(sample(), bytes);
  const auto handle = read_event_handle(bytes);
  ASSERT_TRUE(handle.has_value());
  expect_sample(*handle);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto changed = bytes;
    changed[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_FALSE(read_event_handle(changed).has_value()) << bit;
  }
}

TEST(SharingHandle, FabricHandlesKnowTheirHost) {
  std::array<std::byte, kFabricHandleSize> bytes;
  bytes.fill(std::byte{0xee});
  write_fabric_handle(sample(), bytes);
  Handle handle;
  ASSERT_EQ(read_fabric_handle(bytes, handle), FabricOrigin::kThisHost);
  expect_sample(handle);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto changed = bytes;
    changed[bit / 8] ^= std::byte{1} << (bit % 8);
    const bool is_host = bit / 8 >= 32 && bit / 8 < 48;
    EXPECT_EQ(read_fabric_handle(changed, handle),
              is_host ? FabricOrigin::kOtherHost : FabricOrigin::kNotAHandle)
        << bit;
  }
}

TEST(SharingHandle, AHandleOfOneSortIsNoneOfAnother) {
  std::array<std::byte, kFabricHandleSize> fabric{};
  std::array<std::byte, kEventHandleSize> event{};
  write_event_handle(sample(), event);
  std::memcpy(fabric.data(), event.data(), event.size());
  Handle handle;
  EXPECT_EQ(read_fabric_handle(fabric, handle), FabricOrigin::kNotAHandle);
}

TEST(SharingHandle, WithoutAProcessItIsNoHandle) {
  std::array<char, kKeySize> key{};
  for (const uint32_t process : {0u, 0x80000000u}) {
    Handle handle = sample();
    handle.address.process = process;
    write_key(handle, key);
    EXPECT_FALSE(read_key(key.data()).has_value());
  }
}

TEST(SharingHandle, RandomBytesAreNoHandle) {
  std::mt19937 random(7);
  for (int i = 0; i < 10'000; ++i) {
    std::array<std::byte, kEventHandleSize> event{};
    for (size_t j = 0; j < 32; ++j)
      event[j] = static_cast<std::byte>(random());
    EXPECT_FALSE(read_event_handle(event).has_value());
  }
}

TEST(SharingHandle, NamesDiffer) {
  Result<Name> first = make_name();
  Result<Name> second = make_name();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(*first, *second);
  EXPECT_NE(first->high, 0u);
  Result<Name> brief = make_short_name();
  ASSERT_TRUE(brief.ok());
  EXPECT_EQ(brief->high, 0u);
  EXPECT_NE(brief->low, 0u);
}

}  // namespace
}  // namespace ferry::sharing
