// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of snapshots: the four operations on this process, a fixture that leaves the
// process running, and callbacks that note their calls. Header only.
#pragma once

#include "support/conformance.h"
#include "support/latch.h"

#include "ferry/ferry.h"

#include <unistd.h>

#include <atomic>

namespace conformance::snapshots {

inline aclError lock() {
  return aclrtSnapShotProcessLock(getpid(), nullptr);
}
inline aclError unlock() {
  return aclrtSnapShotProcessUnlock(getpid(), nullptr);
}
inline aclError back_up() {
  return aclrtSnapShotProcessBackup(getpid(), nullptr);
}
inline aclError restore() {
  return aclrtSnapShotProcessRestore(getpid(), nullptr);
}

enum class State { kRunning, kLocked, kBackedUp };
constexpr State kStates[] = {State::kRunning, State::kLocked, State::kBackedUp};

inline void bring_into(State state) {
  if (state != State::kRunning) {
    EXPECT_OK(lock());
  }
  if (state == State::kBackedUp) {
    EXPECT_OK(back_up());
  }
}

// Leaves the process running, whatever a test did.
class WithSnapshot : public WithStream {
 protected:
  void TearDown() override {
    EXPECT_FAILS_WITH(507907, aclrtSnapShotProcessUnlock(getpid(), nullptr))
        << "the test left the process locked";
    ferrySetSnapshotLimit(10000);
    WithStream::TearDown();
  }
};

// Checks of pid and reserved argument, the same for all four operations.
template <class Operation>
void expect_own_process_only(Operation operation, const char* name) {
  char something[64] = {};
  for (const int pid : {0, -1, getpid() + 1, getppid()}) {
    EXPECT_TRUE(fails_as("", "", name, 100000, "EH0007", operation(pid, nullptr)));
    EXPECT_TRUE(fails_as("", "", name, 100000, "EH0007", operation(pid, something)));
  }
  EXPECT_TRUE(fails_as("", "", name, 100000, "EH0007", operation(getpid(), something)));
}

// One call of a callback.
struct Called {
  int stage;
  int32_t device;
  bool operator==(const Called& other) const {
    return stage == other.stage && device == other.device;
  }
};
inline std::vector<Called> calls;  // of note_stage, on the thread of the operation
inline uint32_t result_of_callbacks = 0;

template <int stage>
uint32_t note_stage(int32_t device, void* argument) {
  EXPECT_EQ(argument, &calls);
  calls.push_back({stage, device});
  return result_of_callbacks;
}

constexpr aclrtSnapShotCallBack kNoters[] = {note_stage<0>, note_stage<1>, note_stage<2>,
                                             note_stage<3>, note_stage<4>, note_stage<5>};

// Registers a callback for every stage, until the end of the block.
class Noters {
 public:
  Noters() {
    calls.clear();
    result_of_callbacks = 0;
    for (int stage = 0; stage < 6; ++stage) {
      EXPECT_OK(aclrtSnapShotCallbackRegister(static_cast<aclrtSnapShotStage>(stage),
                                              kNoters[stage], &calls));
    }
  }
  ~Noters() {
    for (int stage = 0; stage < 6; ++stage) {
      EXPECT_OK(
          aclrtSnapShotCallbackUnregister(static_cast<aclrtSnapShotStage>(stage), kNoters[stage]));
    }
  }
  Noters(const Noters&) = delete;
  Noters& operator=(const Noters&) = delete;

  static std::vector<int> stages() {
    std::vector<int> all;
    for (const Called& call : calls)
      all.push_back(call.stage);
    return all;
  }
};

}  // namespace conformance::snapshots
