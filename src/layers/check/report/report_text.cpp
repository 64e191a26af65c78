// SPDX-License-Identifier: Apache-2.0
// The layout of a finding and of the summary.
#include "layers/check/report/report_text.h"

#include "layers/check/report/command_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr std::string_view kPrefix = "ferry:";
constexpr size_t kLeastWidth = 60;
constexpr size_t kMostWidth = 120;
constexpr size_t kMostFrames = 16;
constexpr size_t kFunctionColumn = 36;

enum class Paint { kPlain, kBold, kDim, kError, kNote };

const char* escape_of(Paint paint) {
  switch (paint) {
    case Paint::kPlain:
      return "";
    case Paint::kBold:
      return "\033[1m";
    case Paint::kDim:
      return "\033[2m";
    case Paint::kError:
      return "\033[1;31m";
    case Paint::kNote:
      return "\033[1;36m";
  }
  return "";
}

// Collects the lines of a report. Not safe to share between threads.
class Lines {
 public:
  explicit Lines(const TextStyle& style) : style_(style) {}

  std::string painted(Paint paint, std::string_view text) const {
    if (!style_.has_colours || paint == Paint::kPlain) return std::string(text);
    return std::string(escape_of(paint)).append(text).append("\033[0m");
  }

  // One line, not wrapped.
  void add(size_t indent, std::string_view text) {
    text_ += painted(Paint::kDim, kPrefix);
    if (!text.empty()) text_.append(indent + 1, ' ').append(text);
    text_ += '\n';
  }

  // A paragraph after a heading, wrapped between words; further lines are aligned with the first.
  void add_paragraph(size_t indent, std::string_view head, std::string_view text) {
    const size_t used = kPrefix.size() + 1 + indent;
    const size_t room = style_.width > used + 20 ? style_.width - used : 20;
    size_t length = head.size();
    std::string text_of_line = painted(Paint::kBold, head);
    while (!text.empty()) {
      const size_t end = std::min(text.find(' '), text.size());
      const std::string_view word = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (length > 0 && length + 1 + word.size() > room) {
        add(indent, text_of_line);
        text_of_line.clear();
        length = 0;
      }
      if (length > 0) text_of_line += ' ';
      length += word.size() + (length > 0 ? 1 : 0);
      text_of_line += word;
    }
    add(indent, text_of_line);
  }

  std::string take() { return std::move(text_); }

 private:
  const TextStyle& style_;
  std::string text_;
};

std::string plural(uint64_t count, const char* word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

Paint paint_of(Severity severity) {
  return severity == Severity::kError ? Paint::kError : Paint::kNote;
}

bool is_of_library(const Frame& frame, std::string_view name) {
  const size_t slash = frame.module.rfind('/');
  return std::string_view(frame.module)
      .substr(slash == std::string::npos ? 0 : slash + 1)
      .starts_with(name);
}

// The frames that start a program or a thread are in every stack and say nothing.
bool is_start(const Frame& frame) {
  constexpr std::string_view kStarts[] = {"_start",
                                          "__libc_start_main",
                                          "__libc_start_main_impl",
                                          "__libc_start_call_main",
                                          "start_thread",
                                          "clone",
                                          "clone3",
                                          "__clone3"};
  if (frame.function.empty()) return is_of_library(frame, "libstdc++.so");
  const std::string name = short_function(frame.function);
  return std::find(std::begin(kStarts), std::end(kStarts), name) != std::end(kStarts) ||
         name == "execute_native_thread_routine" || name.starts_with("std::__invoke") ||
         name.starts_with("std::thread::");
}

bool is_of_interpreter(const Frame& frame) {
  return is_of_library(frame, "python") || is_of_library(frame, "libpython");
}

bool is_of_module(const Frame& frame) {
  return is_of_library(frame, "acl.") || frame.module.find("/ferry/_native.") != std::string::npos;
}

bool is_ours(const Frame& frame) {
  return is_of_library(frame, "libascendcl.so");
}

// The frames of a place that are worth showing.
std::vector<const Frame*> frames_to_show(const DescribedPlace& place) {
  std::vector<const Frame*> frames;
  // Between a script and work that a framework has named there is only the framework.
  if (!place.work.empty() && !place.script.empty()) return frames;
  for (const Frame& frame : place.frames) {
    // The script's stack covers everything beyond the interpreter's own functions; our extension
    // modules only forward calls.
    if (!place.script.empty() && is_of_interpreter(frame)) break;
    if (!place.script.empty() && is_of_module(frame)) continue;
    // Of our library, only the function that was called is shown.
    if (!frames.empty() && is_ours(frame) && is_ours(*frames.back())) frames.pop_back();
    frames.push_back(&frame);
  }
  while (!frames.empty() && is_start(*frames.back()))
    frames.pop_back();
  return frames;
}

std::string location_of(const Frame& frame, const std::string& folder) {
  if (!frame.file.empty() && !is_ours(frame)) {
    const std::string path = shown_path(frame.file, folder);
    return frame.line == 0 ? path : path + ":" + std::to_string(frame.line);
  }
  if (frame.module.empty()) return {};
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(frame.offset));
  return "(" + frame.module + offset + ")";
}

