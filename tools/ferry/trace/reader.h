// SPDX-License-Identifier: Apache-2.0
// Reads trace files: text, compressed or not. docs/trace_format.md describes them.
#pragma once

#include "trace/trace.h"

#include <string>
#include <string_view>

namespace ferry::tools::trace {

/// Reads the trace at `path`, which may be a folder with a trace_view.json. Returns "", or what is
/// wrong with it as one line, `path` included. A trace that was cut off is read as far as it goes;
/// `is_complete` is then false. What `trace` holds after an error is of no use.
std::string read_trace(const std::string& path, Trace& trace);

/// The same from the text of a file.
std::string read_trace_text(std::string_view text, Trace& trace);

}  // namespace ferry::tools::trace
