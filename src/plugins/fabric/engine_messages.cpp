// SPDX-License-Identifier: Apache-2.0
// Sending and receiving active messages, and the owner's side: every size and offset that comes
// from a peer is checked before memory is touched.
#include "plugins/fabric/engine_parts.h"

#include <cstring>
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
  if (!made->buffer.is_empty()) data = made->buffer.data();
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
  buffers_.give(std::move(send.buffer));
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
         set_handler<Message::kDone>() && set_handler<Message::kSignal>() &&
         set_handler<Message::kCall>() && set_handler<Message::kReply>();
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
    case Message::kCall:
      take_call(arrival);
      break;
    case Message::kReply:
      take_reply(arrival);
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
  const View bytes(receive.buffer.data(), receive.buffer.size());
  if (receive.message == Message::kGetPacked) {
    gather(receive.peer, receive.header, bytes);
  } else {
    const bool is_packed = receive.message == Message::kPutPacked;
    send_done(receive.peer, receive.header.request,
              is_packed ? scatter(*receive.peer, receive.header, bytes) : Outcome::kGood);
  }
  buffers_.give(std::move(receive.buffer));
}

// ---- the owner ----

const std::shared_ptr<Lent>* Engine::find_lent(const Peer& peer, uint64_t segment, uint64_t offset,
                                               uint64_t size, Outcome& outcome) {
  const auto found = peer.lent.find(segment);
  outcome = Outcome::kUnknownSegment;
  if (found == peer.lent.end() || found->second->memory == nullptr) return nullptr;
  outcome = Outcome::kOutOfRange;
  if (!found->second->holds(offset, size)) return nullptr;
  outcome = Outcome::kGood;
  return &found->second;
}

// Where the bytes of parts are in memory: all of them, or the outcome says why not.
Outcome Engine::find_places(const Peer& peer, const std::vector<Part>& parts,
                            std::vector<uint8_t*>& places) {
  places.reserve(parts.size());
  const Lent* lent = nullptr;
  uint64_t segment = 0;
  for (const Part& part : parts) {
    const bool is_as_before =
        lent != nullptr && part.segment == segment && lent->holds(part.offset, part.size);
    if (!is_as_before) {
      Outcome outcome{};
      const auto* const found = find_lent(peer, part.segment, part.offset, part.size, outcome);
      if (found == nullptr) return outcome;
      lent = found->get();
      segment = part.segment;
    }
    places.push_back(lent->memory + part.offset);
  }
  return Outcome::kGood;
}

ucs_status_t Engine::take_put(Arrival& arrival) {
  const MessageHeader& header = arrival.header;
  Outcome outcome{};
  const auto* const found =
      find_lent(*arrival.peer, header.segment, header.offset, header.size, outcome);
  if (found != nullptr && arrival.size != header.size) outcome = Outcome::kMalformed;
  if (outcome == Outcome::kGood) {
    uint8_t* const to = (*found)->memory + header.offset;
    if (arrival.is_rendezvous) {
      return receive(arrival, to,
                     std::make_unique<Receive>(Receive{
                         .engine = *this, .peer = arrival.peer, .header = header, .kept = *found}));
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
  const Outcome outcome = find_places(peer, parts, places);
  if (outcome != Outcome::kGood) return outcome;
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
  const auto* const found =
      find_lent(*arrival.peer, header.segment, header.offset, header.size, outcome);
  if (found == nullptr || header.size == 0) {
    return send_done(arrival.peer, header.request,
                     found == nullptr ? outcome : Outcome::kMalformed);
  }
  send(arrival.peer, Message::kData, {.token = header.token, .request = header.request},
       (*found)->memory + header.offset, header.size, {.kept = *found});
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
  made->buffer = buffers_.take(arrival.size);
  uint8_t* const to = made->buffer.data();
  return receive(arrival, to, std::move(made));
}

// All parts are checked before the answer is sent.
void Engine::gather(const std::shared_ptr<Peer>& peer, const MessageHeader& header, View list) {
  const std::vector<Part> parts = parse_parts(header, list);
  if (parts.empty()) return send_done(peer, header.request, Outcome::kMalformed);
  std::vector<uint8_t*> places;
  const Outcome outcome = find_places(*peer, parts, places);
  if (outcome != Outcome::kGood) return send_done(peer, header.request, outcome);
  Buffer gathered = buffers_.take(header.size);
  uint8_t* to = gathered.data();
  for (size_t i = 0; i < parts.size(); ++i) {
    std::memcpy(to, places[i], parts[i].size);
    to += parts[i].size;
  }
  send(peer, Message::kData, {.token = header.token, .request = header.request}, nullptr,
       header.size, {.buffer = std::move(gathered)});
}

void Engine::take_fill(const Arrival& arrival) {
  const MessageHeader& header = arrival.header;
  Outcome outcome{};
  const auto* const lent =
      find_lent(*arrival.peer, header.segment, header.offset, header.size, outcome);
  const bool is_sound =
      header.width == 1 || (header.width == 4 && header.size % 4 == 0 && header.offset % 4 == 0);
  if (lent != nullptr && !is_sound) outcome = Outcome::kMalformed;
  if (outcome == Outcome::kGood) {
    uint8_t* const to = (*lent)->memory + header.offset;
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

}  // namespace ferry::fabric
