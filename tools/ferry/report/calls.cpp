// SPDX-License-Identifier: Apache-2.0
// Sums over calls: by the place in the program, and by why the host waited in them.
#include "report/parts.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry::tools::report {
namespace {

using trace::Call;
using trace::TextId;
using trace::Work;

// Names of places are looked up for this many rows.
constexpr size_t kMostNamedSites = 4096;

// What the name of a function says about it.
enum class Nature : uint8_t { kOther, kSynchronize, kAsync, kCopy, kModel, kAllocation, kSetUp };

bool begins_with_one_of(std::string_view name, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [name](std::string_view beginning) { return name.starts_with(beginning); });
}

Nature nature_of(std::string_view name) {
  if (name.find("Synchronize") != std::string_view::npos || name == "aclrtProcessReport") {
    return Nature::kSynchronize;
  }
  if (name.find("Async") != std::string_view::npos) return Nature::kAsync;
  if (begins_with_one_of(name, {"aclrtMemcpy", "aclrtMemset"})) return Nature::kCopy;
  if (name == "aclmdlRIExecute") return Nature::kModel;
  if (begins_with_one_of(
          name, {"aclrtMalloc", "aclrtFree", "aclrtHostRegister", "aclrtHostUnregister",
                 "aclrtReserveMem", "aclrtReleaseMem", "aclrtMapMem", "aclrtUnmapMem",
                 "aclrtIpcMem", "aclrtMemAlloc", "aclrtMemExport", "aclrtMemImport", "aclrtMemPool",
                 "aclrtMemP2PMap", "aclrtMemMap"})) {
    return Nature::kAllocation;
  }
  if (begins_with_one_of(name, {"aclInit", "aclFinalize", "aclrtSetDevice", "aclrtResetDevice",
                                "aclrtCreate", "aclrtDestroy", "aclmdlRIDestroy"})) {
    return Nature::kSetUp;
  }
  return Nature::kOther;
}

// What the works of a call say about it.
struct Executed {
  bool any = false;       // the call executed work itself
  bool pageable = false;  // some of it with pageable memory
};

std::optional<Block> block_of(Nature nature, Executed executed) {
  switch (nature) {
    case Nature::kSynchronize:
      return Block::kSynchronize;
    case Nature::kModel:
      return Block::kModel;
    case Nature::kAllocation:
      return Block::kAllocation;
    case Nature::kSetUp:
      return Block::kSetUp;
    case Nature::kCopy:
      return executed.pageable ? Block::kPageableCopy : Block::kCopy;
    case Nature::kAsync:
      if (!executed.any) return {};
      return executed.pageable ? Block::kPageableAsync : Block::kOtherAsync;
    case Nature::kOther:
      if (!executed.any) return {};
      return executed.pageable ? Block::kPageableCopy : Block::kCopy;
  }
  return {};
}

struct Site {
  uint32_t first_call = 0;
  uint64_t calls = 0;
  uint64_t failed = 0;
  int64_t host = 0;
  int64_t blocked = 0;
  Counter works = {};
};

// A place and the function that is called there; with stacks, also how it was reached.
struct SiteKey {
  uint64_t address;
  uint64_t stack;
  TextId script;
  TextId function;
  bool operator==(const SiteKey&) const = default;
};

struct HashOfSite {
  size_t operator()(const SiteKey& key) const {
    const uint64_t texts = (uint64_t{key.script} << 32) | key.function;
    return std::hash<uint64_t>{}(((key.address ^ key.stack << 40) * 0x9e3779b97f4a7c15U) ^ texts);
  }
};

class CallSums {
 public:
  CallSums(const Source& source, Places& places) : source_(source), places_(places) {}

  void run(Summary& summary) {
    note_executed();
    for (size_t i = 0; i < source_.trace.calls.size(); ++i)
      add(static_cast<uint32_t>(i), summary);
    for (const uint32_t place : source_.by_begin) {
      const Work& work = source_.trace.works[place];
      if (work.call_index < site_of_.size() && is_copy(work) && !work.is_unfinished) {
        sites_[site_of_[work.call_index]].works.add(work, source_.limit_of(work));
      }
    }
    summary.calls = source_.trace.calls.size();
    summary.threads = threads_.size();
    finish_sites(summary);
    finish_blocks(summary);
    finish_open_calls(summary);
  }

 private:
  void note_executed() {
    executed_.resize(source_.trace.calls.size());
    for (const Work& work : source_.trace.works) {
      if (work.call_index >= executed_.size() || !work.is_during_call()) continue;
      executed_[work.call_index].any = true;
      if (work.memory == trace::Memory::kPageable) executed_[work.call_index].pageable = true;
    }
  }

  Nature nature(TextId function) {
    const auto [known, is_new] = natures_.try_emplace(function, Nature::kOther);
    if (is_new) known->second = nature_of(source_.trace.texts.text_of(function));
    return known->second;
  }

