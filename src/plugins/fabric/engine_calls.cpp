// SPDX-License-Identifier: Apache-2.0
// Questions to objects that are no memory, and their answers: a few bytes that only the library
// understands.
#include "plugins/fabric/engine_parts.h"

#include <utility>

namespace ferry::fabric {
namespace {

// Of one peer. Each may be answered late, and takes memory until then.
constexpr uint64_t kMostQuestions = 65536;

}  // namespace

void Engine::take_call(const Arrival& arrival) {
  Peer& peer = *arrival.peer;
  const auto found = peer.lent.find(arrival.header.segment);
  const bool is_object = found != peer.lent.end() && found->second->memory == nullptr;
  if (!is_object || arrival.is_rendezvous || arrival.size > kMostQuestion) {
    return send_bytes(arrival.peer, Message::kReply,
                      {.token = peer.token,
                       .request = arrival.header.request,
                       .value = static_cast<uint32_t>(Outcome::kMalformed)},
                      {});
  }
  if (++peer.questions > kMostQuestions) return lose_later(peer, "it asks too much");
  const View question = arrival.view();
  called_.push_back({.object = found->second,
                     .call = std::make_unique<ferryx_fabric_call>(
                         ferryx_fabric_call{arrival.peer, arrival.header.request}),
                     .question = Bytes(question.begin(), question.end())});
}

void Engine::reply(const ferryx_fabric_call& call, View answer) {
  Lock lock(mutex_);
  const std::shared_ptr<Peer> peer = call.peer.lock();
  if (peer == nullptr || peer->is_lost || is_closed_) return;
  --peer->questions;
  send_bytes(peer, Message::kReply, {.token = peer->token, .request = call.request}, answer);
  unlock_and_tell(lock);
}

void Engine::take_reply(const Arrival& arrival) {
  const auto found = arrival.peer->calls.find(arrival.header.request);
  if (found == arrival.peer->calls.end()) return;
  Answered told{.call = found->second};
  arrival.peer->calls.erase(found);
  const auto outcome = static_cast<Outcome>(arrival.header.value);
  if (outcome != Outcome::kGood || arrival.is_rendezvous || arrival.size > kMostQuestion) {
    told.code = FERRYX_FABRIC_REFUSED;
    told.text = arrival.peer->name + " refuses: " + in_words(outcome);
  } else {
    const View answer = arrival.view();
    told.answer.assign(answer.begin(), answer.end());
  }
  answered_.push_back(std::move(told));
}

}  // namespace ferry::fabric
