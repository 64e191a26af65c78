// SPDX-License-Identifier: Apache-2.0
// The rules about how copies are cut: many small ones that could be a batch, and neighbours that
// could be one copy.
#include "advice/copy_runs.h"
#include "advice/groups.h"
#include "text.h"

#include <fmt/format.h>

#include <utility>

namespace ferry::tools::advice {
namespace {

constexpr size_t kFewestCopies = 4;            // in a run; shorter ones do not pay a new structure
constexpr uint64_t kLargestItem = 1ULL << 20;  // larger copies are as fast alone
constexpr uint64_t kShareOfNeighbours = 4;     // of a batch: one in four

// Rule `neighbours` has these: at least half of the copies continue the one before.
bool is_mostly_continued(const trace::Trace& trace, const CopyRun& run) {
  return 2 * continued(trace, run) >= run.size();
}

bool is_small_and_pinned(const trace::Trace& trace, const CopyRun& run) {
  uint64_t bytes = 0;
  for (const uint32_t index : run)
    bytes += trace.works[index].bytes;
  const trace::Work& first = trace.works[run.front()];
  const bool is_pinned =
      first.memory == trace::Memory::kPinned || first.memory == trace::Memory::kRegistered;
  const bool has_host = first.direction == trace::Direction::kHostToDevice ||
                        first.direction == trace::Direction::kDeviceToHost;
  return is_pinned && has_host && bytes / run.size() <= kLargestItem;
}

Candidate batch_candidate(Group& group) {
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "small-copies";
  advice.title = "Copy many small blocks with one call";
  advice.text = fmt::format(
      "{} {}, {} each, were submitted one by one. They came in {} of {} on average, with nothing "
      "between them that needs their order.",
      count_text(group.works, "copy"), way_text(group), average_text(group),
      count_text(group.parts, "group"), group.works / group.parts);
  advice.to_do =
      "Collect addresses and sizes of a group in arrays and submit them as one batch. The copies "
      "of "
      "a batch may execute in any order.";
  advice.hint = {"dsts.push_back(dst); srcs.push_back(src); sizes.push_back(size);  // per block",
                 "aclrtMemcpyBatchAsync(dsts.data(), sizes.data(), srcs.data(), sizes.data(), "
                 "sizes.size(), &attribute, &first, 1, &failed, stream);"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

Candidate merge_candidate(Group& group) {
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "neighbours";
  advice.title = "Merge copies that continue each other";
  advice.text = fmt::format(
      "Of {} {}, {} each, {} begin where the copy before ends, in source and destination. They "
      "could be {}.",
      count_text(group.works, "copy"), way_text(group), average_text(group), group.matches,
      count_text(group.works - group.matches, "larger copy"));
  advice.to_do =
      "Copy the whole range with one call, or extend the last block while both sides go on.";
  advice.hint = {
      "if (dst == last_dst + last_size && src == last_src + last_size) last_size += size;",
      "else submit the last block and begin a new one;"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

Candidate batch_neighbours_candidate(Group& group) {
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "neighbours";
  advice.title = "Merge items of batches that continue each other";
  advice.text = fmt::format(
      "Of {} in {} {}, {} begin where the item before ends, in source and destination. Each item "
      "costs time of its own.",
      count_text(group.parts, "item"), count_text(group.works, "batch"), way_text(group),
      group.matches);
  advice.to_do = "Extend the last item while both sides go on, instead of adding one.";
  advice.hint = {"if (dst == dsts.back() + sizes.back() && src == srcs.back() + sizes.back())",
                 "  sizes.back() += size;  // instead of three push_back()"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

void add_merges(const trace::Trace& trace, const CopyRun& run, Group& group) {
  std::vector<uint64_t> numbers;
  const auto end_range = [&] {
    if (numbers.size() > 1) group.change.merged.push_back(numbers);
    numbers.clear();
  };
  for (size_t i = 0; i < run.size(); ++i) {
    const trace::Work& work = trace.works[run[i]];
    const bool goes_on = i > 0 && continues(trace.works[run[i - 1]], work);
    if (!goes_on) end_range();
    group.matches += goes_on ? 1 : 0;
    numbers.push_back(work.number);
    group.add(work);
  }
  end_range();
}

}  // namespace

std::vector<Candidate> find_small_copies(const Survey& survey) {
  const trace::Trace& trace = survey.trace();
  if (!has_batches(trace.soc)) return {};
  Groups groups(survey);
  for_each_copy_run(survey, [&](const CopyRun& run) {
    if (run.size() < kFewestCopies || is_mostly_continued(trace, run) ||
        !is_small_and_pinned(trace, run)) {
      return;
    }
    Group& group = groups.of_works(run);
    ++group.parts;
    for (const uint32_t index : run) {
      group.add(trace.works[index]);
      group.change.batched.insert(trace.works[index].number);
    }
  });
  std::vector<Candidate> result;
  for (Group* group : groups.sorted())
    result.push_back(batch_candidate(*group));
  return result;
}

std::vector<Candidate> find_neighbours(const Survey& survey) {
  const trace::Trace& trace = survey.trace();
  Groups copies(survey);
  for_each_copy_run(survey, [&](const CopyRun& run) {
    if (run.size() < kFewestCopies || !is_mostly_continued(trace, run)) return;
    add_merges(trace, run, copies.of_works(run));
  });
  Groups batches(survey);
  for (const trace::Work& work : trace.works) {
    const bool is_worth = work.kind == trace::Kind::kBatch && work.call_index != UINT32_MAX &&
                          work.neighbours > 0 && work.neighbours < work.items &&
                          work.neighbours * kShareOfNeighbours >= work.items;
    if (!is_worth) continue;
    Group& group = batches.of(site_key(trace.calls[work.call_index]));
    group.add(work);
    group.parts += work.items;
    group.matches += work.neighbours;
    group.change.fewer_items.emplace(work.number, work.neighbours);
  }
  std::vector<Candidate> result;
  for (Group* group : copies.sorted())
    result.push_back(merge_candidate(*group));
  for (Group* group : batches.sorted())
    result.push_back(batch_neighbours_candidate(*group));
  return result;
}

}  // namespace ferry::tools::advice
