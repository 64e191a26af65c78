// SPDX-License-Identifier: Apache-2.0
// The plugin that writes files, and the file of a trace.
#pragma once

#include "layers/trace/services.h"
#include "layers/trace/sink.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ferry::layers::trace {

// What the beginning of the file says.
struct Beginning {
  int64_t clock = 0;    // nanoseconds of CLOCK_MONOTONIC
  int64_t started = 0;  // nanoseconds since 1970
  bool has_items = false;
  bool has_contents = false;
};

// "" or why no trace can be written to this path: the rest of a sentence about it. Loads the
// plugin; creates nothing.
std::string check_path(const std::string& path);
// The path with the process id in the place of %p.
std::string expanded_path(const std::string& path);

// Creates the file. NULL, and what is wrong, when that fails or another process writes it.
std::unique_ptr<Sink> open_plugin_sink(const std::string& path, const Beginning& beginning,
                                       std::string& wrong);

}  // namespace ferry::layers::trace
