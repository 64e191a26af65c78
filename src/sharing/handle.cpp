// SPDX-License-Identifier: Apache-2.0
// One packed form of 32 bytes for all handles: a mark, the address, the name and a checksum; and
// one of 48 bytes for keys with a place, which have no room for a mark. Readers accept only what a
// writer can have written, so that arbitrary bytes are no handle.
#include "sharing/handle.h"

#include "base/error.h"

#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

namespace ferry::sharing {
namespace {

constexpr size_t kPackedSize = 32;
using Packed = std::array<uint8_t, kPackedSize>;

// The first two bytes. The low byte changes with the layout.
enum class Mark : uint16_t { kKey = 0xfa01, kEvent = 0xfb01, kFabric = 0xfc01 };

constexpr size_t kHostSize = 16;
using Host = std::array<uint8_t, kHostSize>;

// Most significant byte first.
template <class Number>
void put(uint8_t*& out, Number value) {
  for (size_t i = sizeof value; i-- > 0;)
    *out++ = static_cast<uint8_t>(value >> (8 * i));
}

template <class Number>
Number take(const uint8_t*& in) {
  Number value = 0;
  for (size_t i = 0; i < sizeof value; ++i)
    value = static_cast<Number>(value << 8 | *in++);
  return value;
}

// CRC-16 with the polynomial 0x1021: finds every change of up to 16 bits in a row.
uint16_t checksum(const uint8_t* bytes, size_t size) {
  uint32_t sum = 0xffff;
  for (size_t i = 0; i < size; ++i) {
    sum ^= static_cast<uint32_t>(bytes[i]) << 8;
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum & 0x8000) != 0 ? sum << 1 ^ 0x1021 : sum << 1;
  }
  return static_cast<uint16_t>(sum);
}

Packed pack(Mark mark, const Handle& handle) {
  Packed packed{};
  uint8_t* out = packed.data();
  put(out, static_cast<uint16_t>(mark));
  put(out, handle.address.process);
  put(out, handle.address.token);
  put(out, handle.name.high);
  put(out, handle.name.low);
  put(out, checksum(packed.data(), kPackedSize - sizeof(uint16_t)));
  return packed;
}

bool is_process(uint32_t number) {
  return number != 0 && number <= static_cast<uint32_t>(std::numeric_limits<pid_t>::max());
}

std::optional<Handle> unpack(Mark mark, const Packed& packed) {
  const uint8_t* in = packed.data();
  if (take<uint16_t>(in) != static_cast<uint16_t>(mark)) return {};
  Handle handle;
  handle.address.process = take<uint32_t>(in);
  handle.address.token = take<uint64_t>(in);
  handle.name.high = take<uint64_t>(in);
  handle.name.low = take<uint64_t>(in);
  if (take<uint16_t>(in) != checksum(packed.data(), kPackedSize - sizeof(uint16_t))) return {};
  if (!is_process(handle.address.process)) return {};
  return handle;
}

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

bool are_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

// ---- places ----

// The address, the port and a checksum of both; all 0 without a place.
constexpr size_t kPlaceSize = 20;

void put_place(const Place& place, std::span<std::byte> bytes) {
  if (place.port == 0) return;
  std::array<uint8_t, kPlaceSize> packed{};
  uint8_t* out = std::ranges::copy(place.address, packed.data()).out;
  put(out, place.port);
  put(out, checksum(packed.data(), kPlaceSize - sizeof(uint16_t)));
  std::memcpy(bytes.data(), packed.data(), packed.size());
}

// False if they are neither a place nor 0.
bool take_place(std::span<const std::byte> bytes, Place& place) {
  if (are_zero(bytes.first(kPlaceSize))) return true;
  std::array<uint8_t, kPlaceSize> packed{};
  std::memcpy(packed.data(), bytes.data(), packed.size());
  std::copy_n(packed.data(), place.address.size(), place.address.data());
  const uint8_t* in = packed.data() + place.address.size();
  place.port = take<uint16_t>(in);
  return take<uint16_t>(in) == checksum(packed.data(), kPlaceSize - sizeof(uint16_t)) &&
         place.port != 0;
}

constexpr size_t kFarSize = 48;
constexpr std::string_view kFarDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void write_far_key(const Handle& handle, std::span<char, kKeySize> key) {
  std::array<uint8_t, kFarSize> packed{};
  uint8_t* out = packed.data();
  put(out, handle.address.process);
  put(out, handle.address.token);
  put(out, handle.name.high);
  put(out, handle.name.low);
  out = std::ranges::copy(handle.place.address, out).out;
  put(out, handle.place.port);
  put(out, checksum(packed.data(), kFarSize - sizeof(uint16_t)));
  char* digit = key.data();
  for (size_t i = 0; i < kFarSize; i += 3) {
    const uint32_t bits = static_cast<uint32_t>(packed[i]) << 16 |
                          static_cast<uint32_t>(packed[i + 1]) << 8 | packed[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6)
      *digit++ = kFarDigits[bits >> shift & 63];
  }
  *digit = 0;
}

// Text of hexadecimal digits is never one: it has no digit above f.
std::optional<Handle> read_far_key(const char* key) {
  std::array<uint8_t, kFarSize> packed{};
  uint32_t bits = 0;
  for (size_t i = 0; i < kKeySize - 1; ++i) {
    const size_t value = key[i] == 0 ? std::string_view::npos : kFarDigits.find(key[i]);
    if (value == std::string_view::npos) return {};
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (i % 4 != 3) continue;
    for (size_t j = 0; j < 3; ++j)
      packed[i / 4 * 3 + j] = static_cast<uint8_t>(bits >> (16 - 8 * j));
  }
  if (key[kKeySize - 1] != 0) return {};
  const uint8_t* in = packed.data();
  Handle handle;
  handle.address.process = take<uint32_t>(in);
  handle.address.token = take<uint64_t>(in);
  handle.name.high = take<uint64_t>(in);
  handle.name.low = take<uint64_t>(in);
  std::copy_n(in, handle.place.address.size(), handle.place.address.data());
  in += handle.place.address.size();
  handle.place.port = take<uint16_t>(in);
  const bool is_whole = take<uint16_t>(in) == checksum(packed.data(), kFarSize - sizeof(uint16_t));
  if (!is_whole || handle.place.port == 0 || !is_process(handle.address.process)) return {};
  return handle;
}

// The digits of the kernel's boot id, which is new with every start of the host. All 0 where /proc
// does not show it: then every host looks like this one, and its handles are unknown.
Host read_host() {
  Host host{};
  std::FILE* file = std::fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file == nullptr) return host;
  size_t digits = 0;
  for (int c = std::fgetc(file); c != EOF && digits < 2 * kHostSize; c = std::fgetc(file)) {
    const int value = digit_value(static_cast<char>(c));
    if (value < 0) continue;  // a dash
    uint8_t& byte = host[digits++ / 2];
    byte = static_cast<uint8_t>(byte << 4 | value);
  }
  std::fclose(file);
  return host;
}

