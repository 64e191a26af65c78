// SPDX-License-Identifier: Apache-2.0
// A summary as tables of text, for the terminal and for the page.
#pragma once

#include "report/summary.h"
#include "text.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools::report {

struct Column {
  std::string head;
  bool is_number = false;    // aligned to the right
  bool is_optional = false;  // left out where the terminal is too narrow
};

struct Section {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes;  // below the table
};

/// What was recorded, in a few lines.
std::vector<std::string> head_of(const trace::Trace& trace, const Summary& summary);

/// What readers must know about the recording: that it was cut off, that events are missing.
std::vector<std::string> warnings_of(const trace::Trace& trace, const Summary& summary);

/// Sections that have rows or notes; long ones have the `top` most important rows.
std::vector<Section> sections_of(const trace::Trace& trace, const Summary& summary, size_t top);

/// "512 ns", "1.23 ms".
std::string time_text(int64_t nanoseconds);
/// "12.3 %"; "" for 0 of nothing.
std::string share_text(double share);
/// Two or three digits; "" when `gbps` is 0.
std::string rate_text(double gbps);
/// "1,234,567".
std::string count_text(uint64_t count);
/// Text of a program, without bytes that a terminal acts on.
std::string printable(std::string_view text);

}  // namespace ferry::tools::report
