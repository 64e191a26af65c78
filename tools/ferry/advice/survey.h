// SPDX-License-Identifier: Apache-2.0
// A trace as the rules of advice need it: the calls of each thread in order, what each of them is,
// and the works that it has submitted. Made once in n log n; the rules only read it.
#pragma once

#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace ferry::tools::advice {

enum class Role : uint8_t {
  kOther,        // changes nothing that a rule looks at
  kSubmit,       // has submitted or executed work
  kSynchronize,  // the host waits for a stream, an event or a device
  kAllocate,
  kFree,
  kRegister,
  kUnregister,
  kRefused,  // a batch that this product does not have
};

constexpr uint32_t kNoCall = UINT32_MAX;

class Survey {
 public:
  explicit Survey(const trace::Trace& trace);

  const trace::Trace& trace() const { return trace_; }
  Role role_of(uint32_t call) const { return roles_[call]; }
  // Indexes in Trace::works, in the order of submission.
  std::span<const uint32_t> works_of(uint32_t call) const {
    return {works_by_call_.data() + first_work_[call], first_work_[call + 1] - first_work_[call]};
  }
  // Indexes in Trace::calls, by begin.
  const std::map<uint64_t, std::vector<uint32_t>>& threads() const { return threads_; }
  // The only work of a call, or null.
  const trace::Work* single_work(uint32_t call) const;
  // The call that the thread was in, or kNoCall.
  uint32_t call_at(uint64_t thread, int64_t time) const;
  // The first work of the thread's next call that submits or waits; null when that is a wait.
  const trace::Work* next_work(uint32_t call) const;
  std::string_view function_of(uint32_t call) const {
    return trace_.texts.text_of(trace_.calls[call].function);
  }

 private:
  const trace::Trace& trace_;
  std::vector<Role> roles_;
  std::vector<uint32_t> works_by_call_;
  std::vector<size_t> first_work_;  // one more than calls
  std::map<uint64_t, std::vector<uint32_t>> threads_;
};

// Whether the product has aclrtMemcpyBatch; unknown ones count as new.
bool has_batches(std::string_view soc);

// One copy of one range, moved between memory that stays where it is while the call returns.
inline bool is_queued_copy(const trace::Work& work) {
  return work.kind == trace::Kind::kCopy && !work.is_during_call() && work.result == 0;
}

}  // namespace ferry::tools::advice
