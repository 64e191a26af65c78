// SPDX-License-Identifier: Apache-2.0
// Turns events into bytes of a file. docs/trace_format.md says what they mean.
#pragma once

#include "layers/trace/trace_plugin.h"
#include "plugins/trace/output.h"

#include <cstdint>
#include <memory>
#include <span>

namespace ferry::plugins::trace {

class Format {
 public:
  virtual ~Format() = default;
  virtual void begin(const ferryx_trace_header& header) = 0;
  virtual void add(const ferryx_trace_event& event) = 0;
  // The same for events that are taken out of the file again: nothing that comes later relies on
  // them.
  virtual void add_unfinished(std::span<const ferryx_trace_event> events) = 0;
  virtual void add_modules(const ferryx_trace_module* modules, size_t count) = 0;
  virtual void end(uint64_t dropped, const char* reason) = 0;
};

std::unique_ptr<Format> make_json(Bytes& bytes);

bool can_write_perfetto();
std::unique_ptr<Format> make_perfetto(Bytes& bytes);

}  // namespace ferry::plugins::trace
