// SPDX-License-Identifier: Apache-2.0
// Turns sites into frames, and selects the frame to show first.
#include "layers/check/report/described.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

namespace ferry::layers::check {
namespace {

// "function  file:line"; any other text is taken as a function.
Frame script_frame(const std::string& text) {
  Frame frame;
  frame.function = text;
  const size_t gap = text.find("  ");
  const size_t colon = text.rfind(':');
  if (gap == std::string::npos || colon == std::string::npos || colon < gap + 2) return frame;
  const char* end = text.data() + text.size();
  uint32_t line = 0;
  const auto number = std::from_chars(text.data() + colon + 1, end, line);
  if (number.ec != std::errc() || number.ptr != end) return frame;
  frame.line = line;
  frame.function = text.substr(0, gap);
  frame.file = text.substr(gap + 2, colon - gap - 2);
  return frame;
}

std::vector<Frame> script_frames(const std::string& text) {
  std::vector<Frame> frames;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    if (end > start) frames.push_back(script_frame(text.substr(start, end - start)));
    start = end + 1;
  }
  return frames;
}

DescribedPlace describe(const Place& place) {
  DescribedPlace described{
      .role = place.role, .function = {}, .work = {}, .frames = {}, .script = {}};
  if (place.site == kNoSite) return described;
  const Site& site = site_of(place.site);
  described.function = site.function;
  described.work = site.work;
  described.frames = describe_frames(site.frames);
  described.script = script_frames(site.script);
  return described;
}

// What was queued by a run was recorded before.
std::string recorded_role(std::string role) {
  constexpr std::string_view kQueued = "was queued";
  const size_t at = role.find(kQueued);
  return at == std::string::npos ? role + ", recorded"
                                 : role.replace(at, kQueued.size(), "was recorded");
}

bool is_below(const std::string& path, const std::string& folder) {
  return folder.size() > 1 && path.size() > folder.size() && path.starts_with(folder) &&
         path[folder.size()] == '/';
}

// Ranks files to show a finding at: the program's own files are more useful than inlined library
// headers, and those more than library files that are not on this machine.
int rank_of(const std::string& file, const std::string& folder) {
  if (file.empty()) return 0;
  if (is_below(file, folder)) return 3;
  return file.starts_with("/") && !file.starts_with("/usr/") ? 2 : 1;
}

// Work that a framework has named is advised on in the framework's terms.
const char* advice_for(const Finding& finding) {
  const bool is_named = std::ranges::any_of(
      finding.places, [](const Place& place) { return !site_of(place.site).work.empty(); });
  const bool has_own = is_named && *finding.rule->pytorch_advice != '\0';
  return has_own ? finding.rule->pytorch_advice : finding.rule->advice;
}

}  // namespace

DescribedFinding describe(const Finding& finding) {
  DescribedFinding described;
  described.rule = finding.rule;
  described.sentence = finding.sentence;
  described.advice = finding.advice.empty() ? advice_for(finding) : finding.advice;
  described.code = finding.code;
  std::set<SiteId> launches;  // each is shown once
  for (const Place& place : finding.places) {
    const SiteId launched = site_of(place.site).launched;
    const bool is_recorded = launched != kNoSite;
    described.places.push_back(describe(
        {.role = is_recorded ? recorded_role(place.role) : place.role, .site = place.site}));
    if (is_recorded && launches.insert(launched).second) {
      described.places.push_back(describe({.role = "the run was launched", .site = launched}));
    }
  }
  return described;
}

uint64_t Overview::count(Severity severity) const {
  uint64_t sum = 0;
  for (const RuleTally& tally : tallies) {
    if (tally.rule->severity == severity) sum += tally.findings;
  }
  return sum;
}

uint64_t Overview::suppressed() const {
  uint64_t sum = 0;
  for (const RuleTally& tally : tallies)
    sum += tally.suppressed;
  return sum;
}

std::string shown_path(const std::string& path, const std::string& folder) {
  return is_below(path, folder) ? path.substr(folder.size() + 1) : path;
}

Spot spot_of(const DescribedFinding& finding, const std::string& folder) {
  const Frame* best = nullptr;
  int best_rank = 0;
  const auto look_at = [&](const std::vector<Frame>& frames) {
    for (const Frame& frame : frames) {
      const int rank = frame.line == 0 ? 0 : rank_of(frame.file, folder);
      if (rank <= best_rank) continue;
      best_rank = rank;
      best = &frame;
    }
  };
  for (const DescribedPlace& place : finding.places) {
    look_at(place.script);
    look_at(place.frames);
  }
  return best == nullptr ? Spot() : Spot{shown_path(best->file, folder), best->line};
}

}  // namespace ferry::layers::check
