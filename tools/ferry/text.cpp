// SPDX-License-Identifier: Apache-2.0
// Escape sequences, line breaks and columns.
#include "text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace ferry::tools {
namespace {

constexpr size_t kWidthOfPipe = 100;
constexpr size_t kLeastWidth = 40;
constexpr size_t kMostWidth = 120;

bool is_terminal() {
  static const bool answer = isatty(STDOUT_FILENO) == 1;
  return answer;
}

bool wants_colours() {
  static const bool answer = [] {
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return is_terminal() && (no_color == nullptr || no_color[0] == '\0') && term != nullptr &&
           std::string_view(term) != "dumb";
  }();
  return answer;
}

const char* escape_of(Paint paint) {
  switch (paint) {
    case Paint::kPlain:
      return "";
    case Paint::kBold:
      return "\033[1m";
    case Paint::kDim:
      return "\033[2m";
    case Paint::kGood:
      return "\033[32m";
    case Paint::kBad:
      return "\033[31m";
  }
  return "";
}

// Paints each line separately, so that the indentation of a wrapped column stays plain.
std::string painted_lines(Paint paint, std::string_view text) {
  std::string result;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    const size_t first = std::min(line.find_first_not_of(' '), line.size());
    result.append(line.substr(0, first)).append(painted(paint, line.substr(first)));
    if (end < text.size()) result += '\n';
    start = end + 1;
  }
  return result;
}

}  // namespace

std::string painted(Paint paint, std::string_view text) {
  if (paint == Paint::kPlain || text.empty() || !wants_colours()) return std::string(text);
  return fmt::format("{}{}\033[0m", escape_of(paint), text);
}

size_t text_width() {
  winsize size{};
  if (!is_terminal() || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kWidthOfPipe;
  }
  return std::clamp<size_t>(size.ws_col, kLeastWidth, kMostWidth);
}

std::string wrapped(std::string_view text, size_t indent, size_t width) {
  const size_t room = width > indent + 10 ? width - indent : 10;
  std::string result;
  size_t used = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (used > 0 && used + 1 + word.size() > room) {
      result.append("\n").append(indent, ' ');
      used = 0;
    }
    if (used > 0) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
  }
  return result;
}

std::string shell_quoted(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%^";
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word)
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

std::string size_text(uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; unit + 1 < std::size(kUnits) && value >= 1024; ++unit)
    value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

Table::Table(const std::vector<std::string>& heads) {
  std::vector<Cell> row;
  row.reserve(heads.size());
  for (const std::string& head : heads)
    row.emplace_back(head, Paint::kBold);
  rows_.push_back(std::move(row));
}

void Table::add(std::vector<Cell> row) {
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<size_t> widths(rows_.front().size(), 0);
  for (const std::vector<Cell>& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].text.size());
  }
  size_t indent = 0;
  for (size_t i = 0; i + 1 < widths.size(); ++i)
    indent += widths[i] + 2;
  std::string result;
  for (const std::vector<Cell>& row : rows_) {
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      result += painted(row[i].paint, row[i].text);
      result.append(widths[i] + 2 - row[i].text.size(), ' ');
    }
    const Cell& last = row.back();
    result += is_terminal() ? painted_lines(last.paint, wrapped(last.text, indent, text_width()))
                            : last.text;
    while (!result.empty() && result.back() == ' ')
      result.pop_back();
    result += '\n';
  }
  return result;
}

void complain(std::string_view command, std::string_view text) {
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}\n", command, text);
}

}  // namespace ferry::tools
