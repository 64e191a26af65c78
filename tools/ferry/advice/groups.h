// SPDX-License-Identifier: Apache-2.0
// Candidates of one rule, grouped by the call sites that they are about.
#pragma once

#include "advice/candidate.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace ferry::tools::advice {

// What a rule has seen at one group of call sites.
struct Group {
  explicit Group(const Survey& survey) : witnesses(survey) {}
  Witnesses witnesses;
  Change change;
  uint64_t works = 0;
  uint64_t bytes = 0;
  uint64_t parts = 0;                    // runs of copies, items of batches
  uint64_t matches = 0;                  // what the rule counts in them
  int64_t ns = 0;                        // a time that the rule sums up
  const trace::Work* example = nullptr;  // the first one
  bool is_mixed = false;                 // its direction or memory is not that of all
  uint32_t first_call = kNoCall;

  void add(const trace::Work& work);
};

class Groups {
 public:
  explicit Groups(const Survey& survey) : survey_(survey) {}
  Group& of(uint64_t key);
  // The group of the call sites of these works, in any order.
  Group& of_works(std::span<const uint32_t> works);
  // Most works first.
  std::vector<Group*> sorted();
  const Survey& survey() const { return survey_; }

 private:
  const Survey& survey_;
  std::vector<Group> groups_;
  std::unordered_map<uint64_t, size_t> by_key_;
};

// "H2D from pinned memory", "D2H to registered memory", "in several directions".
std::string way_text(const Group& group);
// "4.0 KiB", or "about 4.0 KiB" when the copies differ.
std::string average_text(const Group& group);
std::string time_text(int64_t ns);                         // "3.2 ms"
std::string count_text(uint64_t count, const char* noun);  // "1 copy", "12 copies"

}  // namespace ferry::tools::advice
