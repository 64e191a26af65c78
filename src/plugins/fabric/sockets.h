// SPDX-License-Identifier: Apache-2.0
// TCP sockets of the control connections: addresses, listening, connecting, and frames.
#pragma once

#include "layers/fabric/fabric_plugin.h"
#include "plugins/fabric/wire.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace ferry::fabric {

// Owns a descriptor.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int number) : number_(number) {}
  ~Socket() { reset(); }
  Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  void reset();

 private:
  int number_ = -1;
};

// Reads a numeric address. False when it is none.
bool parse_address(const std::string& text, uint16_t port, ferryx_fabric_place& place);
std::string in_words(const ferryx_fabric_place& place);
bool is_loopback(const ferryx_fabric_place& place);
bool is_any(const ferryx_fabric_place& place);
// The network device that has the address; "": none.
std::string device_of(const ferryx_fabric_place& place);

// None: errno says why. Fills in the port.
Socket listen_at(ferryx_fabric_place& place);
Socket accept_from(const Socket& listener, ferryx_fabric_place& visitor);
// Waits until the deadline (of now()).
Socket connect_to(const ferryx_fabric_place& place, int64_t deadline);

// Collects the bytes of frames as they come.
class FrameReader {
 public:
  enum class State { kNothing, kFrame, kEnded, kBad };
  // Reads what there is, without waiting; at most one frame.
  State read(const Socket& socket, size_t most_payload);
  const FrameHeader& header() const { return header_; }
  View payload() const { return View(bytes_).subspan(kFrameHeaderSize); }
  HeaderFault fault() const { return fault_; }

 private:
  Bytes bytes_;
  size_t filled_ = 0;
  bool has_header_ = false;
  bool is_whole_ = false;
  FrameHeader header_;
  HeaderFault fault_ = HeaderFault::kGood;
};

// Waits until the deadline. False: it ended, or it took too long.
bool write_all(const Socket& socket, const Bytes& bytes, int64_t deadline);
FrameReader::State read_frame(const Socket& socket, FrameReader& reader, size_t most_payload,
                              int64_t deadline);

}  // namespace ferry::fabric
