// SPDX-License-Identifier: Apache-2.0
// What comes from other hosts: frames of the control connection, headers and lists of messages.
// What a parser accepts must be inside its bounds, and must read the same once written again.
#include "fuzz.h"
#include "plugins/fabric/wire.h"

#include <algorithm>

namespace {

using namespace ferry::fabric;
using ferry::fuzz::require;

void parse_frame(View bytes) {
  std::array<uint8_t, kFrameHeaderSize> start{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), start.size()), start.begin());
  FrameHeader header;
  if (parse_header(start, kMostPayload, header) != HeaderFault::kGood) return;
  require(header.size <= kMostPayload, "a payload is within its limit");
  const Bytes payload(header.size);
  const Bytes written = make_frame(header.type, payload);
  require(std::equal(start.begin(), start.end(), written.begin()),
          "a header is written as it was read");
}

void parse_payloads(View bytes) {
  if (const auto open = parse_open(bytes)) {
    const Bytes written = write_open(*open);
    require(std::equal(bytes.begin(), bytes.end(), written.begin(), written.end()),
            "a request is written as it was read");
  }
  if (const auto opened = parse_opened(bytes)) {
    require(opened->text.size() <= kMostText, "a text is within its limit");
    const auto again = parse_opened(write_opened(*opened));
    require(again.has_value() && again->text == opened->text && again->size == opened->size,
            "an answer reads the same again");
  }
  if (const auto welcome = parse_welcome(bytes)) {
    require(!welcome->ucx_address.empty() && welcome->ucx_address.size() <= kMostUcxAddress,
            "an address is within its limit");
  }
  if (const auto number = parse_number(bytes))
    require(write_number(*number).size() == bytes.size(), "a number is written as it was read");
}

void parse_message(View bytes) {
  const auto header = parse_message_header(bytes.first(std::min(bytes.size(), kMessageHeaderSize)));
  if (!header.has_value()) return;
  const HeaderBytes written = write_message_header(*header);
  require(std::equal(written.begin(), written.end(), bytes.begin()),
          "a message is written as it was read");
  uint64_t sum = 0;
  const std::vector<Part> parts = parse_parts(*header, bytes.subspan(kMessageHeaderSize));
  for (const Part& part : parts)
    sum += part.size;
  require(parts.empty() || (parts.size() == header->value && sum == header->size), "parts add up");
  require(parts.size() * kPartSize <= bytes.size(), "parts were in the message");
  // A segment that it lies inside of has no room for a byte more.
  if (is_inside(header->value, header->offset, header->size)) {
    require(header->offset + header->size <= header->value, "bytes are inside of the segment");
    require(!is_inside(header->value, header->offset, uint64_t{header->value} + 1),
            "no more bytes are inside");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const View bytes(data, size);
  parse_frame(bytes);
  parse_payloads(bytes);
  parse_message(bytes);
  return 0;
}
