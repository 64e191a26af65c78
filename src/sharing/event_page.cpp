// SPDX-License-Identifier: Apache-2.0
// Tickets in a ring of slots, futex wake-ups, and locks that tell which processes live.
//
// Invariants of the ring, for any number of processes without a lock:
//   - A record exists from the compare-and-swap that writes {ticket, participant, pending} into its
//     slot. `newest` is advanced afterwards; every process that finds the slot behind `newest`
//     claimed advances it first. So a process that is killed between the two loses nothing.
//   - A slot is claimed for ticket t only while `newest` is t - 1, and only if its record has ended
//     or its process has. So a slot whose ticket is not t tells that record t has ended.
//   - A record ends once: by a compare-and-swap from exactly {ticket, participant, pending}.
// Other processes of the user can write anything. Numbers of the page are therefore masked before
// they are used as an index, and slots that no correct process can have written are overwritten.
#include "sharing/event_page.h"

#include "base/pause.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <utility>

namespace ferry::sharing {
namespace {

using Word = std::atomic<uint64_t>;
using Futex = std::atomic<uint32_t>;
static_assert(Word::is_always_lock_free && Futex::is_always_lock_free);
static_assert(sizeof(Futex) == sizeof(uint32_t), "the kernel reads the word");

constexpr uint64_t kPageMagic = 0x6567'6150'746E'7645;  // "EvntPage"
constexpr uint32_t kPageVersion = 1;
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW;

// ---- the word of a slot: ticket, participant, state ----

constexpr uint64_t kStateBits = 2;
constexpr uint64_t kParticipantBits = 16;
constexpr uint64_t kTicketShift = kStateBits + kParticipantBits;
constexpr uint64_t kTicketMask = (uint64_t{1} << (64 - kTicketShift)) - 1;
constexpr uint32_t kParticipants = 1u << kParticipantBits;
static_assert(kTicketMask % EventPage::kMostPending == EventPage::kMostPending - 1);

struct Slot {
  static Slot of(uint64_t word) {
    return {.ticket = word >> kTicketShift,
            .participant = static_cast<uint32_t>(word >> kStateBits) & (kParticipants - 1),
            .state = static_cast<EventPage::State>(word & ((1u << kStateBits) - 1))};
  }
  uint64_t word() const {
    return ticket << kTicketShift | uint64_t{participant} << kStateBits |
           static_cast<uint64_t>(state);
  }

  uint64_t ticket;
  uint32_t participant;
  EventPage::State state;
};

// Ticket 0 is that of no record.
uint64_t next(uint64_t ticket) {
  return ticket == kTicketMask ? 1 : ticket + 1;
}

// The record whose slot a record takes over; 0: none.
uint64_t oldest_before(uint64_t ticket) {
  return ticket > EventPage::kMostPending ? ticket - EventPage::kMostPending : 0;
}

uint64_t index_of(uint64_t ticket) {
  return ticket % EventPage::kMostPending;
}

// ---- the system ----

bool sleep_on(const Futex& word, uint32_t seen, std::chrono::nanoseconds at_most) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
  const timespec limit{.tv_sec = static_cast<time_t>(seconds.count()),
                       .tv_nsec = static_cast<long>((at_most - seconds).count())};
  return syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0) == 0;
}

void wake_all(const Futex& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

Status fail_without(const char* what) {
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, kEE9999,
              "an event for several processes needs %s: %s; destroy events that are no longer "
              "needed, or raise the limits on open files and memory",
              what, std::strerror(errno));
}

Status fail_foreign(const char* what) {
  return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017,
              "what the other process passed on is not an event: %s", what);
}

Result<FileLocks> reopen(int file) {
  FileLocks own = FileLocks::open(file);
  if (!own) return fail_without("a file descriptor, and /proc");
  return own;
}

}  // namespace

// A process that is killed leaves `sleepers` too high: completions then make needless system calls.
struct EventPage::Shared {
  uint64_t magic = kPageMagic;
  uint32_t version = kPageVersion;
  uint32_t slot_count = kMostPending;
  alignas(64) Word newest{0};
  alignas(64) Futex changes{0};  // counts records that have ended, and calls of wake
  Futex sleepers{0};             // threads in a futex wait, or about to be
  alignas(64) std::array<Word, kMostPending> slots{};
};

