// SPDX-License-Identifier: Apache-2.0
// Everything that touches UCX: one context, one worker, one endpoint per peer, and the thread that
// drives them when no thread of the program waits. The context has active messages only: each
// owner checks every message before a byte of its memory is read or written.
#pragma once

#include "plugins/fabric/peer.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ferry::fabric {

int64_t now();  // nanoseconds of the steady clock

// May be shared between threads; never destroyed.
class Engine {
 public:
  explicit Engine(const ferryx_fabric_services& services) : services_(services) {}

  // "" or what is wrong. `devices`: those that UCX may use, unless UCX_NET_DEVICES names
  // others.
  std::string start(const std::string& devices);
  const Bytes& address() const { return address_; }

  // ---- peers ----

  // Makes the endpoint. "" or what is wrong.
  std::string add(const std::shared_ptr<Peer>& peer, const Bytes& ucx_address);
  // Waits until messages go to the peer and come back. UCX connects with the first message, and
  // UCX 1.13 ends the process if a peer is lost meanwhile: so it connects here, before there is
  // work for it; and measures which blocks are better packed. After the peer has answered a request
  // of the control connection. "" or what is wrong.
  std::string connect(const std::shared_ptr<Peer>& peer, int64_t deadline);
  // All its requests fail, and what it had open is closed. Again: nothing.
  void lose(const std::shared_ptr<Peer>& peer, const std::string& why);
  // False when the peer is lost: then the object was closed.
  bool lend(const std::shared_ptr<Peer>& peer, uint64_t segment, std::shared_ptr<Lent> lent);
  void end_loan(const std::shared_ptr<Peer>& peer, uint64_t segment);
  // Why the peer is lost; "": it is not.
  std::string loss_of(const Peer& peer) const;
  void note_opening(Peer& peer, int change);

  // ---- requests to peers (engine_requests.cpp) ----

  void transfer(uint32_t direction, const ferryx_fabric_piece* pieces, size_t count,
                ferryx_fabric_done done, void* argument);
  void fill(const ferryx_fabric_opening& opening, const ferryx_fabric_filling& filling,
            ferryx_fabric_done done, void* argument);
  bool signal(const ferryx_fabric_opening& opening);
  void call(const ferryx_fabric_opening& opening, View question, ferryx_fabric_answered answered,
            void* argument);
  void reply(const ferryx_fabric_call& call, View answer);

  // ---- threads ----

  // Progress on the calling thread until the number is not 0, or the nanoseconds are over.
  void drive(const uint32_t& until, int64_t time);
  // One step of it. False when no message has come for a while: then the caller had better sleep.
  bool help();
  // The thread that makes progress when nobody drives. Does not return.
  [[noreturn]] void run();
  // Releases what may not be released under the lock, and runs jobs. Does not return.
  [[noreturn]] void run_jobs();
  void add_job(std::function<void()> job);
  // UCX is not called any more.
  void close();

  void count_refused();
  void counts(ferryx_fabric_counts& counts) const;
  std::string describe() const;

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Send;
  struct Receive;
  // Questions of peers, and answers to questions of this process, that are to be told.
  struct Called {
    std::shared_ptr<Lent> object;
    std::unique_ptr<ferryx_fabric_call> call;
    Bytes question;
  };
  struct Answered {
    PendingCall call;
    int code = 0;
    std::string text{};
    Bytes answer{};
  };

  // With the lock held:
  bool progress_locked();
  bool has_something_to_tell() const;
  void lose_locked(const std::shared_ptr<Peer>& peer, const std::string& why);
  // Inside a call of UCX.
  void lose_later(const Peer& peer, const std::string& why);
  void close_endpoint(Peer& peer);
  void drop_chunks(Peer& peer);
  void bury(std::shared_ptr<Lent> lent);
  void wake();
  void stand_back(Lock& lock);
  void end_help();
  void sleep_until_event();
  std::string transports_of(const Peer& peer) const;
  // What has become ready is told without the lock.
  void unlock_and_tell(Lock& lock);
  std::shared_ptr<Peer> find_peer(const Token& token) const;

  // Requests.
  struct ProbeAnswer;
  std::string measure(const std::shared_ptr<Peer>& peer, int64_t limit);
  ProbeAnswer probe(const std::shared_ptr<Peer>& peer, size_t times, int64_t deadline);
  void fill(const ferryx_fabric_opening& opening, const ferryx_fabric_filling& filling,
            size_t times, ferryx_fabric_done done, void* argument);
  void start_transfer(std::unique_ptr<Transfer> transfer,
                      std::vector<std::unique_ptr<Chunk>> chunks);
  void pump(Peer& peer);
  void start_chunk(Chunk& chunk);
  bool stage(Chunk& chunk);
  bool unstage(Chunk& chunk);
  void answer(Chunk& chunk);
  void fail(Chunk& chunk, int code, const std::string& text);
  void finish_if_over(Chunk& chunk);
  void end_transfer_part(Transfer& transfer);

