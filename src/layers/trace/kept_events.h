// SPDX-License-Identifier: Apache-2.0
// The option "ring": the latest works are kept in memory, and written when the program asks.
#pragma once

#include "layers/trace/sink.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace ferry::layers::trace {

// Keeps the latest `most` works, and at most four times as many other events.
class KeptEvents : public Sink {
 public:
  KeptEvents(Sink& sink, uint64_t most) : sink_(sink), most_(most) {}

  std::string write(std::span<const ferryx_trace_event> events) override;
  std::string write_modules(std::span<const ferryx_trace_module> modules) override {
    return sink_.write_modules(modules);
  }
  // Writes what is kept, and keeps nothing then.
  std::string flush() override;
  std::string write_unfinished(std::span<const ferryx_trace_event> events) override {
    return sink_.write_unfinished(events);
  }
  std::string close(uint64_t dropped, const char* reason) override;

  // Events that are no longer kept and were not written.
  uint64_t overwritten() const { return overwritten_; }

 private:
  // An event with the texts and the items that it refers to.
  struct Kept {
    explicit Kept(const ferryx_trace_event& of);
    ferryx_trace_event event;
    std::unique_ptr<char[]> texts;
    std::unique_ptr<ferryx_copy[]> items;
  };
  // Names of lanes and stacks are always kept.
  void add(std::deque<Kept>& list, uint64_t most, const ferryx_trace_event& event);
  void drop_loose_flows();
  void drop_loose_submitters();

  Sink& sink_;
  const uint64_t most_;
  std::deque<Kept> names_;
  std::deque<Kept> works_;
  std::deque<Kept> others_;
  uint64_t overwritten_ = 0;
};

}  // namespace ferry::layers::trace
