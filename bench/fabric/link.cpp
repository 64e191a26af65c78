// SPDX-License-Identifier: Apache-2.0
// Starting or finding the peer, and copies by AscendCL.
#include "bench/fabric/link.h"

#include "bench/fabric/peer.h"

#include "ferry/ferry.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ferry::bench::fabric {
namespace {

constexpr const char* kLoopback = "lo";

std::pair<Channel, pid_t> start_peer() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error("cannot create a channel to a peer");
  }
  Channel own(ends[0]);
  Channel others(ends[1]);
  std::fflush(nullptr);  // or the child would print buffered output again
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a peer");
  if (child > 0) return {std::move(own), child};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(ends[0]);  // or the child would keep its own channel open
  try {
    serve_peer(others, kLoopback);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ferry bench: the peer: %s\n", error.what());
  }
  _exit(0);
}

aclrtMemLocation host_location() {
  return {0, ACL_MEM_LOCATION_TYPE_HOST};
}

aclrtMemLocation device_location() {
  return {0, ACL_MEM_LOCATION_TYPE_DEVICE};
}

}  // namespace

Link::Link() : Link(start_peer()) {}

Link::Link(std::pair<Channel, pid_t> peer)
    : channel_(std::move(peer.first)), child_(peer.second), network_device_(kLoopback) {}

Link::Link(const std::string& peer) : channel_(connect_to(parse_address(peer))) {
  const std::string version = ask({Ask::kHello, {}, {}, 0});
  if (version == ferryVersion()) return;
  throw std::runtime_error(
      fmt::format("the peer is Ferry {}, this is {}: use the same", version, ferryVersion()));
}

Link::~Link() {
  raw_.reset();
  try {
    // Closing the channel is not enough: children that were started later have its end, too.
    ask(Ask::kEnd);
  } catch (const std::exception&) {
    // It has ended already.
  }
  if (child_ < 0) return;
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string Link::ask(const Request& request, const std::string& payload) {
  channel_.send(std::string(reinterpret_cast<const char*>(&request), sizeof request) + payload);
  std::string answer;
  if (!channel_.receive(answer) || answer.empty()) throw std::runtime_error("the peer has ended");
  if (answer.front() != kGood) throw std::runtime_error(answer.substr(1));
  return answer.substr(1);
}

void Link::ask(Ask what) {
  ask({what, {}, {}, 0});
}

UcxFabric& Link::raw() {
  if (!raw_) {
    raw_ = open_ucx_fabric(kPoolBytes, network_device_);
    raw_->connect(ask({Ask::kOpenRaw, Pool::kRaw, {}, 0}, raw_->card()));
  }
  return *raw_;
}

FerryEnd::FerryEnd(Link& link)
    : card_(exchange(link, own_notify_)),
      remote_(card_.handle),
      others_notify_(card_.notify_key),
      pinned_(Buffer::Place::kPinned, kPoolBytes) {}

FerryCard FerryEnd::exchange(Link& link, const SharedNotify& own) {
  char key[sizeof FerryCard::notify_key] = {};
  own.export_to(key);
  const std::string answer =
      link.ask({Ask::kOpenFerry, Pool::kFerry, {}, 0}, std::string(key, sizeof key));
  FerryCard card{};
  if (answer.size() != sizeof card) throw std::runtime_error("the peer's card is cut off");
  std::memcpy(&card, answer.data(), sizeof card);
  return card;
}

void FerryEnd::copy_each(const Layout& layout, bool is_out) {
  std::byte* const from = is_out ? pinned() : remote();
  std::byte* const to = is_out ? remote() : pinned();
  const aclrtMemcpyKind kind = is_out ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
  for (size_t i = 0; i < layout.from.size(); ++i) {
    check(aclrtMemcpyAsync(to + layout.to[i], layout.block_bytes, from + layout.from[i],
                           layout.block_bytes, kind, stream_.handle()));
  }
  stream_.synchronize();
}

void FerryEnd::copy_as_batch(const Layout& layout, bool is_out) {
  std::byte* const from = is_out ? pinned() : remote();
  std::byte* const to = is_out ? remote() : pinned();
  const size_t count = layout.from.size();
  std::vector<void*> sources(count);
  std::vector<void*> targets(count);
  std::vector<size_t> sizes(count, layout.block_bytes);
  for (size_t i = 0; i < count; ++i) {
    sources[i] = from + layout.from[i];
    targets[i] = to + layout.to[i];
  }
  aclrtMemcpyBatchAttr attribute{};
  attribute.srcLoc = is_out ? host_location() : device_location();
  attribute.dstLoc = is_out ? device_location() : host_location();
  size_t first = 0;
  size_t fail_index = 0;
  check(aclrtMemcpyBatchAsync(targets.data(), sizes.data(), sources.data(), sizes.data(), count,
                              &attribute, &first, 1, &fail_index, stream_.handle()));
  stream_.synchronize();
}

void FerryEnd::ping() {
  ++turns_;
  others_notify_.record(stream_);
  own_notify_.wait(stream_);
  // A peer whose side has failed does not answer.
  constexpr int32_t kPatienceMs = 20000;
  check(aclrtSynchronizeStreamWithTimeout(stream_.handle(), kPatienceMs));
}

void FerryEnd::play_until(uint64_t queued) {
  while (turns_ < queued)
    ping();
  turns_ = 0;
}

}  // namespace ferry::bench::fabric
