// SPDX-License-Identifier: Apache-2.0
// Where the events of a trace go.
#pragma once

#include "layers/trace/trace_plugin.h"

#include <cstdint>
#include <span>
#include <string>

namespace ferry::layers::trace {

// Used by one thread at a time. Functions return "" or what is wrong, as the rest of a sentence
// about the file.
class Sink {
 public:
  virtual ~Sink() = default;

  virtual std::string write(std::span<const ferryx_trace_event> events) = 0;
  virtual std::string write_modules(std::span<const ferryx_trace_module> modules) = 0;
  virtual std::string flush() = 0;
  // After a flush: what is in progress. It is taken out again by what follows.
  virtual std::string write_unfinished(std::span<const ferryx_trace_event> events) = 0;
  virtual std::string close(uint64_t dropped, const char* reason) = 0;
};

}  // namespace ferry::layers::trace
