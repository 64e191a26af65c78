// SPDX-License-Identifier: Apache-2.0
// Events on their way to a sink, a few at a time: texts that they refer to live until then.
#pragma once

#include "layers/trace/sink.h"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::layers::trace {

class EventList {
 public:
  enum class Stay { kForGood, kUntilMore };  // in the file
  explicit EventList(Sink& sink, Stay stay = Stay::kForGood) : sink_(sink), stay_(stay) {}

  // A new event with nothing in it; valid until the next one is added.
  ferryx_trace_event& add(ferryx_trace_kind kind);
  // A copy of the text that lives as long as the latest event.
  const char* keep(std::string_view text);

  void write();
  // "" or what was wrong first: nothing is written any more then.
  const std::string& problem() const { return problem_; }
  void fail(std::string problem);

 private:
  static constexpr size_t kMost = 256;

  Sink& sink_;
  const Stay stay_;
  std::vector<ferryx_trace_event> events_;
  std::deque<std::string> texts_;
  std::string problem_;
};

}  // namespace ferry::layers::trace
