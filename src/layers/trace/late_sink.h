// SPDX-License-Identifier: Apache-2.0
// The file of a trace, which is created when something is written: asking whether it could be
// written leaves nothing behind.
#pragma once

#include "layers/trace/plugin_sink.h"
#include "layers/trace/sink.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace ferry::layers::trace {

class LateSink : public Sink {
 public:
  LateSink(std::string path, const Beginning& beginning)
      : path_(std::move(path)), beginning_(beginning) {}

  std::string open() {
    if (sink_ != nullptr || !wrong_.empty()) return wrong_;
    sink_ = open_plugin_sink(path_, beginning_, wrong_);
    return wrong_;
  }
  bool is_open() const { return sink_ != nullptr; }

  std::string write(std::span<const ferryx_trace_event> events) override {
    return open().empty() ? sink_->write(events) : wrong_;
  }
  std::string write_modules(std::span<const ferryx_trace_module> modules) override {
    return open().empty() ? sink_->write_modules(modules) : wrong_;
  }
  std::string flush() override { return sink_ == nullptr ? wrong_ : sink_->flush(); }
  std::string write_unfinished(std::span<const ferryx_trace_event> events) override {
    return sink_ == nullptr ? wrong_ : sink_->write_unfinished(events);
  }
  std::string close(uint64_t dropped, const char* reason) override {
    return sink_ == nullptr ? wrong_ : sink_->close(dropped, reason);
  }

 private:
  const std::string path_;
  const Beginning beginning_;
  std::unique_ptr<Sink> sink_;
  std::string wrong_;
};

}  // namespace ferry::layers::trace
