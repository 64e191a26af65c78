// SPDX-License-Identifier: Apache-2.0
// Both ends of the channel between a process and its measuring children.
#include "bench/measuring_child.h"

#include "bench/client.h"
#include "bench/transfer.h"

#include "ferry/ferry.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace ferry::bench {
namespace {

struct Request {
  bool is_last;
  Job job;
  Length length;
};

struct Reply {
  Round round;
  char failure[256];  // "" when all went well
};

template <class Message>
bool send_message(int channel, const Message& message) {
  static_assert(std::is_trivially_copyable_v<Message>);
  return send(channel, &message, sizeof message, MSG_NOSIGNAL) ==
         static_cast<ssize_t>(sizeof message);
}

// False when the other end is closed.
template <class Message>
bool receive_message(int channel, Message& message) {
  ssize_t count = 0;
  do {
    count = recv(channel, &message, sizeof message, 0);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof message);
}

// Blocks on their way in one direction.
struct Traffic {
  Traffic(const Layout& layout, bool is_to_device)
      : transfer(layout, is_to_device ? Buffer::Place::kPinned : Buffer::Place::kDevice,
                 is_to_device ? Buffer::Place::kDevice : Buffer::Place::kPinned) {}
  Stream stream;
  Transfer transfer;
};

// What a job needs; kept while requests name the same job.
struct Workplace {
  explicit Workplace(const Job& wanted)
      : job(wanted),
        layout(wanted.count == 1 ? whole(wanted.block_bytes)
                                 : scattered(wanted.count, wanted.block_bytes)),
        traffic(layout, wanted.is_to_device) {
    if (wanted.way == Job::Way::kBothWays) opposite.emplace(layout, !wanted.is_to_device);
  }

  void copy() {
    switch (job.way) {
      case Job::Way::kOneByOne:
        return traffic.transfer.copy_one_by_one(traffic.stream);
      case Job::Way::kBatch:
        return traffic.transfer.copy_as_batch(traffic.stream);
      case Job::Way::kBothWays:
        traffic.transfer.submit_one_by_one(traffic.stream);
        opposite->transfer.copy_one_by_one(opposite->stream);
        return traffic.stream.synchronize();
      case Job::Way::kTwiceUnwaited:
        traffic.transfer.submit_one_by_one(traffic.stream);
        return traffic.transfer.submit_one_by_one(traffic.stream);
    }
  }

  Contender contender() {
    Contender own = bench::contender("child", traffic.transfer, [this] { copy(); });
    if (job.way == Job::Way::kTwiceUnwaited) own.settle = [this] { traffic.stream.synchronize(); };
    if (!opposite) return own;
    const Contender other = bench::contender("opposite", opposite->transfer, {});
    own.before = [one = own.before, two = other.before] { one(), two(); };
    own.after = [one = own.after, two = other.after] { one(), two(); };
    return own;
  }

  Job job;
  Layout layout;
  Traffic traffic;
  std::optional<Traffic> opposite;
};

Round measure_here(std::unique_ptr<Workplace>& place, const Request& request) {
  if (!place || place->job != request.job) {
    place.reset();  // frees the memory that the next one needs
    place = std::make_unique<Workplace>(request.job);
  }
  const Round round = run_round(place->contender(), request.length);
  if (ferryCheckCount(nullptr) != 0) {
    throw std::runtime_error("the checker reports an error in a correct copy");
  }
  return round;
}

// The child's main loop, until its last request or the parent's death.
void serve(int channel) {
  std::optional<Session> session;
  std::unique_ptr<Workplace> place;
  Request request{};
  while (receive_message(channel, request) && !request.is_last) {
    Reply reply{};
    try {
      if (!session) session.emplace();
      reply.round = measure_here(place, request);
    } catch (const std::exception& error) {
      std::snprintf(reply.failure, sizeof reply.failure, "%s", error.what());
    }
    if (!send_message(channel, reply)) break;
  }
}

void set_environment(const std::vector<MeasuringChild::Variable>& environment) {
  for (const MeasuringChild::Variable& variable : environment) {
    if (variable.value == nullptr) {
      unsetenv(variable.name);
    } else {
      setenv(variable.name, variable.value, 1);
    }
  }
}

}  // namespace

MeasuringChild::MeasuringChild(std::string name, const std::vector<Variable>& environment)
    : name_(std::move(name)) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error("cannot create a channel to a child process");
  }
  std::fflush(nullptr);  // or the child would print buffered output again
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    set_environment(environment);
    serve(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  channel_ = ends[0];
  if (process_ < 0) {
    close(channel_);
    throw std::runtime_error("cannot start a child process");
  }
}

MeasuringChild::~MeasuringChild() {
  // Closing is not enough: children started later inherited this end too.
  static_cast<void>(send_message(channel_, Request{.is_last = true, .job = {}, .length = {}}));
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(channel_);
}

Round MeasuringChild::measure(const Job& job, const Length& length) {
  Reply reply{};
  const bool is_answered =
      send_message(channel_, Request{.is_last = false, .job = job, .length = length}) &&
      receive_message(channel_, reply);
  if (!is_answered) throw std::runtime_error(name_ + ": the child process has ended");
  if (reply.failure[0] != '\0') throw std::runtime_error(name_ + ": " + reply.failure);
  return reply.round;
}

}  // namespace ferry::bench
