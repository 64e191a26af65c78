// SPDX-License-Identifier: Apache-2.0
// Requests arrive on the main thread; raw operations and notifies are answered by threads of their
// own.
#include "bench/fabric/peer.h"

#include "bench/fabric/ferry_memory.h"
#include "bench/fabric/protocol.h"
#include "bench/raw/ucx_fabric.h"

#include "ferry/ferry.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace ferry::bench::fabric {
namespace {

// Answers raw operations without sleeping, as long as it exists.
class RawServer {
 public:
  explicit RawServer(UcxFabric& raw)
      : thread_([this, &raw] {
          try {
            raw.serve(should_stop_);
          } catch (const std::exception& error) {
            failure_ = error.what();
          }
        }) {}
  ~RawServer() {
    if (thread_.joinable()) static_cast<void>(stop());
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  /// Why it failed; "" when it did not.
  std::string stop() {
    should_stop_.store(true, std::memory_order_relaxed);
    thread_.join();
    return failure_;
  }

 private:
  std::atomic<bool> should_stop_{false};
  std::string failure_;  // read after the thread has ended
  std::thread thread_;
};

// Answers notifies: a few turns are queued ahead, so that the stream and not this thread answers.
class Answerer {
 public:
  Answerer(const SharedNotify& own, const SharedNotify& others)
      : own_(own), others_(others), thread_([this] { run(); }) {}
  ~Answerer() {
    if (!thread_.joinable()) return;
    // The other side has ended in the middle of a round: nobody will play the turns that are
    // queued.
    static_cast<void>(stop());
    is_aborted_.store(true, std::memory_order_release);
    static_cast<void>(aclrtStreamAbort(stream_.handle()));
    thread_.join();
  }
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

  /// Queues no more; returns the number of turns that were queued. All of them must be played.
  uint64_t stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    return turns_;
  }
  /// Until all of them have been.
  void wait() { thread_.join(); }

 private:
  static constexpr size_t kAhead = 8;

  // False when it is not to go on.
  bool queue_turn(std::deque<Event>& ends) {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return false;
    ++turns_;
    own_.wait(stream_);
    others_.record(stream_);
    check(aclrtRecordEvent(ends.emplace_back().handle(), stream_.handle()));
    return true;
  }

  void run() {
    try {
      check(aclrtSetDevice(0));
      std::deque<Event> ends;
      while (ends.size() < kAhead && queue_turn(ends)) {
      }
      while (!ends.empty()) {
        check(aclrtSynchronizeEvent(ends.front().handle()));
        ends.pop_front();
        queue_turn(ends);
      }
    } catch (const std::exception& error) {
      // The other side reports it: its wait times out.
      if (is_aborted_.load(std::memory_order_acquire)) return;
      std::fprintf(stderr, "ferry bench: the peer's notifies: %s\n", error.what());
    }
  }

  const SharedNotify& own_;
  const SharedNotify& others_;
  const Stream stream_;
  std::atomic<bool> is_aborted_{false};
  std::mutex mutex_;  // guards the two members below
  uint64_t turns_ = 0;
  bool is_stopped_ = false;
  std::thread thread_;
};

class Peer {
 public:
  explicit Peer(std::string network_device) : network_device_(std::move(network_device)) {}

  std::string answer(const Request& request, const std::string& payload) {
    switch (request.ask) {
      case Ask::kHello:
        return ferryVersion();
      case Ask::kOpenRaw:
        return open_raw(payload);
      case Ask::kServeRaw:
        server_.emplace(raw());
        return {};
      case Ask::kRestRaw:
        return rest_raw();
      case Ask::kOpenFerry:
        return open_ferry(payload);
      case Ask::kFill:
        fill(request);
        return {};
      case Ask::kVerify:
        verify(request);
        return {};
      case Ask::kAnswerNotifies:
        if (!memory_) throw std::runtime_error("Ferry's side is not open");
        if (answerer_) answerer_->wait();
        answerer_.emplace(*own_notify_, *others_notify_);
        return {};
      case Ask::kStopNotifies:
        return stop_notifies();
      case Ask::kEnd:
        return {};
    }
    throw std::runtime_error("an unknown request");
  }

