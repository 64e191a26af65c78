// SPDX-License-Identifier: Apache-2.0
// One side of the raw loops: context, worker, endpoint, memory, and the messages in blocks.cpp.
#pragma once

#include "bench/raw/ucx_fabric.h"

#include <ucp/api/ucp.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ferry::bench::ucx {

/// Throws with UCX's text.
void must(ucs_status_t status, const char* what);

/// What a message is. `total` blocks belong to the operation `number`.
enum class MessageKind : uint32_t {
  kPing,
  kDone,    // all blocks of `number` have arrived; also the answer to kPing
  kPacked,  // `count` places, then as many blocks: to be scattered
  kGather,  // `count` places here and there: to be sent back as kPacked
  kBulk,    // the bytes belong at `place`
  kFetch    // send `bytes` at `place` back as kBulk, for `other_place`
};

struct MessageHeader {
  MessageKind kind;
  uint32_t number;
  uint32_t count;
  uint32_t total;
  uint64_t block_bytes;
  uint64_t place;
  uint64_t other_place;
  uint32_t wants_answer;
  uint32_t unused;
};

/// Bytes of one message of packed blocks: large enough to make the header cheap, small enough that
/// packing, sending and scattering overlap.
constexpr size_t kPartBytes = size_t{256} << 10;
/// Packed messages that are sent before the oldest has left.
constexpr size_t kWindow = 16;
/// Fruitless polls before a thread sleeps: more than an answer takes where each side has a core of
/// its own. Where it has not, a thread that went on polling would keep the other side from
/// answering.
constexpr size_t kSpins = 1024;

class Side final : public UcxFabric {
 public:
  Side(size_t bytes, const char* network_device);
  ~Side() override;
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  std::byte* memory() override { return memory_; }
  std::string card() const override;
  void connect(const std::string& card) override;
  size_t key_bytes() const override { return key_.size(); }
  std::string transports() const override;
  void serve(const std::atomic<bool>& should_stop) override;
  void put_each(const Layout& layout) override;
  void get_each(const Layout& layout) override;
  void put_packed(const Layout& layout) override;
  void get_packed(const Layout& layout) override;
  void put_message(const Layout& layout) override;
  void get_message(const Layout& layout) override;
  void ping() override;
  ConnectionCost open_connections(size_t count) override;

 private:
  /// Work that a message asks for; a handler of UCX must not wait.
  struct Job {
    MessageHeader header;
    std::vector<uint64_t> from;
    std::vector<uint64_t> to;
  };
  /// A message that is being received.
  struct Arrival;

  static ucs_status_t on_message(void* side, const void* header, size_t header_length, void* data,
                                 size_t length, const ucp_am_recv_param_t* param);
  static void on_received(void* request, ucs_status_t status, size_t length, void* arrival);
  static void on_operation_done(void* request, ucs_status_t status, void* side);
  static void on_sent(void* request, ucs_status_t status, void* message);
  static void on_endpoint_error(void* side, ucp_ep_h endpoint, ucs_status_t status);

  ucp_ep_h make_endpoint();
  void close_endpoint(ucp_ep_h endpoint);
  std::byte* checked(uint64_t place, uint64_t bytes) const;

  /// Makes progress; true if there was any.
  bool poll();
  /// Sleeps until UCX has something to do, or a moment has passed.
  void sleep();
  template <class Condition>
  void poll_until(const Condition& is_over);
  void flush();

  /// Sends a header and, if any, the bytes of `body`, which it recycles.
  void send(const MessageHeader& header, std::vector<std::byte>* body = nullptr);
  void send_bulk(const MessageHeader& header, const std::byte* bytes, size_t count);
  void send_on(ucp_ep_h endpoint, const MessageHeader& header);
  void send_packed(MessageHeader header, const std::vector<uint64_t>& from,
                   const std::vector<uint64_t>& to);
  void arrive(const MessageHeader& header, const std::byte* data, size_t length);
  void blocks_arrived(const MessageHeader& header, uint32_t count);
  void take_job(const MessageHeader& header, const std::byte* data, size_t length);
  void run_job(const Job& job);
  MessageHeader begin(MessageKind kind, const Layout& layout);
  void wait_for_answer();
  std::vector<std::byte>* spare_body(size_t bytes);

  size_t bytes_;
  std::byte* memory_ = nullptr;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_mem_h registration_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
  ucp_rkey_h other_key_ = nullptr;
  uint64_t other_memory_ = 0;
  uint64_t other_bytes_ = 0;
  std::string address_;
  std::string key_;
  std::string other_address_;

  int wakeup_ = -1;        // readable when UCX has something to do; UCX owns it
  size_t in_flight_ = 0;   // operations and messages that UCX still has
  uint32_t number_ = 0;    // of the latest operation of this side
  uint32_t answered_ = 0;  // the latest operation known to be done
  uint32_t arriving_ = 0;  // the operation whose blocks are counted
  uint32_t arrived_ = 0;   // blocks of it
  ucs_status_t failure_ = UCS_OK;
  std::string refusal_;  // a message that made no sense
  std::deque<Job> jobs_;
  std::vector<std::vector<std::byte>*> spare_bodies_;
};

}  // namespace ferry::bench::ucx
