// SPDX-License-Identifier: Apache-2.0
// The page of an event for several processes: tickets, waiting, processes that are killed, and
// files that are no page.
#include "sharing/event_page.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace ferry::sharing {
namespace {

using State = EventPage::State;
using Clock = EventPage::Clock;

constexpr Clock::time_point kForEver = Clock::time_point::max();
constexpr Clock::time_point kNow = Clock::time_point::min();

class EventPageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<std::shared_ptr<EventPage>> made = EventPage::create();
    ASSERT_TRUE(made.ok());
    page_ = *made;
    Result<Descriptor> file = page_->file_to_pass();
    ASSERT_TRUE(file.ok());
    file_ = (*file).release();
  }
  void TearDown() override { close(file_); }

  // As another process does.
  std::shared_ptr<EventPage> open_again() const {
    Result<std::shared_ptr<EventPage>> opened = EventPage::open(file_);
    EXPECT_TRUE(opened.ok());
    return *opened;
  }

  // All words of the file, to write anything into it.
  std::span<uint64_t> words() const {
    const off_t size = lseek(file_, 0, SEEK_END);
    void* const address =
        mmap(nullptr, static_cast<size_t>(size), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    EXPECT_NE(MAP_FAILED, address);
    return {static_cast<uint64_t*>(address), static_cast<size_t>(size) / sizeof(uint64_t)};
  }

  std::shared_ptr<EventPage> page_;
  int file_ = -1;
};