  void add(uint32_t index, Summary& summary) {
    const Call& call = source_.trace.calls[index];
    const int64_t time = call.end - call.begin;
    const SiteKey key{.address = call.script != trace::kNoText ? 0 : call.site,
                      .stack = call.stack,
                      .script = call.script,
                      .function = call.function};
    const auto [known, is_new] = places_of_sites_.try_emplace(key, sites_.size());
    if (is_new) sites_.push_back({.first_call = index});
    site_of_.push_back(known->second);
    Site& site = sites_[known->second];
    ++site.calls;
    if (call.result != 0) ++site.failed;
    grow(site.host, time);
    grow(summary.in_calls, time);
    threads_.insert(call.thread);
    const std::optional<Block> block = block_of(nature(call.function), executed_[index]);
    if (!block) return;
    grow(site.blocked, time);
    grow(summary.blocked, time);
    Blocked& blocked = blocked_[static_cast<size_t>(*block)];
    ++blocked.calls;
    grow(blocked.time, time);
    if (blocked.calls == 1 || time > blocked.longest) {
      blocked.longest = time;
      blocked.longest_call = index;
    }
  }

  void finish_sites(Summary& summary) {
    // Calls that do nothing for copies and take no time are told by their sums only.
    for (const Site& site : sites_) {
      SiteRow& row = summary.sites.emplace_back();
      row.place.address = site.first_call;  // until it is named
      row.function = source_.trace.calls[site.first_call].function;
      row.calls = site.calls;
      row.failed = site.failed;
      row.host = site.host;
      row.blocked = site.blocked;
      row.tally = site.works.tally();
    }
    const auto weight = [](const SiteRow& row) {
      int64_t sum = row.host;
      grow(sum, row.tally.time);
      return sum;
    };
    std::stable_sort(
        summary.sites.begin(), summary.sites.end(),
        [&weight](const SiteRow& a, const SiteRow& b) { return weight(a) > weight(b); });
    for (size_t i = 0; i < summary.sites.size(); ++i) {
      Place& place = summary.sites[i].place;
      const auto call = static_cast<uint32_t>(place.address);
      if (i < kMostNamedSites) {
        place = places_.of_call(source_.trace, call);
        summary.sites[i].stack = places_.of_stack(source_.trace, source_.trace.calls[call].stack);
      } else {
        place.address = source_.trace.calls[call].site;
        place.text = "unknown";
      }
    }
  }

  void finish_blocks(Summary& summary) {
    for (size_t i = 0; i < kBlocks; ++i) {
      const Blocked& blocked = blocked_[i];
      if (blocked.calls == 0) continue;
      summary.blocks.push_back(
          {.block = static_cast<Block>(i),
           .calls = blocked.calls,
           .time = blocked.time,
           .longest = blocked.longest,
           .longest_place = places_.of_call(source_.trace, blocked.longest_call),
           .longest_function = source_.trace.calls[blocked.longest_call].function});
    }
    std::stable_sort(summary.blocks.begin(), summary.blocks.end(),
                     [](const BlockedRow& a, const BlockedRow& b) { return a.time > b.time; });
  }

  // One per thread, or few: they are not sorted.
  void finish_open_calls(Summary& summary) {
    for (size_t i = 0; i < source_.trace.calls.size(); ++i) {
      const Call& call = source_.trace.calls[i];
      if (!call.is_unfinished) continue;
      summary.open_calls.push_back(
          {.function = call.function,
           .begin = call.begin,
           .time = call.end - call.begin,
           .thread = call.thread,
           .stream = call.stream,
           .place = places_.of_call(source_.trace, static_cast<uint32_t>(i))});
    }
  }

  struct Blocked {
    uint64_t calls = 0;
    int64_t time = 0;
    int64_t longest = 0;
    uint32_t longest_call = 0;
  };

  const Source& source_;
  Places& places_;
  std::vector<Executed> executed_;  // by call
  std::vector<size_t> site_of_;     // by call
  std::vector<Site> sites_;
  std::unordered_map<SiteKey, size_t, HashOfSite> places_of_sites_;
  std::unordered_map<TextId, Nature> natures_;
  std::unordered_set<uint64_t> threads_;
  std::array<Blocked, kBlocks> blocked_{};
};

}  // namespace

void summarize_calls(const Source& source, Places& places, Summary& summary) {
  CallSums(source, places).run(summary);
}

void summarize_failures(const Source& source, Places& places, Summary& summary) {
  using Key = std::tuple<bool, TextId, int32_t>;
  struct Failure {
    uint64_t count = 0;
    int64_t first = 0;
    uint32_t call = UINT32_MAX;
  };
  std::map<Key, Failure> failures;
  const auto add = [&failures](const Key& key, int64_t time, uint32_t call) {
    Failure& failure = failures[key];
    if (failure.count++ != 0 && time >= failure.first) return;
    failure.first = time;
    failure.call = call;
  };
  for (size_t i = 0; i < source.trace.calls.size(); ++i) {
    const Call& call = source.trace.calls[i];
    if (call.result == 0) continue;
    add({false, call.function, call.result}, call.begin, static_cast<uint32_t>(i));
  }
  for (const Work& work : source.trace.works) {
    if (work.result != 0) add({true, work.function, work.result}, work.begin, work.call_index);
  }
  for (const auto& [key, failure] : failures) {
    summary.failures.push_back({.is_work = std::get<0>(key),
                                .function = std::get<1>(key),
                                .result = std::get<2>(key),
                                .count = failure.count,
                                .first = failure.first,
                                .place = places.of_call(source.trace, failure.call)});
  }
  std::stable_sort(summary.failures.begin(), summary.failures.end(),
                   [](const FailureRow& a, const FailureRow& b) { return a.count > b.count; });
}

}  // namespace ferry::tools::report