const Host& this_host() {
  static const Host host = read_host();
  return host;
}

Status draw(uint64_t& number) {
  number = 0;
  while (number == 0) {
    const ssize_t got = getrandom(&number, sizeof number, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof number)
      return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999, "the system gives no random numbers: %s",
                  std::strerror(errno));
  }
  return {};
}

}  // namespace

Result<Name> make_name() {
  Name name;
  FERRY_RETURN_IF_ERROR(draw(name.high));
  FERRY_RETURN_IF_ERROR(draw(name.low));
  return name;
}

Result<Name> make_short_name() {
  Name name;
  FERRY_RETURN_IF_ERROR(draw(name.low));
  return name;
}

void write_key(const Handle& handle, std::span<char, kKeySize> key) {
  static_assert(kKeySize == 2 * kPackedSize + 1);
  if (handle.place.port != 0) return write_far_key(handle, key);
  constexpr char kDigits[] = "0123456789abcdef";
  char* out = key.data();
  for (const uint8_t byte : pack(Mark::kKey, handle)) {
    *out++ = kDigits[byte >> 4];
    *out++ = kDigits[byte & 15];
  }
  *out = 0;
}

std::optional<Handle> read_key(const char* key) {
  Packed packed{};
  for (size_t i = 0; i < 2 * kPackedSize; ++i) {
    const int value = digit_value(key[i]);
    if (value < 0) return read_far_key(key);  // also at the final 0: bytes behind it are not read
    packed[i / 2] = static_cast<uint8_t>(packed[i / 2] << 4 | value);
  }
  if (key[2 * kPackedSize] != 0) return {};
  return unpack(Mark::kKey, packed);
}

void write_event_handle(const Handle& handle, std::span<std::byte, kEventHandleSize> bytes) {
  std::ranges::fill(bytes, std::byte{0});
  const Packed packed = pack(Mark::kEvent, handle);
  std::memcpy(bytes.data(), packed.data(), kPackedSize);
  put_place(handle.place, bytes.subspan(kPackedSize));
}

std::optional<Handle> read_event_handle(std::span<const std::byte, kEventHandleSize> bytes) {
  if (!are_zero(bytes.subspan<kPackedSize + kPlaceSize>())) return {};
  Packed packed{};
  std::memcpy(packed.data(), bytes.data(), kPackedSize);
  std::optional<Handle> handle = unpack(Mark::kEvent, packed);
  if (!handle || !take_place(bytes.subspan(kPackedSize), handle->place)) return {};
  return handle;
}

void write_fabric_handle(const Handle& handle, std::span<std::byte, kFabricHandleSize> bytes) {
  std::ranges::fill(bytes, std::byte{0});
  const Packed packed = pack(Mark::kFabric, handle);
  std::memcpy(bytes.data(), packed.data(), kPackedSize);
  std::memcpy(bytes.data() + kPackedSize, this_host().data(), kHostSize);
  put_place(handle.place, bytes.subspan(kPackedSize + kHostSize));
}

FabricOrigin read_fabric_handle(std::span<const std::byte, kFabricHandleSize> bytes,
                                Handle& handle) {
  Packed packed{};
  std::memcpy(packed.data(), bytes.data(), kPackedSize);
  const std::optional<Handle> found = unpack(Mark::kFabric, packed);
  if (!found || !are_zero(bytes.subspan<kPackedSize + kHostSize + kPlaceSize>()))
    return FabricOrigin::kNotAHandle;
  handle = *found;
  if (!take_place(bytes.subspan(kPackedSize + kHostSize), handle.place))
    return FabricOrigin::kNotAHandle;
  return std::memcmp(bytes.data() + kPackedSize, this_host().data(), kHostSize) == 0
             ? FabricOrigin::kThisHost
             : FabricOrigin::kOtherHost;
}

}  // namespace ferry::sharing
