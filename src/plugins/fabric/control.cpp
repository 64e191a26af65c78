// SPDX-License-Identifier: Apache-2.0
// The control thread: one poll() over all connections. Nothing here waits for a single peer.
#include "plugins/fabric/control.h"

#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ferry::fabric {
namespace {

// Connections that have not proven the secret yet; more are refused.
constexpr size_t kMostStrangers = 64;
constexpr int64_t kMillisecond = 1'000'000;

constexpr int kWarn = 2;
constexpr int kInfo = 3;

std::string why_ended(FrameReader::State state, HeaderFault fault) {
  if (state != FrameReader::State::kBad) return "it has closed the connection";
  switch (fault) {
    case HeaderFault::kOtherVersion:
      return "it speaks another version of the protocol: all hosts need the same version of Ferry";
    case HeaderFault::kTooLong:
      return "it has sent a frame that is too long";
    default:
      return "it has sent what is no frame of Ferry";
  }
}

}  // namespace

Control::Control(Engine& engine, const ferryx_fabric_services& services, int64_t timeout)
    : engine_(engine), services_(services), timeout_(timeout) {}

std::string Control::start(const ferryx_fabric_settings& settings, ferryx_fabric_place& own) {
  if (std::string wrong = secret_.read(settings.secret_file); !wrong.empty()) {
    return std::string("the secret ") + settings.secret_file + " " + wrong;
  }
  if (!parse_address(settings.address, settings.port, own) || is_any(own)) {
    return std::string("listen=") + settings.address +
           " is no address of this host: allowed is one IPv4 or IPv6 address that other hosts "
           "reach";
  }
  listener_ = listen_at(own);
  if (!listener_) return "no socket can listen at " + in_words(own) + ": " + std::strerror(errno);
  wake_file_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return wake_file_ < 0 ? "the system gives no descriptor" : "";
}

std::string Control::start_engine(const std::string& devices) {
  filter_.begin();
  std::string wrong = engine_.start(devices);
  return wrong.empty() ? filter_.install(engine_.address()) : wrong;
}

std::string Control::admit(const Line& line) {
  StrangerFilter::Host host{};
  std::copy(std::begin(line.place().address), std::end(line.place().address), host.begin());
  return filter_.admit(host);
}

void Control::wake() const {
  const uint64_t one = 1;
  static_cast<void>(!write(wake_file_, &one, sizeof one));
}

void Control::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  for (const LineRef& line : lines_)
    line->end("the process is ending");
}

// ---- the control thread ----

void Control::run() {
  for (;;)
    poll_once();
}

void Control::poll_once() {
  {
    const std::lock_guard lock(mutex_);
    looked_at_ = lines_;
  }
  polled_.clear();
  polled_.push_back({listener_.number(), POLLIN, 0});
  polled_.push_back({wake_file_, POLLIN, 0});
  for (const LineRef& line : looked_at_) {
    const short out = line->has_unsent() ? POLLOUT : 0;
    polled_.push_back({line->socket().number(), static_cast<short>(POLLIN | out), 0});
  }
  const int64_t tick = std::clamp(timeout_ / 20, 10 * kMillisecond, 200 * kMillisecond);
  if (poll(polled_.data(), polled_.size(), static_cast<int>(tick / kMillisecond)) < 0) return;
  uint64_t count = 0;
  if (polled_[1].revents != 0) static_cast<void>(!::read(wake_file_, &count, sizeof count));
  const int64_t time = now();
  for (size_t i = 0; i < looked_at_.size(); ++i) {
    const LineRef& line = looked_at_[i];
    if ((polled_[i + 2].revents & POLLOUT) != 0) line->flush();
    if ((polled_[i + 2].revents & ~POLLOUT) != 0) read(line);
    look_after(line, time);
  }
  if (polled_[0].revents != 0) accept_one();
  looked_at_.clear();
}

void Control::accept_one() {
  ferryx_fabric_place visitor{};
  Socket socket = accept_from(listener_, visitor);
  if (!socket) return;
  const std::lock_guard lock(mutex_);
  const auto strangers = std::count_if(lines_.begin(), lines_.end(),
                                       [](const LineRef& line) { return !line->is_open(); });
  if (is_closed_) return;
  if (static_cast<size_t>(strangers) >= kMostStrangers) {
    engine_.count_refused();
    const std::string text = "fabric: refused " + fabric::in_words(visitor) +
                             ": too many connections have not proven the secret yet";
    return services_.log(kWarn, text.c_str());
  }
  auto line = std::make_shared<Line>(std::move(socket), visitor, Line::Stage::kHello);
  line->deadline = now() + timeout_;
  lines_.push_back(std::move(line));
}

// Pings, and the time limits.
void Control::look_after(const LineRef& line, int64_t time) {
  if (line->has_ended()) return end(line, "");
  if (!line->is_open()) {
    if (time > line->deadline) end(line, "it has not proven the secret in time");
    return;
  }
  if (const std::string loss = engine_.loss_of(*line->peer()); !loss.empty()) {
    return end(line, loss);
  }
  // Peers ping several times within the timeout. The margin leaves time to tell the program.
  if (time - line->peer()->heard.load() > timeout_ - timeout_ / 8) {
    return end(line, "it does not answer; it may be stopped or unreachable");
  }
  if (time - line->pinged > timeout_ / 5) {
    line->pinged = time;
    if (!line->send(Frame::kPing, {})) end(line, "it has closed the connection");
  }
}

