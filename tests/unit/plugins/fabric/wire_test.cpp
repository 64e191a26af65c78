// SPDX-License-Identifier: Apache-2.0
// What is written is read again; what no writer makes is refused.
#include "plugins/fabric/wire.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace ferry::fabric {
namespace {

HeaderFault fault_of(Bytes frame, size_t most = kMostPayload) {
  FrameHeader header;
  frame.resize(kFrameHeaderSize);
  return parse_header(std::span<const uint8_t, kFrameHeaderSize>(frame.data(), kFrameHeaderSize),
                      most, header);
}

TEST(FabricWire, HeadersOfFramesAreChecked) {
  const Bytes good = make_frame(Frame::kOpen, Bytes(40));
  EXPECT_EQ(fault_of(good), HeaderFault::kGood);
  EXPECT_EQ(fault_of(good, 39), HeaderFault::kTooLong);
  for (const auto& [position, fault] :
       {std::pair{0, HeaderFault::kGarbage}, std::pair{4, HeaderFault::kOtherVersion},
        std::pair{7, HeaderFault::kUnknownType}, std::pair{12, HeaderFault::kUnknownType}}) {
    Bytes bad = good;
    bad[static_cast<size_t>(position)] ^= 0x80;
    EXPECT_EQ(fault_of(bad), fault) << position;
  }
}

TEST(FabricWire, RequestsAndAnswersAreReadAgain) {
  const OpenFrame open{
      .id = 7, .name_high = 1, .name_low = 2, .kind = 4, .process = 99, .device = -1};
  const auto read = parse_open(write_open(open));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->id, 7u);
  EXPECT_EQ(read->name_low, 2u);
  EXPECT_EQ(read->device, -1);
  Bytes longer = write_open(open);
  longer.push_back(0);
  EXPECT_FALSE(parse_open(longer).has_value());
  OpenedFrame opened{.id = 7, .code = 5, .size = 1 << 21, .facts = {}, .text = "why\nnot"};
  const auto answer = parse_opened(write_opened(opened));
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->text, "why not") << "a text of another host stays in one line";
  EXPECT_EQ(answer->size, uint64_t{1} << 21);
}

TEST(FabricWire, HeadersOfMessagesHaveOneSize) {
  const MessageHeader header{.token = {1, 2, 3}, .request = 4, .offset = UINT64_MAX, .value = 6};
  const HeaderBytes bytes = write_message_header(header);
  const auto read = parse_message_header(bytes);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->token, header.token);
  EXPECT_EQ(read->offset, UINT64_MAX);
  EXPECT_FALSE(parse_message_header(View(bytes).first(bytes.size() - 1)).has_value());
}

Bytes list_of(const std::vector<Part>& parts) {
  Bytes bytes(parts.size() * kPartSize);
  for (size_t i = 0; i < parts.size(); ++i)
    write_part(parts[i], bytes.data() + i * kPartSize);
  return bytes;
}

TEST(FabricWire, PartsMustAddUp) {
  const Bytes list = list_of({{1, 0, 100}, {2, 4096, 200}});
  EXPECT_EQ(parse_parts({.size = 300, .value = 2}, list).size(), 2u);
  EXPECT_TRUE(parse_parts({.size = 301, .value = 2}, list).empty());
  EXPECT_TRUE(parse_parts({.size = 299, .value = 2}, list).empty());
  EXPECT_TRUE(parse_parts({.size = 300, .value = 3}, list).empty()) << "a part is missing";
  EXPECT_TRUE(parse_parts({.size = 300, .value = kMostParts + 1}, list).empty());
  const Bytes wide = list_of({{1, 0, UINT64_MAX}, {2, 0, 301}});
  EXPECT_TRUE(parse_parts({.size = 300, .value = 2}, wide).empty()) << "the sum must not wrap";
}

TEST(FabricWire, RangesOutsideOfASegmentAreNotInside) {
  EXPECT_TRUE(is_inside(100, 0, 100));
  EXPECT_TRUE(is_inside(100, 100, 0));
  EXPECT_FALSE(is_inside(100, 1, 100));
  EXPECT_FALSE(is_inside(100, UINT64_MAX, 2)) << "the sum must not wrap";
}

}  // namespace
}  // namespace ferry::fabric
