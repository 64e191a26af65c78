// SPDX-License-Identifier: Apache-2.0
// The visiting thread: connecting, proving the secret to the owner, and asking for an object.
#include "plugins/fabric/control.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ferry::fabric {

std::string Control::visit(const ferryx_fabric_place& place, const ferryx_fabric_request& request,
                           OpenedFrame& opened, std::shared_ptr<Peer>& peer) {
  const int64_t deadline = now() + timeout_;
  LineRef line = find(place);
  std::string why;
  const bool is_new = line == nullptr;
  if (is_new) line = connect(place, deadline, why);
  if (line == nullptr) return why;
  const uint64_t number = line->expect();
  const OpenFrame frame{.id = number,
                        .name_high = request.name_high,
                        .name_low = request.name_low,
                        .kind = request.kind,
                        .process = request.process,
                        .device = request.device};
  line->send(Frame::kOpen, write_open(frame));
  if (!line->await(number, deadline, opened, why)) return why;
  peer = line->peer();
  return is_new ? engine_.connect(peer, deadline) : "";
}

Control::LineRef Control::find(const ferryx_fabric_place& place) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const LineRef& line) {
    return line->is_open() && line->place().port == place.port &&
           std::equal(place.address, place.address + 16, line->place().address) &&
           !line->has_ended() && engine_.loss_of(*line->peer()).empty();
  });
  return found == lines_.end() ? nullptr : *found;
}

Control::LineRef Control::connect(const ferryx_fabric_place& place, int64_t deadline,
                                  std::string& why) {
  Socket socket = connect_to(place, deadline);
  if (!socket) {
    why = std::string("no connection: ") + std::strerror(errno);
    return nullptr;
  }
  auto line = std::make_shared<Line>(std::move(socket), place, Line::Stage::kReady);
  why = shake_hands(*line, deadline);
  if (!why.empty()) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) {
      why = "the process is ending";
      return nullptr;
    }
    lines_.push_back(line);
  }
  wake();
  return line;
}

std::string Control::shake_hands(Line& line, int64_t deadline) {
  const auto receive = [&](Frame expected, size_t most) -> std::string {
    switch (read_frame(line.socket(), line.reader(), most, deadline)) {
      case FrameReader::State::kFrame:
        if (line.reader().header().type == expected) return "";
        return "it answers with what is no frame of Ferry";
      case FrameReader::State::kNothing:
        return "it does not answer; it may be stopped";
      case FrameReader::State::kBad:
        if (line.reader().fault() == HeaderFault::kOtherVersion) {
          return "it speaks another version of the protocol: all hosts need the same version of "
                 "Ferry";
        }
        return "it answers with what is no frame of Ferry";
      default:
        return "it refuses the connection; its log says why (FERRY_LOG), usually because its "
               "secret differs";
    }
  };
  const auto send = [&](Frame type, View payload) {
    return write_all(line.socket(), make_frame(type, payload), deadline);
  };
  constexpr const char* kClosed = "it has closed the connection";
  line.visitor_nonce = make_nonce();
  if (!send(Frame::kHello, line.visitor_nonce)) return kClosed;
  if (std::string wrong = receive(Frame::kChallenge, kMostStrangerPayload); !wrong.empty()) {
    return wrong;
  }
  const View nonce = line.reader().payload();
  if (nonce.size() != kNonceSize) return "it answers with what is no frame of Ferry";
  std::copy(nonce.begin(), nonce.end(), line.owner_nonce.begin());
  if (!send(Frame::kProof,
            secret_.prove(Secret::Role::kVisitor, line.visitor_nonce, line.owner_nonce))) {
    return kClosed;
  }
  if (std::string wrong = receive(Frame::kWelcome, kMostPayload); !wrong.empty()) return wrong;
  const auto welcome = parse_welcome(line.reader().payload());
  const bool is_proven =
      welcome.has_value() &&
      secret_.is_proof(welcome->proof, Secret::Role::kOwner, line.visitor_nonce, line.owner_nonce);
  if (!is_proven) return "it does not prove the secret";
  auto peer = std::make_shared<Peer>(engine_, line.name(),
                                     secret_.token(line.visitor_nonce, line.owner_nonce));
  std::string wrong = admit(line);
  if (wrong.empty()) wrong = engine_.add(peer, welcome->ucx_address);
  if (!wrong.empty()) return wrong;
  line.set_peer(peer);
  line.set_stage(Line::Stage::kOpen);
  if (send(Frame::kReady, engine_.address())) return "";
  engine_.lose(peer, kClosed);
  return kClosed;
}

void Control::let_go(const std::shared_ptr<Peer>& peer, uint64_t segment) {
  LineRef line;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const LineRef& candidate) {
      return candidate->is_open() && candidate->peer() == peer;
    });
    if (found == lines_.end()) return;
    line = *found;
  }
  line->send(Frame::kLetGo, write_number(segment));
}

}  // namespace ferry::fabric
