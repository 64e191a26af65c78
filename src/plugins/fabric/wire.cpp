// SPDX-License-Identifier: Apache-2.0
// Writing and parsing, with one reader that never leaves its bytes.
#include "plugins/fabric/wire.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace ferry::fabric {
namespace {

class Writer {
 public:
  template <class Number>
  void number(Number value) {
    const auto bits = static_cast<std::make_unsigned_t<Number>>(value);
    for (size_t i = 0; i < sizeof bits; ++i)
      bytes_.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  }
  void bytes(View view) { bytes_.insert(bytes_.end(), view.begin(), view.end()); }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

// Once it has run out of bytes it gives zeros, and is_good() is false.
class Reader {
 public:
  explicit Reader(View bytes) : left_(bytes) {}

  template <class Number>
  Number number() {
    std::make_unsigned_t<Number> bits = 0;
    const View view = bytes(sizeof bits);
    for (size_t i = 0; i < view.size(); ++i)
      bits = static_cast<decltype(bits)>(
          bits | static_cast<decltype(bits)>(static_cast<decltype(bits)>(view[i]) << (8 * i)));
    return static_cast<Number>(bits);
  }
  View bytes(size_t count) {
    if (count > left_.size()) {
      is_good_ = false;
      return {};
    }
    const View view = left_.first(count);
    left_ = left_.subspan(count);
    return view;
  }
  template <size_t kCount>
  void array(std::array<uint8_t, kCount>& out) {
    const View view = bytes(kCount);
    std::copy(view.begin(), view.end(), out.begin());
  }
  View rest() { return bytes(left_.size()); }
  // Whether all bytes were there, and none are left.
  bool is_done() const { return is_good_ && left_.empty(); }

