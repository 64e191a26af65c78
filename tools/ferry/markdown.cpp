// SPDX-License-Identifier: Apache-2.0
// The part of Markdown that the pages of this project use.
#include "markdown.h"

#include "text.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace ferry::tools {
namespace {

constexpr std::string_view kFence = "```";

std::string_view next_line_of(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view without_margin(std::string_view text) {
  const size_t start = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(start);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

// Without the marks of bold text, and of links the text only. Code keeps its marks: they tell a
// name from a word.
std::string plain_inline(std::string_view text) {
  std::string result;
  bool is_code = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') is_code = !is_code;
    if (!is_code && text.substr(i, 2) == "**") {
      ++i;
      continue;
    }
    const size_t middle = text.find("](", i);
    const size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
    if (!is_code && text[i] == '[' && end != std::string_view::npos &&
        text.find_first_of("[]", i + 1) == middle) {
      result += text.substr(i + 1, middle - i - 1);
      i = end;
      continue;
    }
    result += text[i];
  }
  return result;
}

// The width of "- " or "12. " at the start of a list item; none for other lines.
std::optional<size_t> item_mark(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  size_t digits = 0;
  while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])) != 0)
    ++digits;
  if (digits == 0 || line.substr(digits, 2) != ". ") return {};
  return digits + 2;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  line = without_margin(line);
  line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  for (size_t start = 0; start <= line.size();) {
    const size_t end = std::min(line.find('|', start), line.size());
    cells.push_back(plain_inline(without_margin(line.substr(start, end - start))));
    start = end + 1;
  }
  return cells;
}

// Collects lines that belong together. Not shared between threads.
class Renderer {
 public:
  std::string render(std::string_view page) {
    while (!page.empty())
      take(next_line_of(page));
    end_block();
    return std::move(text_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with(kFence)) {
      end_block();
      is_fenced_ = !is_fenced_;
    } else if (is_fenced_) {
      text_.append("    ").append(line).append("\n");
    } else if (without_margin(line).empty()) {
      end_block();
      if (!text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
    } else if (line.starts_with('#')) {
      end_block();
      const size_t start = std::min(line.find_first_not_of("# "), line.size());
      text_.append(painted(Paint::kBold, plain_inline(line.substr(start)))).append("\n");
    } else if (line.starts_with("    ") && block_.empty()) {
      text_.append(line).append("\n");
    } else if (line.starts_with('|')) {
      rows_.push_back(cells_of(line));
    } else {
      take_text(line);
    }
  }

  void take_text(std::string_view line) {
    const size_t margin = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view content = without_margin(line);
    if (const std::optional<size_t> mark = item_mark(content)) {
      end_block();
      margin_ = margin;
      hanging_ = margin + *mark;
    }
    if (!block_.empty()) block_ += ' ';
    block_ += content;
  }

  void end_block() {
    if (!block_.empty()) {
      text_.append(margin_, ' ').append(wrapped(plain_inline(block_), hanging_, text_width()));
      text_ += '\n';
    }
    if (!rows_.empty()) add_table();
    block_.clear();
    rows_.clear();
    margin_ = 0;
    hanging_ = 0;
  }

  void add_table() {
    Table table(rows_.front());
    for (size_t i = 1; i < rows_.size(); ++i) {
      std::vector<std::string>& row = rows_[i];
      const bool is_rule = std::all_of(row.begin(), row.end(), [](const std::string& cell) {
        return cell.find_first_not_of("-: ") == std::string::npos;
      });
      if (i == 1 && is_rule) continue;
      row.resize(rows_.front().size());
      table.add(std::vector<Cell>(row.begin(), row.end()));
    }
    text_ += table.text();
  }

  std::string text_;
  std::string block_;                           // a paragraph or an item, up to now
  std::vector<std::vector<std::string>> rows_;  // of a table
  size_t margin_ = 0;                           // of the first line of the block
  size_t hanging_ = 0;                          // of its further lines
  bool is_fenced_ = false;
};

}  // namespace

std::string rendered_markdown(std::string_view page) {
  return Renderer().render(page);
}

}  // namespace ferry::tools
