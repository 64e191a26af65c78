// SPDX-License-Identifier: Apache-2.0
// Files to lines, lines to events. All bounds on what is read are here.
#include "trace/reader.h"

#include "trace/builder.h"
#include "trace/event.h"
#include "trace/input.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace ferry::tools::trace {
namespace {

constexpr size_t kBlock = size_t{1} << 20;
constexpr size_t kLongestLine = size_t{64} << 20;
constexpr uint64_t kMostEvents = uint64_t{32} << 20;

// Cuts what it is fed into lines, and hands the events in them to a Builder.
class Lines {
 public:
  explicit Lines(Trace& trace) : trace_(trace), builder_(trace) {}

  // Room for `size` more bytes.
  char* room(size_t size) {
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    if (buffer_.size() < end_ + size + 1) buffer_.resize(end_ + size + 1);
    return buffer_.data() + end_;
  }

  // `size` bytes were written there. "", or the rest of a sentence about the file.
  std::string take(size_t size) {
    size_t searched = end_;
    end_ += size;
    while (char* stop =
               static_cast<char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched))) {
      std::string error = take_line(buffer_.data() + begin_, stop);
      if (!error.empty()) return error;
      begin_ = searched = static_cast<size_t>(stop + 1 - buffer_.data());
    }
    if (end_ - begin_ > kLongestLine) {
      return fmt::format("has a line of more than {} MiB, which no trace of Ferry has",
                         kLongestLine >> 20);
    }
    return {};
  }

  std::string finish() {
    // The end of a file that was cut off; a complete one ends with a line break.
    if (end_ > begin_) {
      room(1);
      std::string error = take_line(buffer_.data(), buffer_.data() + end_);
      if (!error.empty()) return error;
    }
    if (!has_bracket_) return "is empty";
    if (!has_begun_) return "is not a trace of Ferry: it has no event";
    builder_.finish();
    return {};
  }

 private:
  // The line is overwritten.
  std::string take_line(char* line, char* end) {
    while (end > line && (end[-1] == ',' || end[-1] == '\r' || end[-1] == ' '))
      --end;
    while (line < end && *line == ' ')
      ++line;
    *end = '\0';
    if (line == end) return {};
    if (!has_bracket_) {
      if (std::string_view(line, static_cast<size_t>(end - line)) != "[") {
        return "is not a trace of Ferry: its first line is not \"[\"";
      }
      has_bracket_ = true;
      return {};
    }
    if (*line == ']') return {};
    const bool is_event = parse_event(line, event_);
    if (!has_begun_) return begin(is_event);
    if (!is_event || !builder_.add(event_)) ++trace_.lost_lines;
    if (builder_.kept() > kMostEvents) {
      return fmt::format("has more than {} million events, which is the most that Ferry reads",
                         kMostEvents >> 20);
    }
    return {};
  }

  std::string begin(bool is_event) {
    if (!is_event) return "is not a trace of Ferry: its second line is not an event";
    has_begun_ = true;
    return builder_.begin(event_);
  }

  Trace& trace_;
  Builder builder_;
  Event event_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the line that is not complete
  size_t end_ = 0;    // of what is in the buffer
  bool has_bracket_ = false;
  bool has_begun_ = false;
};

std::string read_from(Input& input, Trace& trace) {
  Lines lines(trace);
  for (;;) {
    char* room = lines.room(kBlock);
    const Input::Block block = input.read(room, kBlock);
    std::string error = block.error.empty() ? lines.take(block.size) : block.error;
    if (!error.empty()) return error;
    if (block.size == 0) return lines.finish();
  }
}

bool is_perfetto(std::string_view path) {
  return path.ends_with(".pftrace") || path.ends_with(".pftrace.gz");
}

}  // namespace

std::string read_trace(const std::string& path, Trace& trace) {
  try {
    Input input;
    std::string error = input.open(path);
    if (error.empty() && is_perfetto(path)) {
      error =
          "is in Perfetto's own form, which is for viewers; record .json or .json.gz to read it";
    }
    if (error.empty()) error = read_from(input, trace);
    return error.empty() ? error : fmt::format("{} {}", path, error);
  } catch (const std::bad_alloc&) {
    return fmt::format("{} does not fit into memory", path);
  }
}

std::string read_trace_text(std::string_view text, Trace& trace) {
  Lines lines(trace);
  while (!text.empty()) {
    const size_t size = std::min(text.size(), kBlock);
    std::memcpy(lines.room(size), text.data(), size);
    if (std::string error = lines.take(size); !error.empty()) return error;
    text.remove_prefix(size);
  }
  return lines.finish();
}

}  // namespace ferry::tools::trace