  // Messages.
  // What a message keeps until it is sent. A buffer that is not empty holds its bytes.
  struct Attached {
    Chunk* chunk = nullptr;
    std::shared_ptr<Lent> kept{};
    Buffer buffer{};
  };
  void send(const std::shared_ptr<Peer>& peer, Message message, const MessageHeader& header,
            const void* data, size_t size, Attached attached);
  void end_send(Send& send, ucs_status_t status);
  void send_bytes(const std::shared_ptr<Peer>& peer, Message message, const MessageHeader& header,
                  View bytes);
  void send_done(const std::shared_ptr<Peer>& peer, uint64_t request, Outcome outcome);
  static void endpoint_failed(void* argument, ucp_ep_h endpoint, ucs_status_t status);
  static void endpoint_closed(void* request, ucs_status_t status, void* argument);
  static void sent(void* request, ucs_status_t status, void* argument);
  static void received(void* request, ucs_status_t status, size_t length, void* argument);
  template <Message kMessage>
  static ucs_status_t arrived(void* argument, const void* header, size_t header_size, void* data,
                              size_t size, const ucp_am_recv_param_t* parameters);
  template <Message kMessage>
  bool set_handler();
  bool set_handlers();
  struct Arrival;
  ucs_status_t take(Message message, Arrival& arrival);
  ucs_status_t take_put(Arrival& arrival);
  ucs_status_t take_put_packed(Arrival& arrival);
  void take_get(const Arrival& arrival);
  ucs_status_t take_get_packed(Arrival& arrival);
  ucs_status_t receive_packed(Arrival& arrival, Message message);
  void gather(const std::shared_ptr<Peer>& peer, const MessageHeader& header, View list);
  void take_fill(const Arrival& arrival);
  ucs_status_t take_data(Arrival& arrival);
  void take_done(const Arrival& arrival);
  void take_signal(const Arrival& arrival);
  void take_call(const Arrival& arrival);
  void take_reply(const Arrival& arrival);
  void take_bytes(Chunk& chunk);
  // The memory of a request, if all of it lies inside of what the peer has open.
  static const std::shared_ptr<Lent>* find_lent(const Peer& peer, uint64_t segment, uint64_t offset,
                                                uint64_t size, Outcome& outcome);
  static Outcome find_places(const Peer& peer, const std::vector<Part>& parts,
                             std::vector<uint8_t*>& places);
  Outcome scatter(Peer& peer, const MessageHeader& header, View data);
  ucs_status_t receive(Arrival& arrival, void* to, std::unique_ptr<Receive> receive);
  void end_receive(Receive& receive, bool is_good);

  const ferryx_fabric_services& services_;
  Bytes address_;
  int event_file_ = -1;  // readable when UCX has something to do
  int wake_file_ = -1;

  mutable std::mutex mutex_;            // guards UCX and all below, peers included
  std::condition_variable stood_back_;  // for the progress thread: no helper drives any more
  bool is_closed_ = false;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  std::map<Token, std::shared_ptr<Peer>> peers_;
  // Lost peers whose endpoints are being closed. UCX may still name them.
  std::map<Peer*, std::shared_ptr<Peer>> closing_;
  std::vector<std::pair<std::shared_ptr<Peer>, std::string>> to_lose_;
  std::vector<std::shared_ptr<Peer>> closed_;  // released outside of UCX
  std::vector<Transfer*> finished_;
  std::vector<std::shared_ptr<Lent>> signalled_;
  std::vector<Called> called_;
  std::vector<Answered> answered_;
  std::vector<std::shared_ptr<Lent>> buried_;
  BufferPool buffers_;
  ferryx_fabric_counts counts_{};

  std::atomic<int64_t> last_help_{0};   // when a thread of the program has made the latest step
  std::atomic<int64_t> last_news_{0};   // when the latest message came, or request began
  std::atomic<bool> is_asleep_{false};  // the progress thread waits for UCX or wake()

  std::mutex told_mutex_;  // guards nothing: orders notifications and the sleep of drive()
  std::condition_variable told_;
  std::atomic<uint32_t> sleepers_{0};  // threads that sleep in drive()

  std::mutex jobs_mutex_;  // guards jobs_
  std::condition_variable jobs_changed_;
  std::deque<std::function<void()>> jobs_;
};

}  // namespace ferry::fabric
