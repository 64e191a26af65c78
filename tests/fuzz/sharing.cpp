// SPDX-License-Identifier: Apache-2.0
// What src/sharing reads of other processes: keys, handles, names of sockets, and messages.
#include "fuzz.h"
#include "sharing/channel.h"
#include "sharing/endpoint.h"
#include "sharing/handle.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

using namespace ferry;
using namespace ferry::sharing;

namespace {

bool are_equal(const Handle& one, const Handle& other) {
  return one.address == other.address && one.name == other.name;
}

// As many bytes as there are, then 0. On the heap, so that a sanitizer sees reads behind the end.
template <class Byte>
std::vector<Byte> padded(const uint8_t* data, size_t size, size_t wanted) {
  std::vector<Byte> bytes(wanted);
  std::memcpy(bytes.data(), data, std::min(size, wanted));
  return bytes;
}

void read_handles(const uint8_t* data, size_t size) {
  const auto text = padded<char>(data, size, kKeySize);
  if (const auto handle = read_key(text.data())) {
    std::array<char, kKeySize> written{};
    write_key(*handle, written);
    const auto again = read_key(written.data());
    fuzz::require(again.has_value() && are_equal(*handle, *again),
                  "a key is written as it is read");
  }
  const auto event = padded<std::byte>(data, size, kEventHandleSize);
  using EventBytes = std::span<const std::byte, kEventHandleSize>;
  if (const auto handle = read_event_handle(EventBytes(event))) {
    std::array<std::byte, kEventHandleSize> written{};
    write_event_handle(*handle, written);
    const auto again = read_event_handle(written);
    fuzz::require(again.has_value() && are_equal(*handle, *again),
                  "an event handle is written as it is read");
  }
  const auto fabric = padded<std::byte>(data, size, kFabricHandleSize);
  using FabricBytes = std::span<const std::byte, kFabricHandleSize>;
  Handle handle;
  if (read_fabric_handle(FabricBytes(fabric), handle) == FabricOrigin::kThisHost) {
    std::array<std::byte, kFabricHandleSize> written{};
    write_fabric_handle(handle, written);
    Handle again;
    fuzz::require(
        read_fabric_handle(written, again) == FabricOrigin::kThisHost && are_equal(handle, again),
        "a FABRIC handle is written as it is read");
  }
}

void read_socket_name(std::string_view name) {
  const auto address = parse_socket_name(name);
  if (!address.has_value()) return;
  fuzz::require(address->process != 0, "a name has a process");
  std::array<char, 64> rest{};
  std::snprintf(rest.data(), rest.size(), "/%u-%016llx", address->process,
                static_cast<unsigned long long>(address->token));
  fuzz::require(name.ends_with(rest.data()), "there is one spelling");
}

template <class Message>
Transfer receive(const uint8_t* data, size_t size, Message& message) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return Transfer::kFailed;
  Transfer result = send_bytes(ends[0], data, size);
  Descriptor file;
  if (result == Transfer::kDone) result = receive_message(ends[1], message, &file);
  close(ends[0]);
  close(ends[1]);
  fuzz::require(result != Transfer::kDone ||
                    (size == sizeof message && std::memcmp(&message, data, size) == 0),
                "a message has one size");
  return result;
}

void read_messages(const uint8_t* data, size_t size) {
  Request request;
  receive(data, size, request);
  Reply reply;
  if (receive(data, size, reply) != Transfer::kDone) return;
  const std::string text = reply.get_text();
  fuzz::require(text.size() <= reply.text.size(), "a text ends");
  reply.set_text(text);
  fuzz::require(text.starts_with(reply.get_text()), "a text is cut at its end");
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read_handles(data, size);
  read_socket_name(fuzz::text_of(data, size));
  read_messages(data, size);
  return 0;
}
