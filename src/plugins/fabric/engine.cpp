// SPDX-License-Identifier: Apache-2.0
// The worker, its peers, and the threads that drive it.
#include "plugins/fabric/engine.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace ferry::fabric {
int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// ---- what is lent ----

Lent::~Lent() {
  if (memory != nullptr) munmap(memory, size);
  if (object != nullptr) services.closed(object);
}

bool Lent::map(int file, uint64_t offset, uint64_t length) {
  void* const mapped =
      mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  if (mapped == MAP_FAILED) return false;
  memory = static_cast<uint8_t*>(mapped);
  size = length;
  return true;
}

// ---- starting ----

std::string Engine::start(const std::string& devices) {
  ucp_config_t* config = nullptr;
  ucs_status_t status = ucp_config_read(nullptr, nullptr, &config);
  if (status != UCS_OK) return std::string("UCX reads no settings: ") + ucs_status_string(status);
  const bool is_free = std::getenv("UCX_NET_DEVICES") == nullptr;
  if (is_free && !devices.empty()) ucp_config_modify(config, "NET_DEVICES", devices.c_str());
  ucp_params_t parameters{};
  parameters.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_NAME;
  parameters.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  parameters.name = "ferry";
  status = ucp_init(&parameters, config, &context_);
  ucp_config_release(config);
  if (status != UCS_OK) return std::string("UCX does not start: ") + ucs_status_string(status);
  ucp_worker_params_t worker{};
  worker.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  worker.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  status = ucp_worker_create(context_, &worker, &worker_);
  if (status != UCS_OK) return std::string("UCX makes no worker: ") + ucs_status_string(status);
  ucp_address_t* address = nullptr;
  size_t size = 0;
  status = ucp_worker_get_address(worker_, &address, &size);
  if (status != UCS_OK) return std::string("UCX has no address: ") + ucs_status_string(status);
  const auto* const bytes = reinterpret_cast<const uint8_t*>(address);
  address_.assign(bytes, bytes + size);
  ucp_worker_release_address(worker_, address);
  if (size > kMostUcxAddress) return "the address of UCX is too long: set UCX_NET_DEVICES";
  status = ucp_worker_get_efd(worker_, &event_file_);
  if (status != UCS_OK) return std::string("UCX cannot wait: ") + ucs_status_string(status);
  wake_file_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_file_ < 0) return "the system gives no descriptor";
  return set_handlers() ? "" : "UCX takes no handler of messages";
}

// ---- peers ----

std::string Engine::add(const std::shared_ptr<Peer>& peer, const Bytes& ucx_address) {
  ucp_ep_params_t parameters{};
  parameters.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                          UCP_EP_PARAM_FIELD_ERR_HANDLER;
  parameters.address = reinterpret_cast<const ucp_address_t*>(ucx_address.data());
  parameters.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  parameters.err_handler = {.cb = endpoint_failed, .arg = peer.get()};
  peer->heard.store(now());
  const Lock lock(mutex_);
  if (is_closed_) return "the process is ending";
  const ucs_status_t status = ucp_ep_create(worker_, &parameters, &peer->endpoint);
  if (status != UCS_OK) return std::string("UCX cannot reach it: ") + ucs_status_string(status);
  peers_[peer->token] = peer;
  wake();
  return "";
}

std::shared_ptr<Peer> Engine::find_peer(const Token& token) const {
  const auto found = peers_.find(token);
  return found == peers_.end() ? nullptr : found->second;
}

void Engine::lose(const std::shared_ptr<Peer>& peer, const std::string& why) {
  Lock lock(mutex_);
  lose_locked(peer, why);
  unlock_and_tell(lock);
}

void Engine::lose_locked(const std::shared_ptr<Peer>& peer, const std::string& why) {
  if (peer->is_lost || is_closed_) return;
  peer->is_lost = true;
  peer->loss = why;
  peers_.erase(peer->token);
  ++counts_.lost;
  for (auto& [number, lent] : peer->lent) {
    lent->is_open = false;
    bury(std::move(lent));
  }
  peer->lent.clear();
  const std::string text = peer->name + " is lost: " + why;
  services_.log(3, ("fabric: " + text).c_str());
  while (!peer->waiting.empty()) {
    Chunk& chunk = *peer->waiting.front();
    peer->waiting.pop_front();
    fail(chunk, FERRYX_FABRIC_LOST, text);
  }
  std::vector<Chunk*> sent;
  for (const auto& [request, chunk] : peer->sent)
    sent.push_back(chunk);
  for (Chunk* const chunk : sent)
    fail(*chunk, FERRYX_FABRIC_LOST, text);
  for (const auto& [request, call] : peer->calls)
    answered_.push_back({.call = call, .code = FERRYX_FABRIC_LOST, .text = text});
  peer->calls.clear();
  closing_[peer.get()] = peer;
  close_endpoint(*peer);
}

