// SPDX-License-Identifier: Apache-2.0
// What the library reads of the fabric: FERRY_FABRIC, and places in handles and keys.
#include "base/fabric_options.h"
#include "sharing/handle.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

namespace ferry {
namespace {

TEST(FabricOptions, AreReadAndRefused) {
  FabricOptions options;
  ASSERT_TRUE(parse_fabric_options("listen=10.0.0.1:7000,secret=/s,always", options));
  EXPECT_EQ(options.address, "10.0.0.1");
  EXPECT_EQ(options.port, 7000);
  EXPECT_TRUE(options.is_for_this_host);
  ASSERT_TRUE(parse_fabric_options("secret=/s", options));
  EXPECT_EQ(options.address, "127.0.0.1");
  EXPECT_FALSE(options.is_for_this_host);
  ASSERT_TRUE(parse_fabric_options("listen=[fd00::1]:7000,secret=/s", options));
  EXPECT_EQ(options.address, "fd00::1");
  ASSERT_TRUE(parse_fabric_options("listen=fd00::1,secret=/s", options));
  EXPECT_EQ(options.port, 0);
  for (const char* const wrong :
       {"", "secret=", "listen=10.0.0.1", "listen=host,secret=/s", "listen=10.0.0.1:,secret=/s",
        "listen=10.0.0.1:0,secret=/s", "listen=10.0.0.1:70000,secret=/s", "secret=/s,",
        "listen=[10.0.0.1]:1,secret=/s", "listen=[fd00::1,secret=/s", "secret=/s,sometimes"}) {
    EXPECT_FALSE(parse_fabric_options(wrong, options)) << wrong;
  }
}

sharing::Handle sample() {
  sharing::Handle handle{.address = {.process = 4711, .token = 0x1234567890abcdef},
                         .name = {.high = 1, .low = UINT64_MAX}};
  handle.place.address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1};
  handle.place.port = 7000;
  return handle;
}

TEST(FabricPlaces, TravelInKeys) {
  std::array<char, sharing::kKeySize> key{};
  sharing::write_key(sample(), key);
  ASSERT_EQ(std::strlen(key.data()), sharing::kKeySize - 1);
  const auto read = sharing::read_key(key.data());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->address, sample().address);
  EXPECT_EQ(read->name, sample().name);
  EXPECT_EQ(read->place, sample().place);
  for (size_t i = 0; i + 1 < sharing::kKeySize; ++i) {
    auto changed = key;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(sharing::read_key(changed.data()).has_value()) << i;
  }
}

TEST(FabricPlaces, TravelInHandlesOfBytes) {
  std::array<std::byte, sharing::kFabricHandleSize> fabric{};
  sharing::write_fabric_handle(sample(), fabric);
  sharing::Handle read;
  ASSERT_EQ(sharing::read_fabric_handle(fabric, read), sharing::FabricOrigin::kThisHost);
  EXPECT_EQ(read.place, sample().place);
  constexpr size_t kPlace = 48;
  for (size_t i = kPlace; i < kPlace + 20; ++i) {
    auto changed = fabric;
    changed[i] ^= std::byte{1};
    EXPECT_EQ(sharing::read_fabric_handle(changed, read), sharing::FabricOrigin::kNotAHandle) << i;
  }
  std::array<std::byte, sharing::kEventHandleSize> event{};
  sharing::write_event_handle(sample(), event);
  const auto of_event = sharing::read_event_handle(event);
  ASSERT_TRUE(of_event.has_value());
  EXPECT_EQ(of_event->place, sample().place);
}

}  // namespace
}  // namespace ferry
