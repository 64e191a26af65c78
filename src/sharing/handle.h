// SPDX-License-Identifier: Apache-2.0
// Names of objects that processes share, and the bytes in which programs carry them to each other:
// a process that has nothing but these bytes finds the object.
#pragma once

#include "base/status.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ferry::sharing {

// What kind of object a name stands for. A name of one kind is unknown where another is expected.
enum class Kind : uint32_t {
  kPhysicalMemory = 1,
  kMemory = 2,
  kEvent = 3,
  kNotify = 4,
  kLedger = 5,
  kReport = 6  // what the fabric of a process has done
};

// 128 random bits. In handles of 64 bits `high` is 0 and `low` has 64 random bits.
struct Name {
  uint64_t high = 0;
  uint64_t low = 0;
  bool operator==(const Name&) const = default;
  bool operator<(const Name& other) const {
    return high != other.high ? high < other.high : low < other.low;
  }
};

// 507000 when the system has no random numbers.
Result<Name> make_name();
Result<Name> make_short_name();

// The process that offers an object: its socket has these numbers in its name.
struct Address {
  uint32_t process =
      0;  // its pid, as it sees itself; 0: unknown, all processes of the user are asked
  uint64_t token = 0;  // random, drawn once per process
  bool operator==(const Address&) const = default;
};

// Where other hosts reach the process that offers an object: an IPv6 address, or an IPv4 address
// mapped into one, and a port. Port 0: nowhere, the fabric of the process is off.
struct Place {
  std::array<uint8_t, 16> address{};
  uint16_t port = 0;
  bool operator==(const Place&) const = default;
};

struct Handle {
  Address address;
  Name name;
  Place place{};
};

// A key is text of 65 bytes with the final 0: hexadecimal digits; or, with a place, 64 digits of
// base64.
constexpr size_t kKeySize = 65;
void write_key(const Handle& handle, std::span<char, kKeySize> key);
// Empty when the text is not a key. Reads up to 65 bytes, to the final 0.
std::optional<Handle> read_key(const char* key);

// Handles of raw bytes: for IPC events. Unused bytes are 0.
constexpr size_t kEventHandleSize = 64;
void write_event_handle(const Handle& handle, std::span<std::byte, kEventHandleSize> bytes);
std::optional<Handle> read_event_handle(std::span<const std::byte, kEventHandleSize> bytes);

// FABRIC handles also have the identity of the host. Unused bytes are 0.
constexpr size_t kFabricHandleSize = 128;
enum class FabricOrigin { kThisHost, kOtherHost, kNotAHandle };
void write_fabric_handle(const Handle& handle, std::span<std::byte, kFabricHandleSize> bytes);
FabricOrigin read_fabric_handle(std::span<const std::byte, kFabricHandleSize> bytes,
                                Handle& handle);

}  // namespace ferry::sharing
