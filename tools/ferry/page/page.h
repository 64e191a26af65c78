// SPDX-License-Identifier: Apache-2.0
// Writes a trace as one HTML page that needs nothing else: `ferry report --html`. The page itself
// is page.html, page.css and the files in js, which the build embeds into the program.
#pragma once

#include "trace/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ferry::tools::page {

struct Advice {
  std::string title;
  std::string text;
  std::string to_do;
  std::vector<std::string> hint;    // lines of code
  std::vector<std::string> places;  // in the program's source
  std::string gain;                 // such as "saves 1.2 ms of 3.4 ms"
  std::vector<uint64_t> works;      // evidence: numbers of works
  std::vector<uint32_t> calls;      // evidence: indices in Trace::calls
};

// Shown as it is. Cells that are numbers are aligned and sorted as such.
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::array<int64_t, 2>> times;  // begin and end of what a row is about; or empty
  std::vector<std::string> notes;             // below the table
};

// What this machine can do at best.
struct Limit {
  trace::Direction direction = trace::Direction::kNone;
  trace::Memory memory = trace::Memory::kUnknown;
  double gbps = 0;
};

// What others know about the trace.
struct Extras {
  std::unordered_map<uint64_t, std::string> sites;  // address of a call: its place in the source
  std::vector<Advice> advice;
  std::vector<Table> tables;
  std::vector<Limit> limits;
};

// Empty, or what is wrong: the rest of a sentence about the file.
std::string write_page(const trace::Trace& trace, const Extras& extras, const std::string& path);

}  // namespace ferry::tools::page
