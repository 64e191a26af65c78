// SPDX-License-Identifier: Apache-2.0
// The part of the signal handler that handles touches. It may interrupt anything, so it allocates
// nothing and takes only the lock of the guards, and that only for addresses that may be guarded:
// any other crash passes to the program's handler unchanged.
#include "layers/check/guard/touch_handler.h"

#include "base/call_stack.h"
#include "layers/check/guard/fault_chain.h"
#include "layers/check/guard/touch_ring.h"

#include <atomic>
#include <cerrno>

namespace ferry::layers::check {
namespace {

std::atomic<JudgeFault> judge_fault{nullptr};
// Written under the lock of the guards, read by the handler without it. Invariant: a range is
// watched before any of its pages is closed.
std::atomic<uintptr_t> lowest{UINTPTR_MAX};
std::atomic<uintptr_t> highest{0};

bool is_watched(uintptr_t address) {
  return address >= lowest.load() && address < highest.load();
}

bool take_touch(uintptr_t address, const void* context) {
  const uintptr_t instruction = interrupted_instruction(context);
  // A jump into data is not allowed to proceed.
  if (instruction == address) return false;
  const Judgement judgement = judge_fault.load()(address, fault_access(context));
  if (judgement.verdict == Verdict::kTouch) {
    tell_touch({.address = address,
                .instruction = instruction,
                .is_write = judgement.is_write,
                .is_freed = judgement.is_freed,
                .label = judgement.label});
  }
  return judgement.verdict != Verdict::kForeign;
}

bool take_fault(const siginfo_t& info, const void* context) {
  // si_addr is an address only for a page fault, not for kill(2) or a non-canonical access.
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  if (info.si_code <= 0 || !is_watched(address)) return false;
  const int error_before = errno;
  const bool is_taken = take_touch(address, context);
  errno = error_before;
  return is_taken;
}

}  // namespace

void open_touch_handler(JudgeFault judge) {
  judge_fault.store(judge);
  warm_call_stacks();
  open_fault_chain(take_fault);
}

void watch_addresses(const Range& range) {
  if (range.begin < lowest.load()) lowest.store(range.begin);
  if (range.end > highest.load()) highest.store(range.end);
}

}  // namespace ferry::layers::check
