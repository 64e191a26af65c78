// SPDX-License-Identifier: Apache-2.0
// The visitor's side: requests, their window, and their answers.
#include "plugins/fabric/engine_parts.h"
#include "plugins/fabric/requests.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ferry::fabric {
namespace {

bool is_put(Message message) {
  return message == Message::kPut || message == Message::kPutPacked;
}

size_t list_size(const Chunk& chunk) {
  return chunk.parts.size() * kPartSize;
}

// Copies between blocks and bytes in a row. False when memory of the program is inaccessible.
bool move(const ferryx_fabric_services& services, const LocalPart& part, uint8_t* in_a_row,
          bool gathers) {
  void* const to = gathers ? in_a_row : part.local;
  const void* const from = gathers ? part.local : in_a_row;
  if (part.is_unsure) return services.move_bytes(to, from, part.size) == nullptr;
  std::memcpy(to, from, part.size);
  return true;
}

bool move_all(const ferryx_fabric_services& services, const Chunk& chunk, uint8_t* in_a_row,
              bool gathers) {
  if (chunk.locals.empty()) return move(services, chunk.local, in_a_row, gathers);
  for (const LocalPart& part : chunk.locals) {
    if (!move(services, part, in_a_row, gathers)) return false;
    in_a_row += part.size;
  }
  return true;
}

bool is_staged(const Chunk& chunk) {
  return chunk.local.is_unsure || !chunk.locals.empty();
}

}  // namespace

void Engine::transfer(uint32_t direction, const ferryx_fabric_piece* pieces, size_t count,
                      ferryx_fabric_done done, void* argument) {
  auto made = std::make_unique<Transfer>();
  made->done = done;
  made->argument = argument;
  std::vector<std::unique_ptr<Chunk>> chunks =
      cut(static_cast<ferryx_fabric_direction>(direction), pieces, count);
  Lock lock(mutex_);
  start_transfer(std::move(made), std::move(chunks));
  unlock_and_tell(lock);
}

void Engine::fill(const ferryx_fabric_opening& opening, const ferryx_fabric_filling& filling,
                  ferryx_fabric_done done, void* argument) {
  fill(opening, filling, 1, done, argument);
}

void Engine::fill(const ferryx_fabric_opening& opening, const ferryx_fabric_filling& filling,
                  size_t times, ferryx_fabric_done done, void* argument) {
  auto made = std::make_unique<Transfer>();
  made->done = done;
  made->argument = argument;
  std::vector<std::unique_ptr<Chunk>> chunks(times);
  for (std::unique_ptr<Chunk>& chunk : chunks) {
    chunk = std::make_unique<Chunk>();
    chunk->peer = opening.peer;
    chunk->message = Message::kFill;
    chunk->segment = opening.segment;
    chunk->offset = filling.offset;
    chunk->size = filling.size;
    chunk->value = filling.value;
    chunk->width = filling.width;
  }
  Lock lock(mutex_);
  start_transfer(std::move(made), std::move(chunks));
  unlock_and_tell(lock);
}

// The transfer itself counts as one chunk until all are queued, so that it does not end before.
void Engine::start_transfer(std::unique_ptr<Transfer> transfer,
                            std::vector<std::unique_ptr<Chunk>> chunks) {
  Transfer* const started = transfer.release();
  started->chunks_left = chunks.size() + 1;
  last_news_.store(now(), std::memory_order_relaxed);
  for (std::unique_ptr<Chunk>& made : chunks) {
    Chunk* const chunk = made.release();
    chunk->transfer = started;
    const std::shared_ptr<Peer> kept = chunk->peer;  // the chunk may be over soon
    Peer& peer = *kept;
    if (peer.is_lost || is_closed_) {
      fail(*chunk, FERRYX_FABRIC_LOST,
           is_closed_ ? "the process is ending" : peer.name + " is lost: " + peer.loss);
      continue;
    }
    peer.waiting.push_back(chunk);
    if (peer.sent.size() >= kWindow) ++counts_.retries;
    pump(peer);
    // So that the first bytes travel while the next are packed.
    if (chunks.size() > 1) ucp_worker_progress(worker_);
  }
  end_transfer_part(*started);
}

