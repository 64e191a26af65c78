// SPDX-License-Identifier: Apache-2.0
#include "plugins/trace/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>

namespace ferry::plugins::trace {
namespace {

// Appends to a fixed room; what does not fit is left out.
class Line {
 public:
  Line(char* begin, size_t size) : begin_(begin), at_(begin), end_(begin + size) {}
  Line& text(std::string_view text) {
    const size_t size = std::min(text.size(), static_cast<size_t>(end_ - at_));
    text.copy(at_, size);
    at_ += size;
    return *this;
  }
  Line& number(uint64_t number) {
    const auto [next, error] = std::to_chars(at_, end_, number);
    if (error == std::errc()) at_ = next;
    return *this;
  }
  // With a binary unit and, from KiB on, one decimal.
  Line& bytes(uint64_t bytes) {
    constexpr std::array<std::string_view, 7> kUnits = {" B",   " KiB", " MiB", " GiB",
                                                        " TiB", " PiB", " EiB"};
    size_t unit = 0;
    uint64_t whole = bytes;
    uint64_t tenths = 0;
    for (; whole >= 1024; ++unit) {
      tenths = (whole % 1024) * 10 / 1024;
      whole /= 1024;
    }
    number(whole);
    if (unit > 0) text(".").number(tenths);
    return text(kUnits[unit]);
  }
  std::string_view all() const { return {begin_, static_cast<size_t>(at_ - begin_)}; }

 private:
  char* begin_;
  char* at_;
  char* end_;
};

void add_moved(const ferryx_trace_event& work, std::string_view before, std::string_view of,
               Line& line) {
  line.text(before);
  if (work.direction != nullptr) line.text(before.empty() ? "" : " ").text(work.direction);
  line.text(" ");
  if (work.items <= 1) {
    line.bytes(work.bytes);
  } else if (work.bytes % work.items == 0 && work.smallest == work.largest) {
    line.number(work.items).text(" x ").bytes(work.bytes / work.items);
  } else {
    line.number(work.items).text(of).bytes(work.bytes);
  }
}

// Functions of the program, and what the library itself does on the host in stream order: that is
// named by the function that asked for it.
std::string_view name_of_callout(const ferryx_trace_event& work) {
  const std::string_view call = work.call != nullptr ? work.call : "";
  if (call.starts_with("aclmdlRIExecute")) return "model run";
  const bool is_of_program =
      call.empty() || call == "aclrtLaunchHostFunc" || call == "aclrtLaunchCallback";
  return is_of_program ? "host function" : call;
}

}  // namespace

std::string_view word_of_kind(const ferryx_trace_event& work) {
  switch (work.work_kind) {
    case FERRYX_COPIES:
      return work.items > 1 ? "batch" : "copy";
    case FERRYX_COLUMNS:
      return "batch";
    case FERRYX_ROWS:
      return "rows";
    case FERRYX_DESCRIBED:
      return "described";
    case FERRYX_INDIRECT:
      return "indirect";
    case FERRYX_FILL:
      return "fill";
    case FERRYX_CALLOUT:
      return "callout";
    case FERRYX_FUNCTION:
      return "function";
    case FERRYX_MARK:
      return "record";
    case FERRYX_AWAIT:
      return "wait";
    case FERRYX_SET_FLAG:
      return "notify";
    case FERRYX_TAKE_FLAG:
      return "take-notify";
    case FERRYX_WRITE_VALUE:
      return "write-value";
    case FERRYX_AWAIT_VALUE:
      return "wait-value";
    case FERRYX_REDUCE:
      return "reduce";
    case FERRYX_KERNEL:
      return "kernel";
    default:
      return "other";
  }
}

std::string_view name_of_work(const ferryx_trace_event& work, char (&room)[128]) {
  if (work.name != nullptr) return work.name;
  Line line(room, sizeof room);
  switch (work.work_kind) {
    case FERRYX_COPIES:
    case FERRYX_COLUMNS:
      add_moved(work, work.items > 1 ? "batch" : "", " items, ", line);
      break;
    case FERRYX_ROWS:
      add_moved(work, "2D", " rows, ", line);
      break;
    case FERRYX_DESCRIBED:
    case FERRYX_INDIRECT:
    case FERRYX_REDUCE:
      add_moved(work, word_of_kind(work), " items, ", line);
      break;
    case FERRYX_FILL:
      line.text("fill ").bytes(work.bytes);
      break;
    case FERRYX_CALLOUT:
      line.text(name_of_callout(work));
      break;
    case FERRYX_FUNCTION:
      line.text("device function");
      break;
    default:
      line.text(word_of_kind(work));
  }
  return line.all();
}

std::string name_of_host(const ferryx_trace_header& header) {
  const std::string_view program = header.program != nullptr ? header.program : "";
  const size_t slash = program.rfind('/');
  return "host: " +
         std::string(slash == std::string_view::npos ? program : program.substr(slash + 1));
}

std::string name_of_device(const ferryx_trace_device& device) {
  std::string name = "device " + std::to_string(device.id);
  if (device.kind != nullptr) name += std::string(" (") + device.kind + ")";
  return name;
}

std::string name_of_stream(int32_t stream) {
  return "stream " + std::to_string(stream);
}

std::string text_of_time(int64_t nanoseconds_since_1970) {
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t rest = ((nanoseconds_since_1970 % kSecond) + kSecond) % kSecond;
  const auto seconds = static_cast<time_t>((nanoseconds_since_1970 - rest) / kSecond);
  tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return "";
  std::array<char, 64> day{};
  std::array<char, 80> text{};
  if (std::strftime(day.data(), day.size(), "%Y-%m-%dT%H:%M:%S", &parts) == 0) return "";
  std::snprintf(text.data(), text.size(), "%s.%06dZ", day.data(), static_cast<int>(rest / 1000));
  return text.data();
}

double gbps_of(const ferryx_trace_event& work) {
  const int64_t duration = work.end - work.begin;
  if (work.bytes == 0 || duration <= 0 || work.unfinished != 0) return 0;
  return static_cast<double>(work.bytes) / static_cast<double>(duration);
}

}  // namespace ferry::plugins::trace
