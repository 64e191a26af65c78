// SPDX-License-Identifier: Apache-2.0
// Copies of events.
#include "layers/trace/kept_events.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace ferry::layers::trace {
namespace {

// Texts that do not live forever. The name and the script of a call, the function that asked for
// work, a direction and a kind of memory do.
constexpr const char* ferryx_trace_event::*kTexts[] = {&ferryx_trace_event::domain,
                                                       &ferryx_trace_event::text};

bool has_own_name(const ferryx_trace_event& event) {
  return event.name != nullptr && event.kind != FERRYX_TRACE_CALL;
}

size_t size_of(const char* text) {
  return text == nullptr ? 0 : std::strlen(text) + 1;
}

}  // namespace

KeptEvents::Kept::Kept(const ferryx_trace_event& of) : event(of) {
  size_t size = has_own_name(of) ? size_of(of.name) : 0;
  for (const auto text : kTexts)
    size += size_of(of.*text);
  if (size != 0) texts = std::make_unique<char[]>(size);
  char* at = texts.get();
  const auto keep = [&](const char*& text) {
    if (text == nullptr) return;
    std::memcpy(at, text, size_of(text));
    const char* const kept = at;
    at += size_of(text);
    text = kept;
  };
  if (has_own_name(of)) keep(event.name);
  for (const auto text : kTexts)
    keep(event.*text);
  if (of.item_list == nullptr) return;
  items = std::make_unique<ferryx_copy[]>(of.items);
  std::memcpy(items.get(), of.item_list, of.items * sizeof(ferryx_copy));
  event.item_list = items.get();
}

void KeptEvents::add(std::deque<Kept>& list, uint64_t most, const ferryx_trace_event& event) {
  list.emplace_back(event);
  if (list.size() <= most) return;
  list.pop_front();
  ++overwritten_;
}

std::string KeptEvents::write(std::span<const ferryx_trace_event> events) {
  constexpr uint64_t kOthersPerWork = 4;
  for (const ferryx_trace_event& event : events) {
    switch (event.kind) {
      case FERRYX_TRACE_THREAD:
      case FERRYX_TRACE_DEVICE:
      case FERRYX_TRACE_STREAM:
      case FERRYX_TRACE_STACK:
        names_.emplace_back(event);
        break;
      case FERRYX_TRACE_WORK:
        add(works_, most_, event);
        break;
      default:
        add(others_, most_ * kOthersPerWork, event);
        break;
    }
  }
  return {};
}

// An arrow without the work at one of its ends would lead from or to nowhere.
void KeptEvents::drop_loose_flows() {
  std::unordered_set<uint64_t> waits;
  std::unordered_set<uint64_t> records;
  for (const Kept& kept : works_) {
    if (kept.event.work_kind == FERRYX_AWAIT) waits.insert(kept.event.work);
    if (kept.event.work_kind == FERRYX_MARK) records.insert(kept.event.marker);
  }
  overwritten_ += std::erase_if(others_, [&](const Kept& kept) {
    return kept.event.kind == FERRYX_TRACE_EVENT_FLOW &&
           (!waits.contains(kept.event.work) || !records.contains(kept.event.marker));
  });
}

// Calls are kept in the order of their ends: of a thread, those that began before the oldest one
// that is kept are gone.
void KeptEvents::drop_loose_submitters() {
  std::unordered_map<uint64_t, int64_t> oldest;  // begins of calls, by thread
  for (const Kept& kept : others_) {
    if (kept.event.kind != FERRYX_TRACE_CALL) continue;
    const auto [at, is_new] = oldest.try_emplace(kept.event.thread, kept.event.begin);
    if (!is_new) at->second = std::min(at->second, kept.event.begin);
  }
  for (Kept& kept : works_) {
    const auto at = oldest.find(kept.event.submitter);
    if (at == oldest.end() || kept.event.submitted < at->second) kept.event.submitter = 0;
  }
}

std::string KeptEvents::flush() {
  drop_loose_flows();
  drop_loose_submitters();
  std::string wrong;
  for (std::deque<Kept>* const list : {&names_, &others_, &works_}) {
    for (const Kept& kept : *list) {
      if (wrong.empty()) wrong = sink_.write({&kept.event, 1});
    }
    list->clear();
  }
  return wrong.empty() ? sink_.flush() : wrong;
}

std::string KeptEvents::close(uint64_t dropped, const char* reason) {
  const std::string wrong = flush();
  const std::string wrong_at_end = sink_.close(dropped + overwritten_, reason);
  return wrong.empty() ? wrong_at_end : wrong;
}

}  // namespace ferry::layers::trace
