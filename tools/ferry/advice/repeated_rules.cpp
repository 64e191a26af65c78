// SPDX-License-Identifier: Apache-2.0
// The rules about what a program does again: the same bytes copied to where they are, and memory
// that is allocated or registered in each round of a loop.
#include "advice/groups.h"
#include "advice/timeline.h"
#include "text.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::tools::advice {
namespace {

constexpr uint64_t kFewestUses = 4;

// Which work has written which bytes of devices last.
class LastWriters {
 public:
  void forget_all() { entries_.clear(); }

  void forget(uint64_t begin, uint64_t end) {
    auto entry = entries_.lower_bound(begin);
    if (entry != entries_.begin() && std::prev(entry)->second.end > begin) --entry;
    while (entry != entries_.end() && entry->first < end)
      entry = entries_.erase(entry);
  }

  // The only writer of exactly these items, or null.
  const trace::Work* writer_of(const std::vector<trace::Item>& items) const {
    const trace::Work* writer = nullptr;
    for (const trace::Item& item : items) {
      const auto entry = entries_.find(item.dst);
      if (entry == entries_.end() || entry->second.end != item.dst + item.size ||
          entry->second.src != item.src) {
        return nullptr;
      }
      if (writer != nullptr && writer != entry->second.writer) return nullptr;
      writer = entry->second.writer;
    }
    return writer;
  }

  void set(const std::vector<trace::Item>& items, const trace::Work& writer) {
    for (const trace::Item& item : items) {
      forget(item.dst, item.dst + item.size);
      if (item.size > 0) entries_[item.dst] = {item.dst + item.size, item.src, &writer};
    }
  }

