// SPDX-License-Identifier: Apache-2.0
// Advice computed from a trace: what was seen, where, what to do, and what that gains. The gain of
// each advice is the difference of two predictions, so what gains nothing is not said.
#pragma once

#include "replay/profile.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ferry::tools::advice {

// A call site that an advice is about.
struct Place {
  std::string function{};  // that was called
  uint64_t site = 0;       // return address; 0: unknown
  std::string script{};    // frame of an interpreter, `function  file:line`; may be empty
  uint64_t calls = 0;      // how many calls of this place belong to the advice
};

// What was seen: the first few, and how many in all.
struct Evidence {
  std::vector<uint64_t> works;  // numbers of works
  uint64_t work_count = 0;
  std::vector<uint32_t> calls;  // indexes in Trace::calls
  uint64_t call_count = 0;
};

struct Advice {
  std::string rule;   // "small-copies"
  std::string title;  // "Copy many small blocks with one call"
  std::string text;   // what was seen, with numbers
  std::vector<Place> places;
  Evidence evidence;
  int64_t now = 0;        // ns, prediction of what was recorded; without the program's pauses,
                          // unless the advice is about them
  int64_t predicted = 0;  // ns, prediction after the change
  std::string to_do;
  std::vector<std::string> hint;  // lines of code

  int64_t gain() const { return now - predicted; }
  std::string link() const { return "docs/tracing.md#" + rule; }
};

// What is worth saying.
struct Threshold {
  int64_t smallest_gain = 50'000;  // ns
  double smallest_share = 0.02;    // of the time now
};

// The device that the program is to run on, or null when it is not known. Asked for at most once,
// and only when a prediction is needed: measuring a profile takes time.
using ProfileOf = std::function<const replay::Profile*()>;

// The largest gain first. Empty when the trace has no copies that can be predicted.
std::vector<Advice> advise(const trace::Trace& trace, const ProfileOf& profile_of,
                           const Threshold& threshold = {});

// Names a return address: `function file:line`; called for places with an address.
using NameOfSite = std::function<std::string(uint64_t site)>;

// "load_pages kv.cpp:42", from the frame of an interpreter where there is one.
std::string place_text(const Place& place, const NameOfSite& name_of);
// "about 3.2 ms of 10.4 ms (31 %)".
std::string gain_text(const Advice& advice);
// For a terminal of `width` columns; one advice after the other, numbered. "" for none.
std::string advice_text(const std::vector<Advice>& list, const NameOfSite& name_of, size_t width);

}  // namespace ferry::tools::advice