std::string function_of(const Frame& frame) {
  if (frame.function.empty()) return "?";
  // Script functions have no module; their names are short already.
  return frame.module.empty() ? frame.function : short_function(frame.function);
}

void add_frames(Lines& lines, const std::vector<const Frame*>& frames, const std::string& folder) {
  constexpr size_t kIndent = 4;
  const size_t shown = std::min(frames.size(), kMostFrames);
  size_t column = 0;
  for (size_t i = 0; i < shown; ++i) {
    const size_t length = function_of(*frames[i]).size();
    if (length <= kFunctionColumn) column = std::max(column, length);
  }
  for (size_t i = 0; i < shown; ++i) {
    std::string function = function_of(*frames[i]);
    function.resize(std::max(function.size(), column), ' ');
    const std::string number = "#" + std::to_string(i);
    lines.add(kIndent, lines.painted(Paint::kDim, number) + std::string(4 - number.size(), ' ') +
                           function + "  " +
                           lines.painted(Paint::kDim, location_of(*frames[i], folder)));
  }
  if (frames.size() > shown) {
    lines.add(kIndent, "... and " + plural(frames.size() - shown, "more frame"));
  }
}

void add_place(Lines& lines, const DescribedPlace& place, const std::string& folder) {
  std::string head = place.role.empty() ? "where" : place.role;
  if (!place.work.empty()) head.append(": ").append(place.work);
  if (!place.function.empty()) head.append(", in ").append(place.function);
  const std::vector<const Frame*> frames = frames_to_show(place);
  const bool has_stack = !frames.empty() || !place.script.empty();
  lines.add(2, lines.painted(Paint::kBold, head + (has_stack ? ":" : "")));
  std::vector<const Frame*> script;
  for (const Frame& frame : place.script)
    script.push_back(&frame);
  add_frames(lines, script, folder);
  if (!script.empty() && !frames.empty()) lines.add(4, lines.painted(Paint::kDim, "native:"));
  add_frames(lines, frames, folder);
}

void add_tally(Lines& lines, const RuleTally& tally, size_t column) {
  std::string name = tally.rule->name;
  name.resize(column, ' ');
  std::string text = "  " + name + "  ";
  text += lines.painted(paint_of(tally.rule->severity), name_of(tally.rule->severity));
  text.append(tally.rule->severity == Severity::kNote ? 3 : 2, ' ');
  text += plural(tally.findings, "time");
  text += tally.is_full ? " at more than " : " at ";
  text += plural(tally.places, "place");
  lines.add(0, text);
}

// "1,204"
std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

// "no errors", "1 error", "2,000 errors"
std::string amount(uint64_t count, const char* word) {
  return (count == 0 ? "no" : grouped(count)) + " " + word + (count == 1 ? "" : "s");
}

void add_extent(Lines& lines, const Overview& overview, uint64_t suppressed) {
  std::string text = "checked " + amount(overview.calls, "call") + " on " +
                     amount(overview.streams, "stream") + ": " +
                     amount(overview.count(Severity::kError), "error") + ", " +
                     amount(overview.count(Severity::kNote), "note");
  if (suppressed > 0) text += ", " + grouped(suppressed) + " suppressed";
  lines.add(0, lines.painted(Paint::kBold, text));
}

// Escapes a property or the text of a GitHub workflow command.
std::string escaped(std::string_view text, bool is_property) {
  std::string result;
  for (const char c : text) {
    const bool is_special =
        c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
    char code[8];
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned char>(c));
    result += is_special ? std::string(code) : std::string(1, c);
  }
  return result;
}

}  // namespace