Result<std::shared_ptr<EventPage>> EventPage::create() {
  const Descriptor file = Descriptor::made_by(
      [] { return memfd_create("ferry-event", MFD_CLOEXEC | MFD_ALLOW_SEALING); });
  if (!file) return fail_without("a file in memory");
  // All of it now: a page that cannot be had later would end the process with SIGBUS.
  if (fallocate(file.number(), 0, 0, sizeof(Shared)) != 0) return fail_without("memory");
  void* const address =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (address == MAP_FAILED) return fail_without("memory");
  new (address) Shared;
  munmap(address, sizeof(Shared));
  if (fcntl(file.number(), F_ADD_SEALS, kSeals | F_SEAL_SEAL) != 0) {
    return fail_without("a file of fixed size");
  }
  return join(file.number());
}

Result<std::shared_ptr<EventPage>> EventPage::open(int file) {
  const int seals = fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals) return fail_foreign("its size is not fixed");
  struct stat facts {};
  if (fstat(file, &facts) != 0 || facts.st_size != sizeof(Shared)) {
    return fail_foreign("its size is wrong");
  }
  return join(file);
}

Result<std::shared_ptr<EventPage>> EventPage::join(int file) {
  FERRY_TRY(FileLocks, own, reopen(file));
  const int number = (*own).number();
  void* const address =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
  if (address == MAP_FAILED) return fail_without("memory");
  struct Unmap {
    ~Unmap() {
      if (mapped != nullptr) munmap(mapped, sizeof(Shared));
    }
    void* mapped;
  } unmap{address};
  Shared& shared = *static_cast<Shared*>(address);
  if (shared.magic != kPageMagic || shared.version != kPageVersion ||
      shared.slot_count != kMostPending) {
    return fail_foreign("its contents are those of another version, or of something else");
  }
  // The first number that no living process has.
  const std::optional<uint32_t> participant = (*own).lock_first(kParticipants);
  if (!participant.has_value()) return fail_without("a lock on its file");
  std::shared_ptr<EventPage> page(new EventPage(std::move(*own), shared, *participant));
  unmap.mapped = nullptr;
  page->abandon_records_of(*participant);  // of an earlier process with this number
  return page;
}

EventPage::EventPage(FileLocks file, Shared& shared, uint32_t participant)
    : file_(std::move(file)), shared_(shared), participant_(participant) {}

EventPage::~EventPage() {
  abandon_records_of(participant_);
  munmap(&shared_, sizeof(Shared));
}

Result<Descriptor> EventPage::file_to_pass() const {
  FERRY_TRY(FileLocks, passed, reopen(file_.number()));
  return std::move(*passed).take();
}

// ---- records ----

uint64_t EventPage::newest() {
  // Each turn advances it by one; only a page full of forged tickets takes as many turns as slots.
  for (uint64_t turn = 0; turn < kMostPending; ++turn) {
    uint64_t word = shared_.newest.load(std::memory_order_seq_cst);
    const uint64_t ticket = word & kTicketMask;
    const uint64_t following = next(ticket);
    const Word& slot = shared_.slots[index_of(following)];
    if (Slot::of(slot.load(std::memory_order_seq_cst)).ticket != following) return ticket;
    shared_.newest.compare_exchange_strong(word, following, std::memory_order_seq_cst);
  }
  return shared_.newest.load(std::memory_order_seq_cst) & kTicketMask;
}

uint64_t EventPage::begin_record() {
  for (;;) {
    if (const uint64_t ticket = try_begin_record(); ticket != 0) return ticket;
    // The oldest record has the slot that the next one needs.
    wait(oldest_before(next(newest())), Clock::now() + kLongestSleep);
  }
}

