// SPDX-License-Identifier: Apache-2.0
// Guards next to signal handlers of the program: each gets its own faults, whichever was installed
// first.
#include "layers/check/guard/fault_chain.h"

#include "tests/unit/layers/check/guard/guard_support.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

namespace ferry::layers::check {
namespace {

using FaultChain = GuardTest;
using FaultChainDeathTest = GuardTest;

sigjmp_buf back;
struct sigaction found_by_program;

void jump_back(int /*signal*/, siginfo_t* /*info*/, void* /*context*/) {
  siglongjmp(back, 1);
}

void jump_back_simply(int /*signal*/) {
  siglongjmp(back, 1);
}

void pass_to_found(int signal, siginfo_t* info, void* context) {
  if ((found_by_program.sa_flags & SA_SIGINFO) != 0) {
    found_by_program.sa_sigaction(signal, info, context);
  }
}

struct sigaction action_of(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  return action;
}

// A handler of the program that restores the previous one, whatever was installed on top meanwhile.
class ProgramHandler {
 public:
  explicit ProgramHandler(const struct sigaction& action) { sigaction(SIGSEGV, &action, &before_); }
  ~ProgramHandler() { sigaction(SIGSEGV, &before_, nullptr); }
  ProgramHandler(const ProgramHandler&) = delete;
  ProgramHandler& operator=(const ProgramHandler&) = delete;

  const struct sigaction& before() const { return before_; }

 private:
  struct sigaction before_ {};
};

// An inaccessible page that is not guarded by us.
class ClosedPage {
 public:
  ~ClosedPage() { munmap(memory_, page_size()); }
  volatile char* address() const { return static_cast<volatile char*>(memory_); }

 private:
  void* memory_ = mmap(nullptr, page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

// Whether the program's handler gets a fault outside guarded memory.
bool program_gets_fault(volatile char* at) {
  if (sigsetjmp(back, 1) != 0) return true;
  *at = 1;
  return false;
}

TEST_F(FaultChain, FaultsOfOthersGoToTheHandlerOfTheProgram) {
  const Pinned memory(page_);
  const ClosedPage closed;
  struct sigaction simple {};
  simple.sa_handler = jump_back_simply;
  for (const struct sigaction& action : {action_of(jump_back), simple}) {
    const ProgramHandler handler(action);
    EXPECT_EQ(guard(memory.all(), Guard::kNoWrites, 1).size(), page_);
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(program_gets_fault(closed.address()));
    }
    write_byte(memory.address(), 1);
    EXPECT_EQ(take_told().size(), 1u) << "our faults stay ours, although it was installed later";
    unguard(memory.all(), Guard::kNoWrites, 1);
  }
}

TEST_F(FaultChain, AHandlerThatPassesOnMayLieAboveOrBelow) {
  const Pinned memory(page_);
  const ProgramHandler handler(action_of(pass_to_found));
  found_by_program = handler.before();
  guard(memory.all(), Guard::kNoWrites, 1);
  write_byte(memory.address(), 1);
  EXPECT_EQ(take_told().size(), 1u);
  unguard(memory.all(), Guard::kNoWrites, 1);
  guard(memory.all(), Guard::kNoWrites, 2);
  {
    const ProgramHandler above(action_of(pass_to_found));
    found_by_program = above.before();
    write_byte(memory.address(), 2);
  }
  found_by_program = handler.before();
  EXPECT_EQ(take_told().size(), 1u) << "passed on by the program's handler";
}

TEST_F(FaultChain, RightsTheProgramTookAwayAreItsOwnAffair) {
  const Pinned memory(page_);
  const ProgramHandler handler(action_of(jump_back));
  guard(memory.all(), Guard::kNoWrites, 1);
  unguard(memory.all(), Guard::kNoWrites, 1);
  ASSERT_EQ(mprotect(memory.address(), page_, PROT_READ), 0);
  EXPECT_TRUE(program_gets_fault(memory.address()));
  EXPECT_TRUE(take_told().empty());
}

TEST_F(FaultChainDeathTest, HandlersThatGoInCirclesEndWithTheDefault) {
  const Pinned memory(page_);
  const ClosedPage closed;
  const ProgramHandler handler(action_of(pass_to_found));
  guard(memory.all(), Guard::kNoWrites, 1);
  // The handler below ours passes on to ours, as if ours had been installed a second time.
  sigaction(SIGSEGV, nullptr, &found_by_program);
  ASSERT_NE(found_by_program.sa_sigaction, pass_to_found);
  EXPECT_EXIT(*closed.address() = 1, ::testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace ferry::layers::check