// A process that opens the page, does something and is killed.
class Peer {
 public:
  template <class Work>
  Peer(int file, Work work) {
    std::array<int, 2> ends{};
    EXPECT_EQ(0, pipe(ends.data()));
    pid_ = fork();
    if (pid_ == 0) {
      Result<std::shared_ptr<EventPage>> page = EventPage::open(file);
      if (!page.ok()) _exit(1);
      work(**page);
      if (write(ends[1], "r", 1) != 1) _exit(1);
      for (;;)
        pause();
    }
    close(ends[1]);
    ready_ = ends[0];
  }
  ~Peer() {
    end();
    close(ready_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Until it has done its work.
  void wait() const {
    char ready = 0;
    EXPECT_EQ(1, read(ready_, &ready, 1));
  }

  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  int ready_ = -1;  // a pipe
};

TEST_F(EventPageTest, HasNoRecordAtFirst) {
  EXPECT_EQ(0u, page_->newest());
  EXPECT_EQ(0u, open_again()->newest());
}

TEST_F(EventPageTest, ShowsRecordsToAllThatHaveItOpen) {
  const std::shared_ptr<EventPage> other = open_again();
  const uint64_t first = page_->begin_record();
  EXPECT_EQ(first, other->newest());
  EXPECT_EQ(State::kPending, other->look(first));
  const uint64_t second = other->begin_record();
  EXPECT_NE(first, second);
  EXPECT_EQ(second, page_->newest());
  page_->end_record(first, State::kDone);
  other->end_record(second, State::kDropped);
  EXPECT_EQ(State::kDone, other->wait(first, kForEver));
  EXPECT_EQ(State::kDropped, page_->wait(second, kForEver));
  EXPECT_EQ(second, page_->newest());
}

TEST_F(EventPageTest, EndsARecordOnlyForTheOneThatBeganItAndOnlyOnce) {
  const std::shared_ptr<EventPage> other = open_again();
  const uint64_t ticket = page_->begin_record();
  other->end_record(ticket, State::kDropped);
  EXPECT_EQ(State::kPending, page_->state(ticket));
  page_->end_record(ticket, State::kDone);
  page_->end_record(ticket, State::kDropped);
  EXPECT_EQ(State::kDone, page_->state(ticket));
}

TEST_F(EventPageTest, WaitsNoLongerThanUntilTheDeadline) {
  const uint64_t ticket = page_->begin_record();
  EXPECT_EQ(State::kPending, page_->wait(ticket, kNow));
  EXPECT_EQ(State::kPending, page_->wait(ticket, Clock::now() + std::chrono::milliseconds(2)));
  page_->end_record(ticket, State::kDone);
  EXPECT_EQ(State::kDone, page_->wait(ticket, kNow));
}

TEST_F(EventPageTest, WakesThreadsThatWaitForDifferentRecords) {
  const std::shared_ptr<EventPage> other = open_again();
  const uint64_t first = page_->begin_record();
  const uint64_t second = page_->begin_record();
  std::thread waits_for_first([&] { EXPECT_EQ(State::kDone, other->wait(first, kForEver)); });
  std::thread waits_for_second([&] { EXPECT_EQ(State::kDropped, other->wait(second, kForEver)); });
  page_->end_record(second, State::kDropped);
  waits_for_second.join();
  page_->end_record(first, State::kDone);
  waits_for_first.join();
}

TEST_F(EventPageTest, WakesAThreadThatWaitsForAnyChange) {
  const uint32_t seen = page_->changes();
  std::thread waiting([&] {
    while (page_->changes() == seen)
      page_->wait_for_change(seen, kForEver);
  });
  open_again()->wake();
  waiting.join();
}

TEST_F(EventPageTest, TakesARecordWithAnotherOneInItsSlotForEnded) {
  const uint64_t first = page_->begin_record();
  page_->end_record(first, State::kDropped);
  for (uint64_t i = 0; i < EventPage::kMostPending; ++i)
    page_->end_record(page_->begin_record(), State::kDone);
  EXPECT_EQ(State::kDone, page_->wait(first, kForEver));
  EXPECT_EQ(first + EventPage::kMostPending, page_->newest());
}

TEST_F(EventPageTest, HoldsAsManyRecordsAsThereAreSlotsAndThenWaits) {
  const uint64_t first = page_->begin_record();
  for (uint64_t i = 1; i < EventPage::kMostPending; ++i)
    page_->begin_record();
  std::atomic<bool> is_begun{false};
  std::thread beginning([&] {
    const uint64_t ticket = page_->begin_record();
    is_begun = true;
    EXPECT_EQ(first + EventPage::kMostPending, ticket);
  });
  page_->end_record(first + 1, State::kDone);  // not the one whose slot is needed
  EXPECT_EQ(State::kPending, page_->wait(first, Clock::now() + std::chrono::milliseconds(5)));
  EXPECT_FALSE(is_begun);
  page_->end_record(first, State::kDone);
  beginning.join();
  EXPECT_TRUE(is_begun);
}

TEST_F(EventPageTest, GivesEveryRecordATicketOfItsOwn) {
  constexpr int kThreads = 4;
  constexpr int kRecords = 5000;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this] {
      const std::shared_ptr<EventPage> own = open_again();
      for (int k = 0; k < kRecords; ++k) {
        const uint64_t ticket = own->begin_record();
        EXPECT_LE(ticket, own->newest());
        EXPECT_EQ(State::kPending, own->state(ticket));
        own->end_record(ticket, State::kDone);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(uint64_t{kThreads} * kRecords, page_->newest());
}

TEST_F(EventPageTest, AbandonsTheRecordsOfAnObjectThatIsDestroyed) {
  std::shared_ptr<EventPage> other = open_again();
  const uint64_t ticket = other->begin_record();
  std::thread waiting([&] { EXPECT_EQ(State::kAbandoned, page_->wait(ticket, kForEver)); });
  other.reset();
  waiting.join();
}

TEST_F(EventPageTest, AbandonsTheRecordsOfAProcessThatIsKilled) {
  Peer peer(file_, [](EventPage& page) { page.begin_record(); });
  peer.wait();
  const uint64_t ticket = page_->newest();
  EXPECT_EQ(State::kPending, page_->look(ticket));
  std::thread waiting([&] { EXPECT_EQ(State::kAbandoned, page_->wait(ticket, kForEver)); });
  peer.end();
  waiting.join();
  EXPECT_EQ(State::kAbandoned, page_->look(ticket));
}

TEST_F(EventPageTest, AbandonsThemAlsoWhenTheNumberOfTheProcessIsTakenAgain) {
  Peer peer(file_, [](EventPage& page) { page.begin_record(); });
  peer.wait();
  const uint64_t ticket = page_->newest();
  peer.end();
  const std::shared_ptr<EventPage> next = open_again();
  EXPECT_EQ(State::kAbandoned, page_->state(ticket));
}

TEST_F(EventPageTest, GoesOnAfterAProcessWasKilledWithAllSlotsInUse) {
  Peer peer(file_, [](EventPage& page) {
    for (uint64_t i = 0; i < EventPage::kMostPending; ++i)
      page.begin_record();
  });
  peer.wait();
  peer.end();
  const uint64_t ticket = page_->begin_record();
  EXPECT_EQ(ticket, page_->newest());
  page_->end_record(ticket, State::kDone);
}

TEST_F(EventPageTest, ServesTwoProcessesThatAnswerEachOther) {
  constexpr uint64_t kRounds = 500;
  // Records of the test have odd tickets, those of the peer even ones.
  const auto wait_for = [](EventPage& page, uint64_t ticket) {
    for (;;) {
      const uint32_t seen = page.changes();
      if (page.newest() >= ticket) break;
      page.wait_for_change(seen, kForEver);
    }
    return page.wait(ticket, kForEver) == State::kDone;
  };
  Peer peer(file_, [&](EventPage& page) {
    for (uint64_t round = 0; round < kRounds; ++round) {
      if (!wait_for(page, 2 * round + 1)) _exit(1);
      page.end_record(page.begin_record(), State::kDone);
    }
  });
  for (uint64_t round = 0; round < kRounds; ++round) {
    page_->end_record(page_->begin_record(), State::kDone);
    ASSERT_TRUE(wait_for(*page_, 2 * round + 2));
  }
  peer.wait();
  EXPECT_EQ(2 * kRounds, page_->newest());
}

TEST_F(EventPageTest, RefusesFilesThatAreNoPage) {
  const int plain = memfd_create("plain", MFD_CLOEXEC);
  EXPECT_EQ(ACL_ERROR_RT_DRV_INTERNAL_ERROR, EventPage::open(plain).status().code());
  close(plain);
  const off_t size = lseek(file_, 0, SEEK_END);
  for (const off_t wrong : {size, size + 1, off_t{0}}) {
    const int other = memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSERT_EQ(0, ftruncate(other, wrong));
    EXPECT_EQ(ACL_ERROR_RT_DRV_INTERNAL_ERROR, EventPage::open(other).status().code());
    ASSERT_EQ(0, fcntl(other, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW));
    EXPECT_EQ(ACL_ERROR_RT_DRV_INTERNAL_ERROR, EventPage::open(other).status().code());
    close(other);
  }
  EXPECT_EQ(ACL_ERROR_RT_DRV_INTERNAL_ERROR, EventPage::open(-1).status().code());
}

// Another process can write anything into the page. No call may leave it, or go on for ever.
TEST_F(EventPageTest, EndsEveryCallWhateverThePageContains) {
  const std::span<uint64_t> all = words();
  constexpr size_t kHeader = 2;  // magic and version stay
  for (const uint64_t garbage : {UINT64_MAX, UINT64_MAX << 18, uint64_t{0}, uint64_t{1} << 18,
                                 (UINT64_MAX << 18) ^ 3, uint64_t{0x5555'5555'5555'5555}}) {
    for (uint64_t& word : all.subspan(kHeader))
      __atomic_store_n(&word, garbage, __ATOMIC_SEQ_CST);
    const uint64_t seen = page_->newest();
    EXPECT_NE(State::kPending, page_->wait(seen + 5, Clock::now() + std::chrono::hours(1)));
    const uint64_t ticket = page_->begin_record();
    page_->end_record(ticket, State::kDone);
    EXPECT_EQ(State::kDone, page_->wait(ticket, kForEver));
    EXPECT_EQ(ticket, page_->newest());
  }
  munmap(all.data(), all.size_bytes());
}

}  // namespace
}  // namespace ferry::sharing