bool Engine::signal(const ferryx_fabric_opening& opening) {
  Lock lock(mutex_);
  if (opening.peer->is_lost || is_closed_) return false;
  ++counts_.signals;
  last_news_.store(now(), std::memory_order_relaxed);
  send(opening.peer, Message::kSignal, {.token = opening.peer->token, .segment = opening.segment},
       nullptr, 0, {});
  unlock_and_tell(lock);
  return true;
}

void Engine::call(const ferryx_fabric_opening& opening, View question,
                  ferryx_fabric_answered answered, void* argument) {
  Lock lock(mutex_);
  Peer& peer = *opening.peer;
  const PendingCall pending{.answered = answered, .argument = argument};
  if (peer.is_lost || is_closed_) {
    answered_.push_back(
        {.call = pending,
         .code = FERRYX_FABRIC_LOST,
         .text = is_closed_ ? "the process is ending" : peer.name + " is lost: " + peer.loss});
  } else {
    last_news_.store(now(), std::memory_order_relaxed);
    const uint64_t request = ++peer.last_request;
    peer.calls[request] = pending;
    send_bytes(opening.peer, Message::kCall,
               {.token = peer.token, .request = request, .segment = opening.segment}, question);
  }
  unlock_and_tell(lock);
}

// A few bytes, which are copied: the caller's are gone soon.
void Engine::send_bytes(const std::shared_ptr<Peer>& peer, Message message,
                        const MessageHeader& header, View bytes) {
  Buffer copy(bytes.size(), bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.data());
  send(peer, message, header, nullptr, bytes.size(), {.buffer = std::move(copy)});
}

void Engine::pump(Peer& peer) {
  while (!peer.is_lost && !peer.waiting.empty() && peer.sent.size() < kWindow) {
    Chunk& chunk = *peer.waiting.front();
    peer.waiting.pop_front();
    chunk.request = ++peer.last_request;
    peer.sent[chunk.request] = &chunk;
    start_chunk(chunk);
  }
}

void Engine::start_chunk(Chunk& chunk) {
  if (!stage(chunk)) {
    return fail(chunk, FERRYX_FABRIC_INACCESSIBLE, "memory of this process cannot be read");
  }
  const bool is_packed = !chunk.parts.empty();
  const bool is_probe = chunk.message == Message::kFill && chunk.size == 0;
  if (!is_probe) ++counts_.operations;
  if (is_packed) ++counts_.packed;
  const MessageHeader header{
      .token = chunk.peer->token,
      .request = chunk.request,
      .segment = chunk.segment,
      .offset = chunk.offset,
      .size = chunk.size,
      .value = is_packed ? static_cast<uint32_t>(chunk.parts.size()) : chunk.value,
      .width = chunk.width};
  const bool sends_staged = is_packed || (is_put(chunk.message) && is_staged(chunk));
  const void* const data = sends_staged ? chunk.staged.data() : chunk.local.local;
  size_t size = 0;
  if (sends_staged) {
    size = chunk.message == Message::kGetPacked ? list_size(chunk) : chunk.staged.size();
  } else if (chunk.message == Message::kPut) {
    size = chunk.size;
  }
  send(chunk.peer, chunk.message, header, size == 0 ? nullptr : data, size, {.chunk = &chunk});
}

// Makes the bytes of a packed request, or copies memory that may be inaccessible.
bool Engine::stage(Chunk& chunk) {
  if (chunk.message == Message::kFill || !is_staged(chunk)) return true;
  chunk.staged = buffers_.take(list_size(chunk) + chunk.size);
  uint8_t* list = chunk.staged.data();
  for (const Part& part : chunk.parts) {
    write_part(part, list);
    list += kPartSize;
  }
  counts_.staged += chunk.size;
  return !is_put(chunk.message) || move_all(services_, chunk, list, true);
}

