// SPDX-License-Identifier: Apache-2.0
// What the questions need as AscendCL clients: calls that must succeed, streams, events, memory.
#pragma once

#include "acl/acl.h"

#include <cstddef>
#include <memory>

namespace ferry::bench {

class ImportedMemory;
class MappedMemory;

/// Throws std::runtime_error with the library's error text when a call failed.
void check(aclError code);

/// Memory in one of five places. kMapped: on the device, in many mappings. kImported: on the
/// device, exported and imported again. It is touched on construction, so that no measurement takes
/// first-touch page faults. Huge pages are requested everywhere. The device must stay set during
/// its lifetime.
class Buffer {
 public:
  enum class Place { kDevice, kMapped, kImported, kPinned, kPlain };

  Buffer(Place place, size_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Place place() const { return place_; }
  bool is_on_device() const { return place_ <= Place::kImported; }
  size_t size() const { return bytes_; }
  std::byte* at(size_t offset) const { return address_ + offset; }

  /// Copies the whole buffer and waits. `from` and `to` are host memory.
  void write(const std::byte* from);
  void read(std::byte* to) const;

 private:
  Place place_;
  size_t bytes_;
  std::byte* address_ = nullptr;
  std::unique_ptr<MappedMemory> mapped_;      // of kMapped
  std::unique_ptr<ImportedMemory> imported_;  // of kImported
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

/// Initialises the library and sets device 0 during its lifetime.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

}  // namespace ferry::bench
