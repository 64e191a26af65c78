// SPDX-License-Identifier: Apache-2.0
// What travels between hosts, byte by byte: frames on the control connection, and headers and lists
// of active messages. All numbers have their least significant byte first. Parsers trust nothing:
// they read what is inside the bytes that they are given, and refuse what no writer makes.
#pragma once

#include "layers/fabric/fabric_plugin.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ferry::fabric {

using Bytes = std::vector<uint8_t>;
using View = std::span<const uint8_t>;

constexpr uint32_t kMagic = 0x46595246;  // "FRYF"
constexpr uint16_t kVersion = 2;         // changes with everything in this file

// ---- the control connection ----

// The visitor sends Hello, Proof, Ready; the owner answers with Challenge, Welcome. Nothing else is
// answered before the proof.
enum class Frame : uint16_t {
  kHello = 1,  // the visitor's nonce
  kChallenge,  // the owner's nonce
  kProof,      // the visitor's proof of the secret
  kWelcome,    // the owner's proof, and its UCX address
  kReady,      // the visitor's UCX address
  kOpen,       // OpenFrame
  kOpened,     // OpenedFrame
  kLetGo,      // a segment number
  kPing        // says that the process lives
};

constexpr size_t kFrameHeaderSize = 16;
constexpr size_t kNonceSize = 32;
constexpr size_t kProofSize = 32;
constexpr size_t kTokenSize = 16;
constexpr size_t kFactsSize = 96;
constexpr size_t kMostText = 511;
constexpr size_t kMostUcxAddress = 4096;
// The longest payload before and after the proof.
constexpr size_t kMostStrangerPayload = 64;
constexpr size_t kMostPayload = 8192;

using Nonce = std::array<uint8_t, kNonceSize>;
using Proof = std::array<uint8_t, kProofSize>;
using Token = std::array<uint8_t, kTokenSize>;

struct FrameHeader {
  Frame type{};
  uint32_t size = 0;  // of the payload behind it
};

// What is wrong with a header; kGood if nothing.
enum class HeaderFault { kGood, kGarbage, kOtherVersion, kUnknownType, kTooLong };
HeaderFault parse_header(std::span<const uint8_t, kFrameHeaderSize> bytes, size_t most_payload,
                         FrameHeader& header);

// A frame with its header.
Bytes make_frame(Frame type, View payload);

struct OpenFrame {
  uint64_t id = 0;  // of the request; unique on the connection
  uint64_t name_high = 0;
  uint64_t name_low = 0;
  uint32_t kind = 0;
  int32_t process = 0;
  int32_t device = 0;
};
Bytes write_open(const OpenFrame& open);
std::optional<OpenFrame> parse_open(View payload);

struct OpenedFrame {
  uint64_t id = 0;
  int32_t code = 0;
  bool is_unknown = false;
  uint64_t segment = 0;  // its number on this connection
  uint64_t size = 0;     // of its memory; 0: none
  std::array<uint8_t, kFactsSize> facts{};
  std::string text;
};
Bytes write_opened(const OpenedFrame& opened);
std::optional<OpenedFrame> parse_opened(View payload);

struct WelcomeFrame {
  Proof proof{};
  Bytes ucx_address;
};
Bytes write_welcome(const WelcomeFrame& welcome);
std::optional<WelcomeFrame> parse_welcome(View payload);

Bytes write_number(uint64_t number);
std::optional<uint64_t> parse_number(View payload);

// ---- active messages ----

enum class Message : uint8_t {
  kPut = 1,    // bytes for a segment; answered with kDone
  kGet,        // asks for bytes; answered with kData, or kDone if they are refused
  kPutPacked,  // a list of parts, then their bytes; answered with kDone
  kGetPacked,  // a list of parts; answered with kData, all bytes in a row
  kFill,       // answered with kDone
  kData,       // the bytes of a kGet or kGetPacked
  kDone,       // `code` says how it went
  kSignal,     // for a notify; not answered
  kCall,       // a question to an object that is no memory; answered with kReply, perhaps late
  kReply       // `value` is an Outcome
};

enum class Outcome : uint32_t { kGood = 0, kUnknownSegment, kOutOfRange, kMalformed, kNoMemory };
const char* in_words(Outcome outcome);

// The header of every message. Members that a message does not need are 0.
struct MessageHeader {
  Token token{};         // of the connection: who sends it
  uint64_t request = 0;  // unique on the connection
  uint64_t segment = 0;
  uint64_t offset = 0;
  uint64_t size = 0;   // bytes of memory
  uint32_t value = 0;  // of kFill; an Outcome of kDone; number of parts of packed messages
  uint32_t width = 0;  // of kFill
};
// The most bytes of a question, and of an answer to it.
constexpr size_t kMostQuestion = FERRYX_FABRIC_QUESTION;
constexpr size_t kMessageHeaderSize = kTokenSize + 4 * sizeof(uint64_t) + 2 * sizeof(uint32_t);
using HeaderBytes = std::array<uint8_t, kMessageHeaderSize>;
HeaderBytes write_message_header(const MessageHeader& header);
std::optional<MessageHeader> parse_message_header(View bytes);

// One part of a packed message.
struct Part {
  uint64_t segment = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
};
constexpr size_t kPartSize = 3 * sizeof(uint64_t);
constexpr uint32_t kMostParts = 8192;
constexpr uint64_t kMostPackedBytes = uint64_t{1} << 20;
void write_part(const Part& part, uint8_t* out);
// The parts of a packed message. Empty if there are none or too many, if one is empty, or if their
// sizes do not add up to header.size.
std::vector<Part> parse_parts(const MessageHeader& header, View data);

// Whether [offset, offset + size) lies inside a segment.
constexpr bool is_inside(uint64_t segment_size, uint64_t offset, uint64_t size) {
  return offset <= segment_size && size <= segment_size - offset;
}

}  // namespace ferry::fabric