 private:
  UcxFabric& raw() const {
    if (!raw_) throw std::runtime_error("the raw side is not open");
    return *raw_;
  }

  std::string open_raw(const std::string& card) {
    raw_ = open_ucx_fabric(kPoolBytes, network_device_);
    std::string own = raw_->card();
    raw_->connect(card);
    return own;
  }

  std::string rest_raw() {
    if (!server_) throw std::runtime_error("the raw side does not serve");
    const std::string failure = server_->stop();
    server_.reset();
    if (!failure.empty()) throw std::runtime_error(failure);
    return {};
  }

  std::string open_ferry(const std::string& notify_key) {
    if (notify_key.size() != sizeof FerryCard::notify_key)
      throw std::runtime_error("a strange key");
    session_.emplace();
    memory_.emplace();
    own_notify_.emplace();
    FerryCard card{};
    memory_->export_to(card.handle);
    own_notify_->export_to(card.notify_key);
    others_notify_.emplace(notify_key.c_str());
    return {reinterpret_cast<const char*>(&card), sizeof card};
  }

  // Ferry's memory is a device's: its contents travel through host memory, block by block.
  void fill(const Request& request) {
    const Layout layout = layout_of(request.shape);
    if (request.pool == Pool::kRaw) return fill_blocks(layout, request.seed, raw().memory());
    fill_blocks(layout, request.seed, image());
    const size_t bytes = layout.block_bytes;
    for (const size_t offset : layout.from) {
      check(aclrtMemcpy(exported() + offset, bytes, image() + offset, bytes,
                        ACL_MEMCPY_HOST_TO_DEVICE));
    }
  }

  void verify(const Request& request) {
    const Layout layout = layout_of(request.shape);
    if (request.pool == Pool::kRaw) return verify_blocks(layout, request.seed, raw().memory());
    const size_t bytes = layout.block_bytes;
    for (const size_t offset : layout.to) {
      check(aclrtMemcpy(image() + offset, bytes, exported() + offset, bytes,
                        ACL_MEMCPY_DEVICE_TO_HOST));
    }
    verify_blocks(layout, request.seed, image());
  }

  std::byte* exported() const {
    if (!memory_) throw std::runtime_error("Ferry's side is not open");
    return memory_->start();
  }
  std::byte* image() {
    image_.resize(kPoolBytes);
    return image_.data();
  }

  std::string stop_notifies() {
    if (!answerer_) throw std::runtime_error("notifies are not answered");
    const uint64_t turns = answerer_->stop();
    return {reinterpret_cast<const char*>(&turns), sizeof turns};
  }

  std::string network_device_;
  std::unique_ptr<UcxFabric> raw_;
  std::optional<RawServer> server_;
  std::optional<Session> session_;
  std::optional<FabricMemory> memory_;
  std::optional<SharedNotify> own_notify_;
  std::optional<SharedNotify> others_notify_;
  std::optional<Answerer> answerer_;
  std::vector<std::byte> image_;
};

}  // namespace

void serve_peer(Channel& channel, const std::string& network_device) {
  Peer peer(network_device);
  std::string message;
  Request request{};
  while (request.ask != Ask::kEnd && channel.receive(message)) {
    std::string reply(1, kGood);
    try {
      if (message.size() < sizeof request) throw std::runtime_error("a request is cut off");
      std::memcpy(&request, message.data(), sizeof request);
      reply += peer.answer(request, message.substr(sizeof request));
    } catch (const std::exception& error) {
      reply = kFailed + std::string("the peer: ") + error.what();
    }
    channel.send(reply);
  }
}

void listen_for_benchmarks(const std::string& text) {
  const Address address = parse_address(text);
  const Listener listener(address);
  fmt::print("listening at {}, port {}; serves whoever connects, until it is interrupted\n",
             address.host, address.port);
  std::fflush(stdout);
  for (;;) {
    Channel channel = listener.accept();
    try {
      serve_peer(channel, "");
    } catch (const std::exception& error) {
      std::fprintf(stderr, "ferry bench: %s\n", error.what());
    }
  }
}

}  // namespace ferry::bench::fabric