 private:
  View left_;
  bool is_good_ = true;
};

}  // namespace

// ---- the control connection ----

HeaderFault parse_header(std::span<const uint8_t, kFrameHeaderSize> bytes, size_t most_payload,
                         FrameHeader& header) {
  Reader reader(bytes);
  if (reader.number<uint32_t>() != kMagic) return HeaderFault::kGarbage;
  if (reader.number<uint16_t>() != kVersion) return HeaderFault::kOtherVersion;
  const auto type = reader.number<uint16_t>();
  header.size = reader.number<uint32_t>();
  const bool is_known =
      type >= static_cast<uint16_t>(Frame::kHello) && type <= static_cast<uint16_t>(Frame::kPing);
  if (!is_known || reader.number<uint32_t>() != 0) return HeaderFault::kUnknownType;
  if (header.size > most_payload) return HeaderFault::kTooLong;
  header.type = static_cast<Frame>(type);
  return HeaderFault::kGood;
}

Bytes make_frame(Frame type, View payload) {
  Writer writer;
  writer.number(kMagic);
  writer.number(kVersion);
  writer.number(static_cast<uint16_t>(type));
  writer.number(static_cast<uint32_t>(payload.size()));
  writer.number(uint32_t{0});
  writer.bytes(payload);
  return writer.take();
}

Bytes write_open(const OpenFrame& open) {
  Writer writer;
  writer.number(open.id);
  writer.number(open.name_high);
  writer.number(open.name_low);
  writer.number(open.kind);
  writer.number(open.process);
  writer.number(open.device);
  return writer.take();
}

std::optional<OpenFrame> parse_open(View payload) {
  Reader reader(payload);
  OpenFrame open;
  open.id = reader.number<uint64_t>();
  open.name_high = reader.number<uint64_t>();
  open.name_low = reader.number<uint64_t>();
  open.kind = reader.number<uint32_t>();
  open.process = reader.number<int32_t>();
  open.device = reader.number<int32_t>();
  if (!reader.is_done() || open.process <= 0) return {};
  return open;
}

Bytes write_opened(const OpenedFrame& opened) {
  Writer writer;
  writer.number(opened.id);
  writer.number(opened.code);
  writer.number(static_cast<uint32_t>(opened.is_unknown ? 1 : 0));
  writer.number(opened.segment);
  writer.number(opened.size);
  writer.bytes(opened.facts);
  const size_t length = std::min(opened.text.size(), kMostText);
  writer.bytes({reinterpret_cast<const uint8_t*>(opened.text.data()), length});
  return writer.take();
}

std::optional<OpenedFrame> parse_opened(View payload) {
  Reader reader(payload);
  OpenedFrame opened;
  opened.id = reader.number<uint64_t>();
  opened.code = reader.number<int32_t>();
  const auto unknown = reader.number<uint32_t>();
  opened.is_unknown = unknown == 1;
  opened.segment = reader.number<uint64_t>();
  opened.size = reader.number<uint64_t>();
  reader.array(opened.facts);
  const View text = reader.rest();
  if (!reader.is_done() || unknown > 1 || text.size() > kMostText) return {};
  // It ends up in one line of an error text.
  for (const uint8_t byte : text)
    opened.text.push_back(byte >= 0x20 && byte != 0x7f ? static_cast<char>(byte) : ' ');
  return opened;
}

Bytes write_welcome(const WelcomeFrame& welcome) {
  Writer writer;
  writer.bytes(welcome.proof);
  writer.bytes(welcome.ucx_address);
  return writer.take();
}

std::optional<WelcomeFrame> parse_welcome(View payload) {
  Reader reader(payload);
  WelcomeFrame welcome;
  reader.array(welcome.proof);
  const View address = reader.rest();
  if (!reader.is_done() || address.empty() || address.size() > kMostUcxAddress) return {};
  welcome.ucx_address.assign(address.begin(), address.end());
  return welcome;
}

Bytes write_number(uint64_t number) {
  Writer writer;
  writer.number(number);
  return writer.take();
}

std::optional<uint64_t> parse_number(View payload) {
  Reader reader(payload);
  const auto number = reader.number<uint64_t>();
  if (!reader.is_done()) return {};
  return number;
}

// ---- active messages ----

const char* in_words(Outcome outcome) {
  switch (outcome) {
    case Outcome::kGood:
      return "it is done";
    case Outcome::kUnknownSegment:
      return "its owner does not lend that memory to this process";
    case Outcome::kOutOfRange:
      return "the bytes lie outside of the memory";
    case Outcome::kMalformed:
      return "its owner does not understand the request";
    case Outcome::kNoMemory:
      return "its owner has no memory left";
  }
  return "its owner has answered with an unknown outcome";
}

HeaderBytes write_message_header(const MessageHeader& header) {
  HeaderBytes bytes{};
  uint8_t* out = std::copy(header.token.begin(), header.token.end(), bytes.data());
  const auto put = [&](auto value) {
    for (size_t i = 0; i < sizeof value; ++i)
      *out++ = static_cast<uint8_t>(value >> (8 * i));
  };
  put(header.request);
  put(header.segment);
  put(header.offset);
  put(header.size);
  put(header.value);
  put(header.width);
  return bytes;
}

std::optional<MessageHeader> parse_message_header(View bytes) {
  Reader reader(bytes);
  MessageHeader header;
  reader.array(header.token);
  header.request = reader.number<uint64_t>();
  header.segment = reader.number<uint64_t>();
  header.offset = reader.number<uint64_t>();
  header.size = reader.number<uint64_t>();
  header.value = reader.number<uint32_t>();
  header.width = reader.number<uint32_t>();
  if (!reader.is_done()) return {};
  return header;
}

void write_part(const Part& part, uint8_t* out) {
  for (const uint64_t value : {part.segment, part.offset, part.size}) {
    for (size_t i = 0; i < sizeof value; ++i)
      *out++ = static_cast<uint8_t>(value >> (8 * i));
  }
}

std::vector<Part> parse_parts(const MessageHeader& header, View data) {
  if (header.value == 0 || header.value > kMostParts || header.size > kMostPackedBytes) return {};
  Reader reader(data);
  std::vector<Part> parts;
  parts.reserve(header.value);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < header.value; ++i) {
    Part part;
    part.segment = reader.number<uint64_t>();
    part.offset = reader.number<uint64_t>();
    part.size = reader.number<uint64_t>();
    // A reader without bytes gives 0.
    if (part.size == 0 || part.size > header.size - sum) return {};
    sum += part.size;
    parts.push_back(part);
  }
  if (sum != header.size) return {};
  return parts;
}

}  // namespace ferry::fabric
