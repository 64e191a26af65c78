// SPDX-License-Identifier: Apache-2.0
// Moving the bytes of one work that uses memory of other hosts.
#pragma once

#include "layers/fabric/local_uses.h"
#include "layers/fabric/remote_memory.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ferry::layers::fabric {

// Bytes from one address to another, or a fill.
struct JobItem {
  void* dst = nullptr;
  const void* src = nullptr;
  uint64_t size = 0;
};

class LocalDevice;
class Relay;
class Staging;

// Made with make_shared; lives until all its transfers are over.
class Job : public std::enable_shared_from_this<Job> {
 public:
  // How it ended: code 0, or an aclError with its text. When the work ran in a queue, the codes are
  // those of tasks.
  struct End {
    int code = 0;
    std::string text;
  };
  enum class When { kNow, kQueued };
  using Done = std::function<void(const End& end)>;

  Job(const ferryx_runtime& runtime, When when, Done done);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // One of these, once. `done` is called once, perhaps before they return, perhaps on another
  // thread. No byte moves after that, and memory may be freed.
  void copy(std::vector<JobItem> items);
  void fill(const ferryx_fill& fill);

  // Waits, and makes progress meanwhile. Returns at once when it is over.
  void wait(uint64_t nanoseconds) const;
  bool is_over() const { return __atomic_load_n(&is_over_, __ATOMIC_ACQUIRE) != 0; }
  uint64_t bytes() const { return bytes_; }

 private:
  friend class Relay;
  friend class Staging;
  struct Pieces {
    std::vector<ferryx_fabric_piece> puts;
    std::vector<ferryx_fabric_piece> gets;
    std::vector<std::unique_ptr<Relay>> relays;
    std::vector<std::unique_ptr<Staging>> stagings;
  };
  bool plan(const JobItem& item, Pieces& pieces);
  Staging& staging_for(LocalDevice& device, ferryx_fabric_direction direction, Pieces& pieces);
  bool plan_relay(const JobItem& item, Pieces& pieces);
  // The storage of local memory; nullptr when it is not live, with the job failed.
  void* find_local(const char* side, const void* address, uint64_t size, uint32_t& is_unsure);
  void move_locally(void* dst, const void* src, uint64_t size);
  void start(uint32_t direction, const std::vector<ferryx_fabric_piece>& pieces);
  void begin_part() { parts_left_.fetch_add(1, std::memory_order_relaxed); }
  void end_part();
  // The first failure counts.
  void fail(int code, const std::string& text);
  void take_end(int code, const char* text);
  static void done(void* argument, int code, const char* text);

  const ferryx_runtime& runtime_;
  const When when_;
  const Done done_;
  uint64_t bytes_ = 0;
  RemoteUse remote_use_;
  std::vector<RemoteSpan> spans_;  // of the item that is being planned
  RemoteLookup lookup_;
  ferryx_memory local_{};  // the range of the latest local address
  bool has_local_ = false;
  LocalUses::Entry local_use_;
  std::vector<std::unique_ptr<Relay>> relays_;
  std::vector<std::unique_ptr<Staging>> stagings_;
  std::atomic<uint32_t> parts_left_{1};  // one of them is the planning
  uint32_t is_over_ = 0;                 // changed atomically, by done_
  std::mutex mutex_;                     // guards end_
  End end_;
};

}  // namespace ferry::layers::fabric
