// SPDX-License-Identifier: Apache-2.0
// Text for people: colours (on a terminal only), paragraphs, tables, sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tools {

enum class Paint { kPlain, kBold, kDim, kGood, kBad };

/// `text` in a colour, or unchanged where colours are unwanted: a pipe, NO_COLOR, a dumb terminal.
std::string painted(Paint paint, std::string_view text);

/// Columns of the terminal, limited to a readable width; 100 in a pipe.
size_t text_width();

/// Breaks `text` into lines that fit after `indent` spaces; the first line is not indented.
std::string wrapped(std::string_view text, size_t indent, size_t width);

/// A command as a shell must be given it: words in quotes where that is needed.
std::string shell_quoted(const std::vector<std::string>& words);

/// "512 B", "8.0 GiB".
std::string size_text(uint64_t bytes);

// Made from any kind of text, so that a row can be written as a list.
struct Cell {
  // NOLINTBEGIN(google-explicit-constructor)
  Cell(std::string content, Paint colour = Paint::kPlain)
      : text(std::move(content)), paint(colour) {}
  Cell(std::string_view content, Paint colour = Paint::kPlain) : text(content), paint(colour) {}
  Cell(const char* content, Paint colour = Paint::kPlain) : text(content), paint(colour) {}
  // NOLINTEND(google-explicit-constructor)
  std::string text;
  Paint paint;
};

/// Columns of equal width; the last one is wrapped on a terminal and left whole in a pipe, so that
/// a row stays one line for other programs.
class Table {
 public:
  explicit Table(const std::vector<std::string>& heads);
  void add(std::vector<Cell> row);
  std::string text() const;

 private:
  std::vector<std::vector<Cell>> rows_;
};

/// One line on stderr: "ferry run: ...".
void complain(std::string_view command, std::string_view text);

}  // namespace ferry::tools
