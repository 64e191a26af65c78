// SPDX-License-Identifier: Apache-2.0
// Aligns numbers to the right and prints the tables.
#include "report/print.h"

#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ferry::tools::report {
namespace {

constexpr size_t kLeastText = 24;  // columns for wrapped text

std::string to_the_right(const std::string& text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::vector<size_t> widths_of(const Section& section) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < section.columns.size(); ++i) {
    size_t width = section.columns[i].head.size();
    for (const std::vector<Cell>& row : section.rows)
      width = std::max(width, row[i].text.size());
    widths.push_back(width);
  }
  // Text in the last column is wrapped.
  if (!section.columns.back().is_number) widths.back() = std::min(widths.back(), kLeastText);
  return widths;
}

bool has_text(const Section& section, size_t column) {
  return std::any_of(section.rows.begin(), section.rows.end(),
                     [column](const std::vector<Cell>& row) { return !row[column].text.empty(); });
}

// Columns without any text are left out, such as the share of a limit that nobody has measured;
// then optional ones, from the right, until the rest fits.
std::vector<size_t> columns_that_fit(const Section& section, const std::vector<size_t>& widths) {
  std::vector<size_t> shown;
  size_t width = 0;
  for (size_t i = 0; i < widths.size(); ++i) {
    if (!has_text(section, i)) continue;
    shown.push_back(i);
    width += widths[i] + (shown.size() > 1 ? 2 : 0);
  }
  for (size_t i = shown.size(); i-- > 0 && width > text_width();) {
    if (!section.columns[shown[i]].is_optional) continue;
    width -= widths[shown[i]] + 2;
    shown.erase(shown.begin() + static_cast<ptrdiff_t>(i));
  }
  return shown;
}

}  // namespace

void print_section(const Section& section) {
  fmt::print("\n{}\n", painted(Paint::kBold, section.title));
  const std::vector<size_t> widths = widths_of(section);
  const std::vector<size_t> shown = columns_that_fit(section, widths);
  std::vector<std::string> heads;
  for (const size_t i : shown) {
    const Column& column = section.columns[i];
    heads.push_back(to_the_right(column.head, column.is_number ? widths[i] : 0));
  }
  Table table(heads);
  for (const std::vector<Cell>& row : section.rows) {
    std::vector<Cell> cells;
    for (const size_t i : shown) {
      cells.push_back(row[i]);
      if (section.columns[i].is_number) cells.back().text = to_the_right(row[i].text, widths[i]);
    }
    table.add(std::move(cells));
  }
  fmt::print("{}", table.text());
  for (const std::string& note : section.notes)
    fmt::print("{}\n", painted(Paint::kDim, wrapped(note, 0, text_width())));
}

void print_report(const trace::Trace& trace, const Summary& summary, size_t top) {
  Paint paint = Paint::kBold;
  for (const std::string& line : head_of(trace, summary)) {
    fmt::print("{}\n", painted(paint, wrapped(line, 2, text_width())));
    paint = Paint::kPlain;
  }
  for (const std::string& line : warnings_of(trace, summary))
    fmt::print("{}\n", painted(Paint::kBad, wrapped(line, 2, text_width())));
  for (const Section& section : sections_of(trace, summary, top))
    print_section(section);
}

}  // namespace ferry::tools::report
