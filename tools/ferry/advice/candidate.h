// SPDX-License-Identifier: Apache-2.0
// What a rule finds: an advice without times, and the change whose gain is then predicted.
#pragma once

#include "advice/advice.h"
#include "advice/survey.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ferry::tools::advice {

using WorkSet = std::unordered_set<uint64_t>;  // numbers of works

struct Change {
  WorkSet batched{};                                     // may become items of batches
  std::vector<std::vector<uint64_t>> merged{};           // each list becomes one copy
  std::unordered_map<uint64_t, uint64_t> fewer_items{};  // a batch, and how many items it has less
  WorkSet dropped{};                                     // are not submitted
  WorkSet without_wait{};  // the next step of the thread, a synchronisation, is left out
  WorkSet pinned{};        // their host memory is pinned, so that they are queued
  // Submitted by one call per round; true for the first work of a round.
  std::unordered_map<uint64_t, bool> captured{};
  // Time that the thread has spent in other calls between the step before the work and the work.
  std::unordered_map<uint64_t, int64_t> saved_pauses{};
};

struct Candidate {
  Advice advice;
  Change change;
};

// Counts the calls of an advice by call site, and keeps the first works and calls as evidence.
class Witnesses {
 public:
  explicit Witnesses(const Survey& survey) : survey_(survey) {}
  void add_call(uint32_t call);
  void add_work(const trace::Work& work);
  // Most calls first; places beyond a few are left out.
  void write_to(Advice& advice) const;

 private:
  static constexpr size_t kKept = 8;

  const Survey& survey_;
  Evidence evidence_;
  std::unordered_map<uint64_t, size_t> places_by_key_;
  std::vector<Place> places_;
};

// Groups calls of one site: function, address and script frame.
uint64_t site_key(const trace::Call& call);

// Rules. Each returns one candidate per group of call sites, those with most works first.
std::vector<Candidate> find_small_copies(const Survey& survey);
std::vector<Candidate> find_neighbours(const Survey& survey);
std::vector<Candidate> find_pageable(const Survey& survey);
std::vector<Candidate> find_serial_streams(const Survey& survey);
std::vector<Candidate> find_waits_after_copies(const Survey& survey);
std::vector<Candidate> find_repeated_bytes(const Survey& survey);
std::vector<Candidate> find_memory_in_loops(const Survey& survey);
std::vector<Candidate> find_capturable(const Survey& survey);
std::vector<Candidate> find_refused_batches(const Survey& survey);

}  // namespace ferry::tools::advice