uint64_t EventPage::try_begin_record() {
  for (;;) {
    const uint64_t before = newest();
    const uint64_t ticket = next(before);
    Word& slot = shared_.slots[index_of(ticket)];
    uint64_t word = slot.load(std::memory_order_seq_cst);
    // Otherwise others have gone on: the slot may have a later record.
    const bool is_current =
        (shared_.newest.load(std::memory_order_seq_cst) & kTicketMask) == before;
    const Slot old = Slot::of(word);
    if (!is_current || old.ticket == ticket) continue;
    const bool is_record = ticket > kMostPending && old.ticket == ticket - kMostPending;
    if (is_record && old.state == State::kPending) {
      if (look(old.ticket) == State::kPending) return 0;
      word = slot.load(std::memory_order_seq_cst);
      if (Slot::of(word).ticket != old.ticket) continue;
    }
    const Slot claimed{.ticket = ticket, .participant = participant_, .state = State::kPending};
    if (slot.compare_exchange_strong(word, claimed.word(), std::memory_order_seq_cst)) {
      newest();
      return ticket;
    }
  }
}

void EventPage::end_record(uint64_t ticket, State state) {
  const Slot pending{.ticket = ticket, .participant = participant_, .state = State::kPending};
  const Slot ended{.ticket = ticket, .participant = participant_, .state = state};
  uint64_t word = pending.word();
  if (shared_.slots[index_of(ticket)].compare_exchange_strong(word, ended.word(),
                                                              std::memory_order_seq_cst)) {
    wake();
  }
}

EventPage::State EventPage::state(uint64_t ticket) const {
  const Slot slot = Slot::of(shared_.slots[index_of(ticket)].load(std::memory_order_seq_cst));
  return slot.ticket == ticket ? slot.state : State::kDone;
}

EventPage::State EventPage::look(uint64_t ticket) {
  Word& shared = shared_.slots[index_of(ticket)];
  uint64_t word = shared.load(std::memory_order_seq_cst);
  Slot slot = Slot::of(word);
  const bool is_pending = slot.ticket == ticket && slot.state == State::kPending;
  if (!is_pending || is_alive(slot.participant)) return state(ticket);
  slot.state = State::kAbandoned;
  if (shared.compare_exchange_strong(word, slot.word(), std::memory_order_seq_cst)) wake();
  return state(ticket);
}

// ---- processes that end ----

bool EventPage::is_alive(uint32_t participant) const {
  if (participant == participant_) return true;  // its own lock never conflicts
  return file_.is_locked_elsewhere(participant);
}

void EventPage::abandon_records_of(uint32_t participant) {
  bool has_changed = false;
  for (Word& shared : shared_.slots) {
    uint64_t word = shared.load(std::memory_order_relaxed);
    Slot slot = Slot::of(word);
    const bool is_pending = slot.ticket != 0 && slot.state == State::kPending;
    if (!is_pending || slot.participant != participant) continue;
    slot.state = State::kAbandoned;
    if (shared.compare_exchange_strong(word, slot.word(), std::memory_order_seq_cst)) {
      has_changed = true;
    }
  }
  if (has_changed) wake();
}

// ---- waiting ----

uint32_t EventPage::changes() const {
  return shared_.changes.load(std::memory_order_seq_cst);
}

// Either the sleeper is counted before `changes` is, and is woken; or it finds the new value in the
// futex and does not sleep.
void EventPage::wake() {
  shared_.changes.fetch_add(1, std::memory_order_seq_cst);
  if (shared_.sleepers.load(std::memory_order_seq_cst) != 0) wake_all(shared_.changes);
}

void EventPage::wait_for_change(uint32_t seen, Clock::time_point deadline) {
  if (poll_for_a_while([&] { return changes() != seen; })) return;
  const auto left = std::min<std::chrono::nanoseconds>(deadline - Clock::now(), kLongestSleep);
  if (left <= std::chrono::nanoseconds::zero()) return;
  shared_.sleepers.fetch_add(1, std::memory_order_seq_cst);
  sleep_on(shared_.changes, seen, left);
  shared_.sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

EventPage::State EventPage::wait(uint64_t ticket, Clock::time_point deadline) {
  if (poll_for_a_while([&] { return state(ticket) != State::kPending; })) return state(ticket);
  Clock::time_point next_look{};  // at once: the process may have ended long ago
  for (;;) {
    const uint32_t seen = changes();
    State found = state(ticket);
    if (found != State::kPending) return found;
    const Clock::time_point now = Clock::now();
    if (now >= next_look) {
      next_look = now + kLongestSleep;
      found = look(ticket);
    }
    if (found != State::kPending || now >= deadline) return found;
    wait_for_change(seen, std::min(deadline, next_look));
  }
}

}  // namespace ferry::sharing
