// SPDX-License-Identifier: Apache-2.0
// What the questions need as clients of AscendCL: calls that must succeed, streams, events, memory.
#pragma once

#include "acl/acl.h"

#include <cstddef>

namespace ferry::bench {

/// Throws std::runtime_error with the text of the library when a call failed.
void check(aclError code);

/// Memory by the place it is in. Touched when it is made, so that no page is new when it is
/// measured. Huge pages are asked for everywhere. Needs the device to be set as long as it lives.
class Buffer {
 public:
  enum class Place { kDevice, kPinned, kPlain };

  Buffer(Place place, size_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Place place() const { return place_; }
  size_t size() const { return bytes_; }
  std::byte* at(size_t offset) const { return address_ + offset; }

  /// Copy the whole buffer, and wait. `from` and `to` are on the host.
  void write(const std::byte* from);
  void read(std::byte* to) const;

 private:
  Place place_;
  size_t bytes_;
  std::byte* address_ = nullptr;
};

class Stream {
 public:
  Stream() { check(aclrtCreateStream(&handle_)); }
  ~Stream() { static_cast<void>(aclrtDestroyStream(handle_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  aclrtStream handle() const { return handle_; }
  void synchronize() const { check(aclrtSynchronizeStream(handle_)); }

 private:
  aclrtStream handle_ = nullptr;
};

class Event {
 public:
  Event() { check(aclrtCreateEvent(&handle_)); }
  ~Event() { static_cast<void>(aclrtDestroyEvent(handle_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  aclrtEvent handle() const { return handle_; }

 private:
  aclrtEvent handle_ = nullptr;
};

/// The library and device 0, for as long as it lives.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

}  // namespace ferry::bench