TextStyle style_of_stderr() {
  TextStyle style;
  style.is_terminal = isatty(STDERR_FILENO) == 1;
  if (!style.is_terminal) return style;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  style.has_colours = (no_color == nullptr || no_color[0] == '\0') && term != nullptr &&
                      std::string_view(term) != "dumb";
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) {
    style.width = std::clamp<size_t>(size.ws_col, kLeastWidth, kMostWidth);
  }
  return style;
}

std::string finding_text(const DescribedFinding& finding, const std::string& folder,
                         const TextStyle& style) {
  const RuleInfo& rule = *finding.rule;
  Lines lines(style);
  lines.add(0, lines.painted(paint_of(rule.severity), name_of(rule.severity)) + ": " +
                   lines.painted(Paint::kBold, rule.name));
  lines.add_paragraph(2, "", finding.sentence);
  if (finding.code != 0) {
    const std::string code = std::to_string(finding.code);
    lines.add(2, "The call returned " + code + " (ferry explain " + code + ").");
  }
  for (const DescribedPlace& place : finding.places) {
    lines.add(0, "");
    add_place(lines, place, folder);
  }
  lines.add(0, "");
  if (!finding.advice.empty()) lines.add_paragraph(2, "what to do:", finding.advice);
  const std::string name = rule.name;
  lines.add_paragraph(2, "mute:", "FERRY_MUTE=" + name + ", or a line in a suppressions file");
  lines.add_paragraph(2, "more:", "ferry explain " + name);
  return lines.take() + "\n";
}

std::string enough_text(const RuleInfo& rule, uint64_t places, const TextStyle& style) {
  Lines lines(style);
  lines.add_paragraph(0, "",
                      std::string(rule.name) + " was reported at " + plural(places, "place") +
                          "; from now on it is counted only");
  return lines.take() + "\n";
}

std::string summary_text(const Overview& overview, const TextStyle& style) {
  Lines lines(style);
  size_t column = 0;
  for (const RuleTally& tally : overview.tallies) {
    if (tally.findings > 0) column = std::max(column, std::string_view(tally.rule->name).size());
  }
  if (column > 0) {
    lines.add(0, lines.painted(Paint::kBold, "findings by rule:"));
    for (const RuleTally& tally : overview.tallies) {
      if (tally.findings > 0) add_tally(lines, tally, column);
    }
    // Not wrapped: it is there to be copied.
    if (!overview.again.empty()) {
      lines.add(2, lines.painted(Paint::kBold, "again: ") + overview.again);
    }
  }
  const uint64_t suppressed = overview.suppressed();
  if (!overview.file.empty() && column + suppressed > 0) {
    lines.add(2, lines.painted(Paint::kBold, "report: ") + overview.file);
  }
  add_extent(lines, overview, suppressed);
  return lines.take();
}

std::string silence_text(const Overview& overview, const std::vector<std::string>& command,
                         bool has_children, const TextStyle& style) {
  constexpr size_t kMostShown = 80;
  std::string shown = command.empty() ? "the program" : quoted_for_shell(command);
  if (shown.size() > kMostShown) shown = quoted_for_shell(command.front()) + " ...";
  Lines lines(style);
  if (has_children) {
    lines.add_paragraph(0, "",
                        shown +
                            " made no AscendCL call itself; the processes it started report "
                            "for themselves");
  } else {
    const std::string program = command.empty() ? "PROGRAM" : quoted_for_shell(command.front());
    lines.add_paragraph(0, "warning:",
                        shown +
                            " made no AscendCL call: is it linked with libascendcl.so? ferry "
                            "info " +
                            program + " shows what it loads");
  }
  add_extent(lines, overview, 0);
  return lines.take();
}

std::string github_annotations(const Overview& overview) {
  std::string text;
  for (const DescribedFinding& finding : overview.findings) {
    const Spot spot = spot_of(finding, overview.folder);
    if (finding.is_suppressed || spot.path.empty()) continue;
    text += finding.rule->severity == Severity::kError ? "::error " : "::notice ";
    text += "file=" + escaped(spot.path, true) + ",line=" + std::to_string(spot.line);
    text += ",title=" + escaped(finding.rule->name, true) + "::";
    text += escaped(finding.sentence, false) + "\n";
  }
  return text;
}

}  // namespace ferry::layers::check
