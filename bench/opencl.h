// SPDX-License-Identifier: Apache-2.0
// The same small jobs on OpenCL's CPU device (PoCL), the portable runtime that Ferry is compared
// with. Loaded at run time, so that building needs nothing of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace ferry::bench {

/// Used by one thread.
class OpenCl {
 public:
  /// Size of each copy.
  static constexpr size_t kBytes = 64;

  OpenCl();
  ~OpenCl();
  OpenCl(const OpenCl&) = delete;
  OpenCl& operator=(const OpenCl&) = delete;

  /// Why it cannot be used, or "".
  const std::string& missing() const { return missing_; }
  /// The name of the platform.
  const std::string& name() const { return name_; }

  /// Enqueues a write of `kBytes` from `from` to the device's buffer; does not wait.
  void enqueue_write(const std::byte* from) const;
  void finish() const;
  /// Reads the device's buffer and waits.
  void read(std::byte* to) const;

  /// Enqueues a marker on one queue, makes the second queue wait for it, and waits for the second.
  void cross_queues() const;

 private:
  struct Functions;
  std::unique_ptr<Functions> functions_;
  std::string missing_;
  std::string name_;
  void* context_ = nullptr;
  void* queue_ = nullptr;
  void* other_queue_ = nullptr;
  void* buffer_ = nullptr;
};

}  // namespace ferry::bench