void Engine::lose_later(const Peer& peer, const std::string& why) {
  if (std::shared_ptr<Peer> found = find_peer(peer.token)) {
    to_lose_.emplace_back(std::move(found), why);
  }
}

void Engine::endpoint_failed(void* argument, ucp_ep_h /*endpoint*/, ucs_status_t status) {
  const auto& peer = *static_cast<const Peer*>(argument);
  peer.engine.lose_later(peer, ucs_status_string(status));
}

// By force: UCX ends all requests of the endpoint with an error, and tells the peer nothing.
void Engine::close_endpoint(Peer& peer) {
  ucp_request_param_t parameters{};
  parameters.op_attr_mask =
      UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.flags = UCP_EP_CLOSE_FLAG_FORCE;
  parameters.cb.send = endpoint_closed;
  parameters.user_data = &peer;
  const ucs_status_ptr_t closing = ucp_ep_close_nbx(peer.endpoint, &parameters);
  if (!UCS_PTR_IS_PTR(closing)) drop_chunks(peer);
}

void Engine::endpoint_closed(void* request, ucs_status_t /*status*/, void* argument) {
  ucp_request_free(request);
  auto& peer = *static_cast<Peer*>(argument);
  peer.engine.drop_chunks(peer);
}

// The endpoint is closed. A request that UCX still names is over all the same: it keeps only its
// own bytes alive, since no message can arrive for it any more.
void Engine::drop_chunks(Peer& peer) {
  for (const auto& [request, chunk] : peer.sent) {
    services_.log(4, "fabric: UCX has kept a request of a peer that is lost");
    end_transfer_part(*chunk->transfer);
    chunk->transfer = nullptr;
  }
  peer.sent.clear();
  closed_.push_back(std::move(closing_[&peer]));  // not inside a call of UCX
  closing_.erase(&peer);
}

bool Engine::lend(const std::shared_ptr<Peer>& peer, uint64_t segment, std::shared_ptr<Lent> lent) {
  Lock lock(mutex_);
  const bool is_open = !peer->is_lost && !is_closed_;
  lent->is_open = is_open;
  if (is_open) {
    peer->lent[segment] = std::move(lent);
  } else {
    bury(std::move(lent));
  }
  unlock_and_tell(lock);
  return is_open;
}

void Engine::end_loan(const std::shared_ptr<Peer>& peer, uint64_t segment) {
  Lock lock(mutex_);
  const auto found = peer->lent.find(segment);
  if (found == peer->lent.end()) return;
  found->second->is_open = false;
  bury(std::move(found->second));
  peer->lent.erase(found);
  unlock_and_tell(lock);
}

std::string Engine::loss_of(const Peer& peer) const {
  const Lock lock(mutex_);
  return peer.loss;
}

void Engine::note_opening(Peer& peer, int change) {
  const Lock lock(mutex_);
  peer.openings += static_cast<uint64_t>(static_cast<int64_t>(change));
}

// While the peer has it open this is not the last reference.
void Engine::bury(std::shared_ptr<Lent> lent) {
  if (lent != nullptr && !lent->is_open) buried_.push_back(std::move(lent));
}

// ---- jobs ----

void Engine::add_job(std::function<void()> job) {
  const std::lock_guard lock(jobs_mutex_);
  jobs_.push_back(std::move(job));
  jobs_changed_.notify_one();
}

void Engine::run_jobs() {
  for (;;) {
    std::unique_lock lock(jobs_mutex_);
    jobs_changed_.wait(lock, [this] { return !jobs_.empty(); });
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
  }
}

void Engine::close() {
  const Lock lock(mutex_);
  is_closed_ = true;
}

}  // namespace ferry::fabric
