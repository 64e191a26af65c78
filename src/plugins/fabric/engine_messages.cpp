// SPDX-License-Identifier: Apache-2.0
// Sending and receiving active messages, and the owner's side: every size and offset that comes
// from a peer is checked before memory is touched.
#include "plugins/fabric/engine_parts.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

namespace ferry::fabric {

// ---- sending ----

void Engine::send(const std::shared_ptr<Peer>& peer, Message message, const MessageHeader& header,
                  const void* data, size_t size, Attached attached) {
  auto made = std::unique_ptr<Send>(new Send{.engine = *this,
                                             .peer = peer,
                                             .header = write_message_header(header),
                                             .chunk = attached.chunk,
                                             .kept = std::move(attached.kept),
                                             .buffer = std::move(attached.buffer)});
  if (!made->buffer.empty()) data = made->buffer.data();
  if (made->chunk != nullptr) ++made->chunk->in_ucx;
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.cb.send = sent;
  parameters.user_data = made.get();
  const ucs_status_ptr_t request =
      ucp_am_send_nbx(peer->endpoint, static_cast<unsigned>(message), made->header.data(),
                      made->header.size(), data, size, &parameters);
  if (UCS_PTR_IS_PTR(request)) {
    static_cast<void>(made.release());  // until `sent`
    return;
  }
  end_send(*made, UCS_PTR_STATUS(request));
}

void Engine::sent(void* request, ucs_status_t status, void* argument) {
  ucp_request_free(request);
  const std::unique_ptr<Send> own(static_cast<Send*>(argument));
  own->engine.end_send(*own, status);
}

void Engine::end_send(Send& send, ucs_status_t status) {
  bury(std::move(send.kept));
  if (status != UCS_OK) lose_later(*send.peer, ucs_status_string(status));
  if (send.chunk == nullptr) return;
  --send.chunk->in_ucx;
  finish_if_over(*send.chunk);
}

void Engine::send_done(const std::shared_ptr<Peer>& peer, uint64_t request, Outcome outcome) {
  send(peer, Message::kDone,
       {.token = peer->token, .request = request, .value = static_cast<uint32_t>(outcome)}, nullptr,
       0, {});
}

// ---- receiving ----

template <Message kMessage>
bool Engine::set_handler() {
  ucp_am_handler_param_t parameters{};
  parameters.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                          UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  parameters.id = static_cast<unsigned>(kMessage);
  parameters.flags = UCP_AM_FLAG_WHOLE_MSG;
  parameters.cb = arrived<kMessage>;
  parameters.arg = this;
  return ucp_worker_set_am_recv_handler(worker_, &parameters) == UCS_OK;
}

bool Engine::set_handlers() {
  return set_handler<Message::kPut>() && set_handler<Message::kGet>() &&
         set_handler<Message::kPutPacked>() && set_handler<Message::kGetPacked>() &&
         set_handler<Message::kFill>() && set_handler<Message::kData>() &&
         set_handler<Message::kDone>() && set_handler<Message::kSignal>();
}

// Messages of strangers, and of peers that are lost, are dropped.
template <Message kMessage>
ucs_status_t Engine::arrived(void* argument, const void* header, size_t header_size, void* data,
                             size_t size, const ucp_am_recv_param_t* parameters) {
  Engine& engine = *static_cast<Engine*>(argument);
  const std::optional<MessageHeader> parsed =
      parse_message_header({static_cast<const uint8_t*>(header), header_size});
  if (!parsed.has_value()) return UCS_OK;
  Arrival arrival{.peer = engine.find_peer(parsed->token),
                  .header = *parsed,
                  .data = data,
                  .size = size,
                  .is_rendezvous = (parameters->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0};
  if (arrival.peer == nullptr) return UCS_OK;
  arrival.peer->heard.store(now(), std::memory_order_relaxed);
  return engine.take(kMessage, arrival);
}

ucs_status_t Engine::take(Message message, Arrival& arrival) {
  switch (message) {
    case Message::kPut:
      return take_put(arrival);
    case Message::kPutPacked:
      return take_put_packed(arrival);
    case Message::kData:
      return take_data(arrival);
    case Message::kGet:
      take_get(arrival);
      break;
    case Message::kGetPacked:
      return take_get_packed(arrival);
    case Message::kFill:
      take_fill(arrival);
      break;
    case Message::kDone:
      take_done(arrival);
      break;
    case Message::kSignal:
      take_signal(arrival);
      break;
  }
  return UCS_OK;
}

ucs_status_t Engine::receive(Arrival& arrival, void* to, std::unique_ptr<Receive> receive) {
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.cb.recv_am = received;
  parameters.user_data = receive.get();
  const ucs_status_ptr_t request =
      ucp_am_recv_data_nbx(worker_, arrival.data, to, arrival.size, &parameters);
  if (UCS_PTR_IS_PTR(request)) {
    static_cast<void>(receive.release());  // until `received`
    return UCS_INPROGRESS;
  }
  end_receive(*receive, UCS_PTR_STATUS(request) == UCS_OK);
  return UCS_INPROGRESS;  // the descriptor belongs to the request that has ended
}

void Engine::received(void* request, ucs_status_t status, size_t /*size*/, void* argument) {
  ucp_request_free(request);
  const std::unique_ptr<Receive> own(static_cast<Receive*>(argument));
  own->engine.end_receive(*own, status == UCS_OK);
}

void Engine::end_receive(Receive& receive, bool is_good) {
  bury(std::move(receive.kept));
  if (!is_good) lose_later(*receive.peer, "a transfer has broken off");
  if (receive.chunk != nullptr) {
    --receive.chunk->in_ucx;
    if (is_good) return take_bytes(*receive.chunk);
    return finish_if_over(*receive.chunk);
  }
  if (!is_good || receive.peer->is_lost) return;
  if (receive.message == Message::kGetPacked) {
    return gather(receive.peer, receive.header, receive.buffer);
  }
  const bool is_packed = receive.message == Message::kPutPacked;
  send_done(receive.peer, receive.header.request,
            is_packed ? scatter(*receive.peer, receive.header, receive.buffer) : Outcome::kGood);
}

// ---- the owner ----

std::shared_ptr<Lent> Engine::find_lent(const Peer& peer, uint64_t segment, uint64_t offset,
                                        uint64_t size, Outcome& outcome) {
  const auto found = peer.lent.find(segment);
  outcome = Outcome::kUnknownSegment;
  if (found == peer.lent.end() || found->second->memory == nullptr) return nullptr;
  outcome = Outcome::kOutOfRange;
  if (!found->second->holds(offset, size)) return nullptr;
  outcome = Outcome::kGood;
  return found->second;
}

ucs_status_t Engine::take_put(Arrival& arrival) {
  const MessageHeader& header = arrival.header;
  Outcome outcome{};
  std::shared_ptr<Lent> lent =
      find_lent(*arrival.peer, header.segment, header.offset, header.size, outcome);
  if (lent != nullptr && arrival.size != header.size) outcome = Outcome::kMalformed;
  if (outcome == Outcome::kGood) {
    uint8_t* const to = lent->memory + header.offset;
    if (arrival.is_rendezvous) {
      return receive(
          arrival, to,
          std::make_unique<Receive>(Receive{
              .engine = *this, .peer = arrival.peer, .header = header, .kept = std::move(lent)}));
    }
    std::memcpy(to, arrival.data, arrival.size);
  }
  send_done(arrival.peer, header.request, outcome);
  return UCS_OK;
}

ucs_status_t Engine::take_put_packed(Arrival& arrival) {
  const MessageHeader& header = arrival.header;
  const bool is_right_size = header.value <= kMostParts && header.size <= kMostPackedBytes &&
                             arrival.size == header.value * kPartSize + header.size;
  if (!is_right_size) {
    send_done(arrival.peer, header.request, Outcome::kMalformed);
    return UCS_OK;
  }
  if (arrival.is_rendezvous) return receive_packed(arrival, Message::kPutPacked);
  send_done(arrival.peer, header.request, scatter(*arrival.peer, header, arrival.view()));
  return UCS_OK;
}

// All parts are checked before the first byte is written.
Outcome Engine::scatter(Peer& peer, const MessageHeader& header, View data) {
  const std::vector<Part> parts = parse_parts(header, data);
  if (parts.empty() || data.size() != parts.size() * kPartSize + header.size) {
    return Outcome::kMalformed;
  }
  std::vector<uint8_t*> places;
  places.reserve(parts.size());
  for (const Part& part : parts) {
    Outcome outcome{};
    const auto lent = find_lent(peer, part.segment, part.offset, part.size, outcome);
    if (lent == nullptr) return outcome;
    places.push_back(lent->memory + part.offset);
  }
  const uint8_t* from = data.data() + parts.size() * kPartSize;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::memcpy(places[i], from, parts[i].size);
    from += parts[i].size;
  }
  return Outcome::kGood;
}

void Engine::take_get(const Arrival& arrival) {
  const MessageHeader& header = arrival.header;
  Outcome outcome{};
  std::shared_ptr<Lent> lent =
      find_lent(*arrival.peer, header.segment, header.offset, header.size, outcome);
  if (lent == nullptr || header.size == 0) {
    return send_done(arrival.peer, header.request, lent == nullptr ? outcome : Outcome::kMalformed);
  }
  const uint8_t* const from = lent->memory + header.offset;
  send(arrival.peer, Message::kData, {.token = header.token, .request = header.request}, from,
       header.size, {.kept = std::move(lent)});
}

ucs_status_t Engine::take_get_packed(Arrival& arrival) {
  const MessageHeader& header = arrival.header;
  if (header.value > kMostParts || arrival.size != header.value * kPartSize) {
    send_done(arrival.peer, header.request, Outcome::kMalformed);
    return UCS_OK;
  }
  if (arrival.is_rendezvous) return receive_packed(arrival, Message::kGetPacked);
  gather(arrival.peer, header, arrival.view());
  return UCS_OK;
}

ucs_status_t Engine::receive_packed(Arrival& arrival, Message message) {
  auto made = std::make_unique<Receive>(
      Receive{.engine = *this, .peer = arrival.peer, .header = arrival.header, .message = message});
  made->buffer.resize(arrival.size);
  uint8_t* const to = made->buffer.data();
  return receive(arrival, to, std::move(made));
}

// All parts are checked before the answer is sent.
void Engine::gather(const std::shared_ptr<Peer>& peer, const MessageHeader& header, View list) {
  const std::vector<Part> parts = parse_parts(header, list);
  if (parts.empty()) return send_done(peer, header.request, Outcome::kMalformed);
  Bytes gathered(header.size);
  uint8_t* to = gathered.data();
  for (const Part& part : parts) {
    Outcome outcome{};
    const auto lent = find_lent(*peer, part.segment, part.offset, part.size, outcome);
    if (lent == nullptr) return send_done(peer, header.request, outcome);
    std::memcpy(to, lent->memory + part.offset, part.size);
    to += part.size;
  }
  send(peer, Message::kData, {.token = header.token, .request = header.request}, nullptr,
       header.size, {.buffer = std::move(gathered)});
}

void Engine::take_fill(const Arrival& arrival) {
  const MessageHeader& header = arrival.header;
  Outcome outcome{};
  const auto lent = find_lent(*arrival.peer, header.segment, header.offset, header.size, outcome);
  const bool is_sound =
      header.width == 1 || (header.width == 4 && header.size % 4 == 0 && header.offset % 4 == 0);
  if (lent != nullptr && !is_sound) outcome = Outcome::kMalformed;
  if (outcome == Outcome::kGood) {
    uint8_t* const to = lent->memory + header.offset;
    if (header.width == 1) {
      std::memset(to, static_cast<int>(header.value & 0xff), header.size);
    } else {
      for (uint64_t i = 0; i < header.size; i += sizeof header.value)
        std::memcpy(to + i, &header.value, sizeof header.value);
    }
  }
  send_done(arrival.peer, header.request, outcome);
}

void Engine::take_signal(const Arrival& arrival) {
  const auto found = arrival.peer->lent.find(arrival.header.segment);
  if (found != arrival.peer->lent.end() && found->second->memory == nullptr) {
    signalled_.push_back(found->second);
  }
}

// ---- what is told ----

// UCX 1.13 tells only what a person is to read: lines such as "lane[0]: 1:tcp/eth0.0 md[1] ...".
std::string Engine::transports_of(const Peer& peer) const {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* const file = is_closed_ ? nullptr : open_memstream(&text, &size);
  if (file == nullptr) return "unknown transport";
  ucp_ep_print_info(peer.endpoint, file);
  std::fclose(file);
  const std::unique_ptr<char, void (*)(void*)> own(text, std::free);
  std::istringstream words(std::string(text, size));
  std::string found;
  for (std::string word; words >> word;) {
    if (!word.starts_with("lane[") || !(words >> word)) continue;
    const std::string name = word.substr(word.find(':') + 1);
    if (found.find(name) == std::string::npos) found += (found.empty() ? "" : " ") + name;
  }
  return found.empty() ? "unknown transport" : found;
}

}  // namespace ferry::fabric
