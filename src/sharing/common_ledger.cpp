// SPDX-License-Identifier: Apache-2.0
// One process at a time looks for the ledger and makes it. Each process that has it shows a socket
// with a name for that, so that others know whether there is one without asking: programs of the
// user that are stopped and have no ledger delay nobody.
#include "sharing/common_ledger.h"

#include "sharing/channel.h"
#include "sharing/endpoint.h"
#include "sharing/exchange.h"
#include "sharing/visit.h"

#include <poll.h>
#include <time.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace ferry::sharing {
namespace {

constexpr uint64_t kLedgerName = 0x7265'6764'654C'0000;
constexpr std::chrono::seconds kLongestTurn{30};
constexpr long kRetryNanoseconds = 1'000'000;

class LedgerOffer final : public Offer {
 public:
  explicit LedgerOffer(std::shared_ptr<Ledger> ledger) : ledger_(std::move(ledger)) {}
  Kind kind() const override { return Kind::kLedger; }
  Answer open(const Visitor& /*visitor*/) override {
    Answer answer;
    answer.file = ledger_->file();
    return answer;
  }
  void closed() override {}

 private:
  const std::shared_ptr<Ledger> ledger_;
};

struct Joined {
  std::shared_ptr<Ledger> ledger;
  Descriptor mark;  // the socket that shows that this process has it
};

struct AllJoined {
  std::mutex mutex;  // guards the map, and is held while a ledger is looked for
  std::map<uint64_t, Joined> by_capacity;
};

AllJoined& all_joined() {
  static auto* instance = new AllJoined;
  return *instance;
}

std::string folder_of(uint64_t capacity) {
  return "ledger/" + std::to_string(capacity) + "/";
}

Status fail_common(const std::string& why) {
  return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, kEE9999,
              "memory cannot be common to several processes (FERRY_MEMORY=shared:): %s",
              why.c_str());
}

Status fail_socket() {
  return fail_common(std::string("a socket cannot be made: ") + std::strerror(errno) +
                     "; raise the limit of open files (ulimit -n), or close some");
}

// The turn of this process, until the descriptor is closed. Others wait for the end of their
// connection to its socket, which also comes when the process is killed.
Result<Descriptor> take_turn(uint64_t capacity) {
  const std::string name = folder_of(capacity) + "turn";
  const Clock::time_point deadline = Clock::now() + kLongestTurn;
  while (Clock::now() < deadline) {
    Descriptor turn = listen_at_name(name);
    if (turn) return turn;
    if (errno != EADDRINUSE) return fail_socket();
    if (const Descriptor other = connect_to_name(name)) {
      wait_for_socket(other.number(), POLLIN, deadline);
      continue;
    }
    const timespec pause{0, kRetryNanoseconds};  // it is about to listen, or has just gone
    nanosleep(&pause, nullptr);
  }
  return fail_common(
      "another process looks for it and does not come to an end within 30 s; it may "
      "be stopped");
}

Result<bool> is_there(uint64_t capacity) {
  const auto found = has_socket_below(folder_of(capacity) + "of/");
  if (found.has_value()) return *found;
  if (errno == ENOMEM) throw std::bad_alloc();
  return fail_common(std::string("/proc/net/unix cannot be read: ") + std::strerror(errno));
}

// Any process that has the ledger can pass it on. One that was stopped after it had answered does
// not; a second search finds another.
constexpr int kMostSearches = 2;

Visit find(uint64_t capacity) {
  const Handle handle{.address = {}, .name = {.high = kLedgerName, .low = capacity}};
  Visit found;
  for (int i = 0; i < kMostSearches; ++i) {
    found = visit(handle, Kind::kLedger, -1);
    if (found.outcome != Visit::Outcome::kUnreachable) break;
  }
  return found;
}

Result<std::shared_ptr<Ledger>> find_or_make(uint64_t capacity) {
  FERRY_TRY(bool, is_known, is_there(capacity));
  if (!*is_known) return Ledger::create(capacity);
  const Visit found = find(capacity);
  switch (found.outcome) {
    case Visit::Outcome::kOpened:
      return Ledger::open(found.file.number(), capacity);
    case Visit::Outcome::kUnknown:  // the last that had it has just ended
      return Ledger::create(capacity);
    case Visit::Outcome::kUnreachable: {
      FERRY_TRY(bool, is_still_there, is_there(capacity));
      if (!*is_still_there) return Ledger::create(capacity);
      break;
    }
    case Visit::Outcome::kRefused:
    case Visit::Outcome::kForeign:  // never: a ledger has no place
      break;
  }
  return fail_common(found.text);
}

}  // namespace

Result<std::shared_ptr<Ledger>> common_ledger(uint64_t capacity) {
  AllJoined& all = all_joined();
  const std::lock_guard lock(all.mutex);
  const auto known = all.by_capacity.find(capacity);
  if (known != all.by_capacity.end()) return known->second.ledger;
  FERRY_TRY(Address, own, Exchange::instance().address());
  FERRY_TRY(Descriptor, turn, take_turn(capacity));
  FERRY_TRY(std::shared_ptr<Ledger>, ledger, find_or_make(capacity));
  std::map<uint64_t, Joined> made;
  Joined& joined = made[capacity];
  joined.ledger = *ledger;
  joined.mark = listen_at_name(folder_of(capacity) + "of/" + std::to_string((*own).process) + "-" +
                               std::to_string((*own).token));
  if (!joined.mark) return fail_socket();
  Exchange::instance().publish({.high = kLedgerName, .low = capacity},
                               std::make_shared<LedgerOffer>(*ledger));
  all.by_capacity.merge(made);
  return *ledger;
}

}  // namespace ferry::sharing