 private:
  struct Entry {
    uint64_t end = 0;
    uint64_t src = 0;
    const trace::Work* writer = nullptr;
  };
  std::map<uint64_t, Entry> entries_;  // by begin; no two overlap
};

enum class Effect { kNone, kCopiesToDevice, kUnknown };

// What a work does to the memory of devices.
Effect effect_of(const trace::Work& work) {
  switch (work.kind) {
    case trace::Kind::kRecord:
    case trace::Kind::kWait:
    case trace::Kind::kNotify:
    case trace::Kind::kTakeNotify:
    case trace::Kind::kWaitValue:
    case trace::Kind::kCallout:
    case trace::Kind::kFunction:
      return Effect::kNone;  // functions of the host
    case trace::Kind::kCopy:
    case trace::Kind::kBatch:
    case trace::Kind::kRows:
      break;
    default:
      return Effect::kUnknown;
  }
  if (work.direction == trace::Direction::kDeviceToHost ||
      work.direction == trace::Direction::kHostToHost) {
    return Effect::kNone;
  }
  return work.kind == trace::Kind::kRows ? Effect::kUnknown : Effect::kCopiesToDevice;
}

// Empty when the trace does not say.
std::vector<trace::Item> items_of(const trace::Trace& trace, const trace::Work& work) {
  const auto listed = trace.items.find(work.number);
  if (listed != trace.items.end()) return listed->second;
  if (work.items > 1 || work.dst == 0 || work.src == 0) return {};
  return {{.dst = work.dst, .src = work.src, .size = work.bytes}};
}

bool is_same_copy(const trace::Work& before, const trace::Work& work) {
  return work.hash != 0 && before.hash == work.hash && before.bytes == work.bytes &&
         before.items == work.items && before.kind == work.kind &&
         before.direction == work.direction;
}

Candidate repeated_candidate(Group& group) {
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "repeated-bytes";
  advice.title = "Do not copy the same bytes again";
  advice.text = fmt::format(
      "{} {}, {} each, moved bytes that were already there: source, destination, size and contents "
      "were those of an earlier copy, and no traced work wrote to the destination between.",
      count_text(group.works, "copy"), way_text(group), average_text(group));
  advice.to_do = "Keep what is on the device, and copy again only when the source has changed.";
  advice.hint = {"if (source_has_changed) aclrtMemcpyAsync(dst, size, src, size, kind, stream);",
                 "source_has_changed = false;"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

// A block of memory that is in use.
struct Block {
  uint64_t end = 0;
  uint32_t call = 0;  // that has allocated or registered it
  uint64_t key = 0;   // of its site and size
  bool is_used = false;
};

// One site that allocates or registers the same size again and again.
struct LoopSite {
  explicit LoopSite(const Survey& survey) : group(survey) {}
  Group group;
  std::vector<uint32_t> freed;  // calls that gave back blocks that a later one could have been
  uint64_t size = 0;
  uint32_t example = 0;  // a call
};

class LoopFinder {
 public:
  explicit LoopFinder(const Survey& survey) : survey_(survey) {}

  void take(const Happening& happening) {
    if (happening.work != nullptr) {
      note_use(happening.work->dst);
      note_use(happening.work->src);
      return;
    }
    const uint32_t call = survey_.call_at(happening.instant->thread, happening.instant->time);
    const Role role = call == kNoCall ? Role::kOther : survey_.role_of(call);
    if (role == Role::kAllocate || role == Role::kRegister) take_begin(*happening.instant, call);
    if (role == Role::kFree || role == Role::kUnregister) take_end(*happening.instant, call);
  }

  std::vector<Candidate> candidates();

 private:
  void note_use(uint64_t address) {
    auto block = blocks_.upper_bound(address);
    if (block == blocks_.begin() || (--block)->second.end <= address) return;
    block->second.is_used = true;
  }

  void take_begin(const trace::Instant& instant, uint32_t call) {
    const uint64_t key = site_key(survey_.trace().calls[call]) + instant.size * 0x9E3779B97F4A7C15U;
    const auto [known, is_new] = sites_by_key_.try_emplace(key, sites_.size());
    if (is_new) sites_.emplace_back(survey_);
    LoopSite& site = sites_[known->second];
    site.size = instant.size;
    site.example = call;
    if (!site.freed.empty()) {
      save(site.freed.back(), site);
      save(call, site);
      site.freed.pop_back();
    }
    blocks_[instant.address] = {instant.address + instant.size, call, key, false};
  }

  void take_end(const trace::Instant& instant, uint32_t call) {
    const auto block = blocks_.find(instant.address);
    if (block == blocks_.end()) return;
    LoopSite& site = sites_[sites_by_key_.at(block->second.key)];
    if (block->second.is_used) {
      site.freed.push_back(call);
    }
    blocks_.erase(block);
  }

  // The call would not be made if the block of an earlier round was kept.
  void save(uint32_t call, LoopSite& site) {
    const trace::Call& seen = survey_.trace().calls[call];
    site.group.witnesses.add_call(call);
    site.group.ns += seen.end - seen.begin;
    ++site.group.matches;
    const trace::Work* next = survey_.next_work(call);
    if (next != nullptr) site.group.change.saved_pauses[next->number] += seen.end - seen.begin;
  }

  const Survey& survey_;
  std::map<uint64_t, Block> blocks_;  // by begin
  std::vector<LoopSite> sites_;
  std::unordered_map<uint64_t, size_t> sites_by_key_;
};

std::vector<Candidate> LoopFinder::candidates() {
  std::vector<Candidate> result;
  for (LoopSite& site : sites_) {
    if (site.group.matches < 2 * kFewestUses) continue;
    const bool is_registered = survey_.role_of(site.example) == Role::kRegister;
    Candidate candidate;
    Advice& advice = candidate.advice;
    advice.rule = "memory-in-loop";
    advice.title = is_registered ? "Register host memory once, not in a loop"
                                 : "Allocate memory once, not in a loop";
    advice.text = fmt::format(
        "Blocks of {} were {} with {}, used and given back, {} times. {} for that took {}.",
        size_text(site.size), is_registered ? "registered" : "allocated",
        survey_.function_of(site.example), site.group.matches / 2 + 1,
        count_text(site.group.matches, "call"), time_text(site.group.ns));
    advice.to_do = is_registered
                       ? "Register the buffer when it is created and unregister it at the end."
                       : "Allocate the buffer before the loop and use it in each round.";
    advice.hint = {
        fmt::format("{}(...);  // once, before the loop", survey_.function_of(site.example)),
        "for (...) { ... }   // uses the same buffer"};
    site.group.witnesses.write_to(advice);
    candidate.change = std::move(site.group.change);
    result.push_back(std::move(candidate));
  }
  return result;
}

}  // namespace

std::vector<Candidate> find_repeated_bytes(const Survey& survey) {
  const trace::Trace& trace = survey.trace();
  if (!trace.has_contents) return {};
  LastWriters writers;
  Groups groups(survey);
  for_each_happening(trace, [&](const Happening& happening) {
    if (happening.work == nullptr) {
      // Memory that goes away or changes its storage.
      writers.forget(happening.instant->address,
                     happening.instant->address + happening.instant->size);
      return;
    }
    const trace::Work& work = *happening.work;
    const Effect effect = effect_of(work);
    if (effect == Effect::kNone) return;
    const std::vector<trace::Item> items =
        effect == Effect::kCopiesToDevice ? items_of(trace, work) : std::vector<trace::Item>{};
    if (items.empty()) {
      writers.forget_all();
      return;
    }
    const trace::Work* before = writers.writer_of(items);
    if (before != nullptr && is_same_copy(*before, work) && work.call_index < trace.calls.size()) {
      Group& group = groups.of(site_key(trace.calls[work.call_index]));
      group.add(work);
      group.change.dropped.insert(work.number);
    }
    writers.set(items, work);
  });
  std::vector<Candidate> result;
  for (Group* group : groups.sorted())
    result.push_back(repeated_candidate(*group));
  return result;
}

std::vector<Candidate> find_memory_in_loops(const Survey& survey) {
  LoopFinder finder(survey);
  for_each_happening(survey.trace(), [&](const Happening& happening) { finder.take(happening); });
  return finder.candidates();
}

}  // namespace ferry::tools::advice
