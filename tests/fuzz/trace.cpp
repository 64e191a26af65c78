// SPDX-License-Identifier: Apache-2.0
// Trace files, also damaged ones: what was read must be consistent.
#include "fuzz.h"
#include "trace/reader.h"

#include <cstddef>
#include <cstdint>
#include <string>

using namespace ferry;

namespace {

void check_calls(const tools::trace::Trace& trace) {
  int64_t last = INT64_MIN;
  for (const tools::trace::Call& call : trace.calls) {
    fuzz::require(call.begin >= last, "calls are ordered");
    fuzz::require(call.end >= call.begin, "a call ends after it began");
    last = call.begin;
  }
}

void check_works(const tools::trace::Trace& trace) {
  uint64_t last = 0;
  for (const tools::trace::Work& work : trace.works) {
    fuzz::require(work.number >= last, "works are ordered");
    fuzz::require(work.end >= work.begin, "a work ends after it began");
    fuzz::require(work.call_index == UINT32_MAX || work.call_index < trace.calls.size(),
                  "a work's call exists");
    fuzz::require(work.items >= 1, "a work has items");
    static_cast<void>(trace.texts.text_of(work.name));
    last = work.number;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tools::trace::Trace trace;
  const std::string error = tools::trace::read_trace_text(fuzz::text_of(data, size), trace);
  fuzz::require(error.find('\n') == std::string::npos, "an error is one line");
  if (!error.empty()) return 0;
  check_calls(trace);
  check_works(trace);
  for (const tools::trace::Range& range : trace.ranges)
    fuzz::require(range.end >= range.begin, "a range ends after it began");
  return 0;
}