// The bytes of a request have come into its buffer.
bool Engine::unstage(Chunk& chunk) {
  return move_all(services_, chunk, chunk.staged.data() + list_size(chunk), false);
}

void Engine::answer(Chunk& chunk) {
  uint64_t& bytes = is_put(chunk.message) ? counts_.bytes_put : counts_.bytes_got;
  uint64_t& of_peer = is_put(chunk.message) ? chunk.peer->bytes_put : chunk.peer->bytes_got;
  if (chunk.message != Message::kFill) {
    bytes += chunk.size;
    of_peer += chunk.size;
  }
  chunk.is_answered = true;
  finish_if_over(chunk);
}

void Engine::fail(Chunk& chunk, int code, const std::string& text) {
  if (chunk.transfer != nullptr && chunk.transfer->code == 0) {
    chunk.transfer->code = code;
    chunk.transfer->text = text;
  }
  chunk.is_answered = true;
  finish_if_over(chunk);
}

void Engine::finish_if_over(Chunk& chunk) {
  if (!chunk.is_answered || chunk.in_ucx > 0) return;
  const std::unique_ptr<Chunk> own(&chunk);
  const std::shared_ptr<Peer> peer = chunk.peer;
  peer->sent.erase(chunk.request);
  buffers_.give(std::move(chunk.staged));
  if (chunk.transfer != nullptr) end_transfer_part(*chunk.transfer);
  pump(*peer);
}

void Engine::end_transfer_part(Transfer& transfer) {
  if (--transfer.chunks_left == 0) finished_.push_back(&transfer);
}

// ---- answers ----

void Engine::take_done(const Arrival& arrival) {
  const auto found = arrival.peer->sent.find(arrival.header.request);
  if (found == arrival.peer->sent.end()) return;
  Chunk& chunk = *found->second;
  if (chunk.is_answered) return;
  const auto outcome = static_cast<Outcome>(arrival.header.value);
  if (outcome != Outcome::kGood) {
    return fail(chunk, FERRYX_FABRIC_REFUSED,
                arrival.peer->name + " refuses: " + in_words(outcome));
  }
  // A get ends with its bytes.
  if (chunk.message == Message::kGet || chunk.message == Message::kGetPacked) {
    return fail(chunk, FERRYX_FABRIC_REFUSED, arrival.peer->name + " has sent no bytes");
  }
  answer(chunk);
}

ucs_status_t Engine::take_data(Arrival& arrival) {
  const auto found = arrival.peer->sent.find(arrival.header.request);
  if (found == arrival.peer->sent.end()) return UCS_OK;
  Chunk& chunk = *found->second;
  const bool is_get = chunk.message == Message::kGet || chunk.message == Message::kGetPacked;
  if (chunk.is_answered || !is_get) return UCS_OK;
  if (arrival.size != chunk.size) {
    fail(chunk, FERRYX_FABRIC_REFUSED, arrival.peer->name + " has sent another number of bytes");
    return UCS_OK;
  }
  uint8_t* const to = is_staged(chunk) ? chunk.staged.data() + list_size(chunk) : chunk.local.local;
  if (arrival.is_rendezvous) {
    ++chunk.in_ucx;
    return receive(
        arrival, to,
        std::make_unique<Receive>(Receive{
            .engine = *this, .peer = arrival.peer, .header = arrival.header, .chunk = &chunk}));
  }
  std::memcpy(to, arrival.data, arrival.size);
  take_bytes(chunk);
  return UCS_OK;
}

// All bytes of a get have come.
void Engine::take_bytes(Chunk& chunk) {
  if (!chunk.is_answered && is_staged(chunk) && !unstage(chunk)) {
    return fail(chunk, FERRYX_FABRIC_INACCESSIBLE, "memory of this process cannot be written");
  }
  if (chunk.is_answered) return finish_if_over(chunk);
  answer(chunk);
}

}  // namespace ferry::fabric
