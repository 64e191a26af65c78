// SPDX-License-Identifier: Apache-2.0
// Sites are found by a hash of their content and never freed: findings at the very end of the
// process still refer to them.
#include "layers/check/report/site.h"

#include "base/call_stack.h"
#include "layers/check/report/recent_sites.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ferry::layers::check {
namespace {

constexpr size_t kMostFramesKept = 40;
constexpr SiteId kTooMany = 100'001;  // ids below it are distinct places
constexpr size_t kMostInRuns = 20'000;

// The content of a site, before it is known whether that site exists.
struct Stack {
  const char* function;
  std::span<const uintptr_t> frames;
  std::string_view script;
  std::string_view work;

  uint64_t hash() const;
  bool is_of(const Site& site) const;
};

uint64_t Stack::hash() const {
  uint64_t hash = XXH3_64bits(frames.data(), frames.size_bytes());
  hash = XXH3_64bits_withSeed(function, std::strlen(function), hash);
  if (!work.empty()) hash = XXH3_64bits_withSeed(work.data(), work.size(), hash);
  return script.empty() ? hash : XXH3_64bits_withSeed(script.data(), script.size(), hash);
}

bool Stack::is_of(const Site& site) const {
  return std::ranges::equal(frames, site.frames) && std::strcmp(function, site.function) == 0 &&
         script == site.script && work == site.work;
}

// May be shared between threads.
class Sites {
 public:
  Sites();
  SiteId find_or_add(const Stack& stack);
  SiteId in_run(SiteId recorded, SiteId launched);
  const Site& at(SiteId id) const { return *sites_[id].load(std::memory_order_acquire); }

 private:
  std::mutex mutex_;                                   // protects by_hash_, in_runs_ and count_
  std::unordered_multimap<uint64_t, SiteId> by_hash_;  // without those in runs
  std::unordered_map<uint64_t, SiteId> in_runs_;       // by recorded << 32 | launched
  SiteId count_ = 0;
  // Each is written once, before its number is published: reading needs no lock.
  std::atomic<const Site*> sites_[kTooMany + 1];
};

Sites::Sites() {
  sites_[kNoSite].store(new Site);
  auto* too_many = new Site;
  too_many->script = "(more than 100000 different places: not recorded)";
  sites_[kTooMany].store(too_many);
}

SiteId Sites::find_or_add(const Stack& stack) {
  const uint64_t hash = stack.hash();
  const std::lock_guard lock(mutex_);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    if (stack.is_of(at(entry->second))) return entry->second;
  }
  if (count_ + 1 == kTooMany) return kTooMany;
  const SiteId id = ++count_;
  sites_[id].store(new Site{.function = stack.function,
                            .frames = {stack.frames.begin(), stack.frames.end()},
                            .script = std::string(stack.script),
                            .work = std::string(stack.work)},
                   std::memory_order_release);
  by_hash_.emplace(hash, id);
  return id;
}

SiteId Sites::in_run(SiteId recorded, SiteId launched) {
  const uint64_t key = uint64_t{recorded} << 32 | launched;
  const std::lock_guard lock(mutex_);
  const auto known = in_runs_.find(key);
  if (known != in_runs_.end()) return known->second;
  if (in_runs_.size() >= kMostInRuns || count_ + 1 == kTooMany) return recorded;
  auto made = std::make_unique<Site>(at(recorded));
  made->launched = launched;
  in_runs_.emplace(key, count_ + 1);
  sites_[++count_].store(made.release(), std::memory_order_release);
  return count_;
}

Sites& all_sites() {
  static auto* sites = new Sites;
  return *sites;
}

std::atomic<ScriptStack> script_stack{nullptr};
thread_local const char* noted_work = nullptr;

std::string_view noted() {
  return noted_work == nullptr ? std::string_view() : std::string_view(noted_work);
}

// Apart from its caller: only threads of an interpreter, whose stacks are large, pay for the
// buffer.
[[gnu::noinline]] SiteId add_with_script(const char* function, std::span<const uintptr_t> frames) {
  char script[kMostScript];
  return all_sites().find_or_add({.function = function,
                                  .frames = frames,
                                  .script = take_script_stack(script),
                                  .work = noted()});
}

}  // namespace

SiteId capture_site(const char* function) {
  uintptr_t frames[kMostFramesKept];
  const auto caller = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  RecentSites* const recent =
      has_script_stack() || noted_work != nullptr ? nullptr : RecentSites::of_this_thread();
  RecentSites::Entry* const last =
      recent != nullptr ? &recent->entry(function, __builtin_frame_address(0)) : nullptr;
  if (last != nullptr && last->is_current(function, __builtin_frame_address(0))) return last->site;
  const size_t count =
      take_call_stack(caller, frames, own_code(), last != nullptr ? &last->marks : nullptr);
  if (has_script_stack()) return add_with_script(function, {frames, count});
  const SiteId site = all_sites().find_or_add(
      {.function = function, .frames = {frames, count}, .script = {}, .work = noted()});
  if (last != nullptr) {
    last->function = function;
    last->frame = __builtin_frame_address(0);
    last->site = site;
  }
  return site;
}

SiteId intern_site(Site site) {
  // Our first frame ends the stack, as in a stack captured here. A touch by our own code keeps its
  // whole stack.
  const auto ours = std::find_if(site.frames.begin(), site.frames.end(),
                                 [](uintptr_t address) { return own_code().contains(address); });
  if (ours != site.frames.begin()) site.frames.erase(ours, site.frames.end());
  return all_sites().find_or_add(
      {.function = site.function, .frames = site.frames, .script = site.script, .work = site.work});
}

SiteId site_in_run(SiteId recorded, SiteId launched) {
  if (recorded == kNoSite || launched == kNoSite) return recorded;
  return all_sites().in_run(recorded, launched);
}

const Site& site_of(SiteId id) {
  return all_sites().at(id);
}

const char* note_work(const char* text) {
  return std::exchange(noted_work, text);
}

const char* name_of_work(const Site& site) {
  return site.work.empty() ? site.function : site.work.c_str();
}

void set_script_stack(ScriptStack provider) {
  script_stack.store(provider);
}

bool has_script_stack() {
  return script_stack.load() != nullptr;
}

std::string_view take_script_stack(std::span<char, kMostScript> text) {
  const ScriptStack provider = script_stack.load();
  if (provider == nullptr) return {};
  return {text.data(), std::min(provider(text.data(), text.size()), text.size())};
}

}  // namespace ferry::layers::check