void Control::read(const LineRef& line) {
  for (;;) {
    const bool is_stranger =
        line->stage() == Line::Stage::kHello || line->stage() == Line::Stage::kProof;
    const FrameReader::State state =
        line->reader().read(line->socket(), is_stranger ? kMostStrangerPayload : kMostPayload);
    if (state == FrameReader::State::kNothing) return;
    std::string wrong;
    if (state == FrameReader::State::kFrame) {
      if (line->peer() != nullptr) line->peer()->heard.store(now());
      wrong = take(line);
      if (wrong.empty()) continue;
    } else {
      wrong = why_ended(state, line->reader().fault());
    }
    return end(line, wrong);
  }
}

std::string Control::take(const LineRef& line) {
  switch (line->stage()) {
    case Line::Stage::kHello:
      return take_hello(*line);
    case Line::Stage::kProof:
      return take_proof(*line);
    case Line::Stage::kReady:
      return take_ready(*line);
    case Line::Stage::kOpen:
      return take_request(line);
  }
  return "it has lost its way";
}

std::string Control::take_hello(Line& line) {
  const View payload = line.reader().payload();
  if (line.reader().header().type != Frame::kHello || payload.size() != kNonceSize) {
    return "it does not begin with a greeting";
  }
  std::copy(payload.begin(), payload.end(), line.visitor_nonce.begin());
  line.owner_nonce = make_nonce();
  line.set_stage(Line::Stage::kProof);
  return line.send(Frame::kChallenge, line.owner_nonce) ? "" : "it has closed the connection";
}

std::string Control::take_proof(Line& line) {
  const View payload = line.reader().payload();
  if (line.reader().header().type != Frame::kProof || payload.size() != kProofSize) {
    return "it does not prove the secret";
  }
  Proof proof{};
  std::copy(payload.begin(), payload.end(), proof.begin());
  if (!secret_.is_proof(proof, Secret::Role::kVisitor, line.visitor_nonce, line.owner_nonce)) {
    return "it has another secret";
  }
  const WelcomeFrame welcome{
      .proof = secret_.prove(Secret::Role::kOwner, line.visitor_nonce, line.owner_nonce),
      .ucx_address = engine_.address()};
  line.set_stage(Line::Stage::kReady);
  if (std::string wrong = admit(line); !wrong.empty()) return wrong;
  return line.send(Frame::kWelcome, write_welcome(welcome)) ? "" : "it has closed the connection";
}

std::string Control::take_ready(Line& line) {
  const View payload = line.reader().payload();
  const bool is_address = !payload.empty() && payload.size() <= kMostUcxAddress;
  if (line.reader().header().type != Frame::kReady || !is_address) return "it tells no address";
  auto peer = std::make_shared<Peer>(engine_, line.name(),
                                     secret_.token(line.visitor_nonce, line.owner_nonce));
  std::string wrong = engine_.add(peer, Bytes(payload.begin(), payload.end()));
  if (!wrong.empty()) return wrong;
  line.set_peer(std::move(peer));
  line.set_stage(Line::Stage::kOpen);
  services_.log(kInfo, ("fabric: " + line.name() + " is connected").c_str());
  return "";
}

std::string Control::take_request(const LineRef& line) {
  const View payload = line->reader().payload();
  switch (line->reader().header().type) {
    case Frame::kPing:
      return payload.empty() ? "" : "it has sent a ping that is too long";
    case Frame::kOpen:
      if (const auto request = parse_open(payload)) {
        engine_.add_job([this, line, request = *request] { open(line, request); });
        return "";
      }
      break;
    case Frame::kLetGo:
      if (const auto segment = parse_number(payload)) {
        engine_.end_loan(line->peer(), *segment);
        return "";
      }
      break;
    case Frame::kOpened:
      if (auto opened = parse_opened(payload)) {
        const uint64_t segment = opened->segment;
        const bool is_open = opened->code == 0 && !opened->is_unknown;
        // Its thread has stopped waiting.
        if (!line->answer(std::move(*opened)) && is_open) let_go(line->peer(), segment);
        return "";
      }
      break;
    default:
      break;
  }
  return "it has sent a frame that is out of place";
}

void Control::end(const LineRef& line, const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (std::erase(lines_, line) == 0) return;
  }
  line->end(why);
  if (line->peer() != nullptr) return engine_.lose(line->peer(), why);
  engine_.count_refused();
  services_.log(kWarn, ("fabric: refused " + line->name() + ": " + why).c_str());
}

// ---- the thread for jobs ----

void Control::open(const LineRef& line, const OpenFrame& request) {
  const ferryx_fabric_request asked{.name_high = request.name_high,
                                    .name_low = request.name_low,
                                    .kind = request.kind,
                                    .process = request.process,
                                    .device = request.device};
  ferryx_fabric_answer answer{};
  answer.file = -1;
  services_.open(&asked, &answer);
  OpenedFrame opened{.id = request.id,
                     .code = answer.code,
                     .is_unknown = answer.is_unknown != 0,
                     .segment = 0,
                     .size = answer.size,
                     .facts = {},
                     .text = answer.text};
  std::copy(std::begin(answer.facts), std::end(answer.facts), opened.facts.begin());
  if (answer.code == 0 && answer.is_unknown == 0) {
    auto lent = std::make_shared<Lent>(services_);
    lent->object = answer.object;
    if (answer.size > 0 && !lent->map(answer.file, answer.offset, answer.size)) {
      opened.code = 207001;
      opened.text = std::string("its owner cannot map the memory: ") + std::strerror(errno);
    } else {
      opened.segment = ++line->last_segment;
      if (!engine_.lend(line->peer(), opened.segment, std::move(lent))) return;
    }
  }
  line->send(Frame::kOpened, write_opened(opened));
}

}  // namespace ferry::fabric
