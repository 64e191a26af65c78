// SPDX-License-Identifier: Apache-2.0
// Messages over a Unix socket that keeps their boundaries: structures of fixed size that begin with
// a magic number and a version. What does not look like one ends the connection.
#pragma once

#include "sharing/descriptor.h"
#include "sharing/exchange.h"
#include "sharing/handle.h"

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace ferry::sharing {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kMagic = 0x59525246;  // "FRRY"
constexpr uint16_t kVersion = 1;

// What a visitor sends. Only kOpen and kFind are answered.
struct Request {
  enum class Type : uint16_t {
    kOpen = 1,  // hold the object with a name
    kFind,      // is there an object with this name and kind?
    kLetGo,     // ends the opening
    kSignal     // Offer::signalled of what was opened
  };

  uint32_t magic = kMagic;
  uint16_t version = kVersion;
  Type type{};
  uint64_t opening = 0;  // the visitor's number for it, never used twice on one connection
  Name name;             // kOpen, kFind
  Kind kind{};           // kOpen, kFind
  int32_t device = -1;   // kOpen
};

struct Reply {
  enum class Outcome : uint16_t { kYes = 1, kUnknown, kRefused };

  uint32_t magic = kMagic;
  uint16_t version = kVersion;
  Outcome outcome{};
  uint64_t opening = 0;  // of the request
  aclError code = ACL_SUCCESS;
  uint32_t has_file = 0;  // 1: a descriptor comes with it
  Facts facts{};
  std::array<char, 512> text{};  // ends with 0

  void set_text(std::string_view sentence);
  std::string get_text() const;
};

enum class Transfer {
  kDone,
  kBusy,     // it would have to wait
  kEnded,    // the other side has closed the connection
  kGarbage,  // what came is no such message
  kFailed    // the system refuses; errno says why
};

// These never wait and raise no signal. A message is sent as a whole or not at all.
Transfer send_bytes(int socket, const void* bytes, size_t size, int file = -1);
// At most one descriptor is accepted, and none if `file` is NULL.
Transfer receive_bytes(int socket, void* bytes, size_t size, Descriptor* file);

template <class Message>
Transfer send_message(int socket, const Message& message, int file = -1) {
  static_assert(std::is_trivially_copyable_v<Message>);
  return send_bytes(socket, &message, sizeof message, file);
}

template <class Message>
Transfer receive_message(int socket, Message& message, Descriptor* file = nullptr) {
  static_assert(std::is_trivially_copyable_v<Message>);
  const Transfer result = receive_bytes(socket, &message, sizeof message, file);
  if (result != Transfer::kDone) return result;
  return message.magic == kMagic && message.version == kVersion ? result : Transfer::kGarbage;
}

// Waits for events of poll(). False when the deadline comes first.
bool wait_for_socket(int socket, short events, Clock::time_point deadline);
// What is left, for poll(): in milliseconds, rounded up.
int milliseconds_until(Clock::time_point deadline);

}  // namespace ferry::sharing
