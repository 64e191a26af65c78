// SPDX-License-Identifier: Apache-2.0
// The records of an event that several processes share, in a file in memory that each of them maps.
// A record gets a ticket when it is queued, and ends when its stream gets there. Processes may be
// killed at any moment: their records then count as abandoned.
#pragma once

#include "base/status.h"
#include "sharing/descriptor.h"
#include "sharing/file_locks.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace ferry::sharing {

// May be shared between threads.
class EventPage {
 public:
  using Clock = std::chrono::steady_clock;
  // The most records of an event that have not ended.
  static constexpr uint64_t kMostPending = 8192;
  // How long a dead process may go unnoticed by wait() and wait_for_change().
  static constexpr std::chrono::milliseconds kLongestSleep{100};

  enum class State : uint8_t {
    kPending,
    kDone,
    kDropped,   // its stream was aborted or destroyed first
    kAbandoned  // its process ended first
  };

  // 207001 with a text when the system gives no file or memory.
  static Result<std::shared_ptr<EventPage>> create();
  // The page of another process, by a descriptor that was passed on; it may be closed afterwards.
  // 507899 when it is not such a page, 207001 as above.
  static Result<std::shared_ptr<EventPage>> open(int file);
  // Records of this object that have not ended count as abandoned.
  ~EventPage();
  EventPage(const EventPage&) = delete;
  EventPage& operator=(const EventPage&) = delete;

  // A descriptor for other processes to open. It is not the page's own: the lock that says that
  // this process lives would live on with the receiver.
  Result<Descriptor> file_to_pass() const;

  // A new record, the newest from now on. Waits while kMostPending have not ended.
  uint64_t begin_record();
  // The same, but does not wait: 0 when kMostPending have not ended.
  uint64_t try_begin_record();
  // kDone or kDropped. Wakes all that wait.
  void end_record(uint64_t ticket, State state);

  // The ticket of the newest record of any process; 0: there is none.
  uint64_t newest();
  // Does not look whether the process of a pending record lives.
  State state(uint64_t ticket) const;
  // Also looks whether the process lives; that costs a system call if the record is pending.
  State look(uint64_t ticket);
  // Waits until the record has ended. kPending when the deadline comes first.
  State wait(uint64_t ticket, Clock::time_point deadline);

  // For a thread that waits for several records: read changes(), look at the records, then wait
  // until a record ends, wake() is called or kLongestSleep has passed.
  uint32_t changes() const;
  void wait_for_change(uint32_t seen, Clock::time_point deadline);
  void wake();

 private:
  struct Shared;
  EventPage(FileLocks file, Shared& shared, uint32_t participant);
  static Result<std::shared_ptr<EventPage>> join(int file);
  bool is_alive(uint32_t participant) const;
  void abandon_records_of(uint32_t participant);

  const FileLocks file_;  // has the lock of the participant
  Shared& shared_;
  const uint32_t participant_;  // number of this object among all that have the page open
};

}  // namespace ferry::sharing
