// SPDX-License-Identifier: Apache-2.0
// Sorting a trace into threads, calls and works.
#include "advice/survey.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

namespace ferry::tools::advice {
namespace {

constexpr int32_t kFeatureNotSupported = 207000;

struct Name {
  std::string_view function;
  Role role;
};

constexpr std::array kNames{
    Name{"aclrtSynchronizeStream", Role::kSynchronize},
    Name{"aclrtSynchronizeStreamWithTimeout", Role::kSynchronize},
    Name{"aclrtSynchronizeEvent", Role::kSynchronize},
    Name{"aclrtSynchronizeEventWithTimeout", Role::kSynchronize},
    Name{"aclrtSynchronizeDevice", Role::kSynchronize},
    Name{"aclrtSynchronizeDeviceWithTimeout", Role::kSynchronize},
    Name{"aclrtMalloc", Role::kAllocate},
    Name{"aclrtMallocAlign32", Role::kAllocate},
    Name{"aclrtMallocCached", Role::kAllocate},
    Name{"aclrtMallocWithCfg", Role::kAllocate},
    Name{"aclrtMallocForTaskScheduler", Role::kAllocate},
    Name{"aclrtMallocHost", Role::kAllocate},
    Name{"aclrtMallocHostWithCfg", Role::kAllocate},
    Name{"aclrtMemAllocManaged", Role::kAllocate},
    Name{"aclrtFree", Role::kFree},
    Name{"aclrtFreeWithDevSync", Role::kFree},
    Name{"aclrtFreeHost", Role::kFree},
    Name{"aclrtFreeHostWithDevSync", Role::kFree},
    Name{"aclrtHostRegister", Role::kRegister},
    Name{"aclrtHostRegisterV2", Role::kRegister},
    Name{"aclrtHostUnregister", Role::kUnregister},
};

Role role_of_name(std::string_view function) {
  for (const Name& name : kNames) {
    if (name.function == function) return name.role;
  }
  return Role::kOther;
}

// By number of the text, so that each name is compared once.
std::vector<Role> roles_of_texts(const trace::Trace& trace) {
  trace::TextId last = 0;
  for (const trace::Call& call : trace.calls)
    last = std::max(last, call.function);
  std::vector<Role> roles(last + 1, Role::kOther);
  for (trace::TextId id = 1; id <= last; ++id)
    roles[id] = role_of_name(trace.texts.text_of(id));
  return roles;
}

}  // namespace

Survey::Survey(const trace::Trace& trace) : trace_(trace), roles_(trace.calls.size()) {
  const size_t calls = trace.calls.size();
  first_work_.assign(calls + 1, 0);
  for (const trace::Work& work : trace.works) {
    if (work.call_index < calls) ++first_work_[work.call_index + 1];
  }
  std::partial_sum(first_work_.begin(), first_work_.end(), first_work_.begin());
  works_by_call_.resize(first_work_[calls]);
  std::vector<size_t> next(first_work_.begin(), first_work_.end() - 1);
  for (size_t i = 0; i < trace.works.size(); ++i) {
    const uint32_t call = trace.works[i].call_index;
    if (call < calls) works_by_call_[next[call]++] = static_cast<uint32_t>(i);
  }

  const std::vector<Role> by_text = roles_of_texts(trace);
  for (uint32_t i = 0; i < calls; ++i) {
    const trace::Call& call = trace.calls[i];
    roles_[i] = by_text[call.function];
    if (call.result == kFeatureNotSupported &&
        trace.texts.text_of(call.function).starts_with("aclrtMemcpyBatch")) {
      roles_[i] = Role::kRefused;
    } else if (roles_[i] == Role::kOther && first_work_[i + 1] > first_work_[i]) {
      roles_[i] = Role::kSubmit;
    }
    threads_[call.thread].push_back(i);
  }
}

uint32_t Survey::call_at(uint64_t thread, int64_t time) const {
  const auto calls = threads_.find(thread);
  if (calls == threads_.end()) return kNoCall;
  const auto next = std::upper_bound(
      calls->second.begin(), calls->second.end(), time,
      [this](int64_t value, uint32_t call) { return value < trace_.calls[call].begin; });
  if (next == calls->second.begin()) return kNoCall;
  const uint32_t call = *std::prev(next);
  return time <= trace_.calls[call].end ? call : kNoCall;
}

const trace::Work* Survey::next_work(uint32_t call) const {
  const std::vector<uint32_t>& calls = threads_.at(trace_.calls[call].thread);
  auto next = std::upper_bound(calls.begin(), calls.end(), call);
  for (; next != calls.end(); ++next) {
    if (roles_[*next] == Role::kSynchronize) return nullptr;
    const std::span<const uint32_t> works = works_of(*next);
    if (!works.empty()) return &trace_.works[works.front()];
  }
  return nullptr;
}

bool has_batches(std::string_view soc) {
  return !soc.starts_with("Ascend310") && !soc.starts_with("Ascend910Pr") && soc != "Ascend910A" &&
         soc != "Ascend910B";
}

const trace::Work* Survey::single_work(uint32_t call) const {
  const std::span<const uint32_t> works = works_of(call);
  return works.size() == 1 ? &trace_.works[works[0]] : nullptr;
}

}  // namespace ferry::tools::advice
