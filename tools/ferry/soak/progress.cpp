// SPDX-License-Identifier: Apache-2.0
// Lines on standard output.
#include "soak/progress.h"

#include "process.h"
#include "text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace ferry::tools::soak {
namespace {

constexpr std::chrono::milliseconds kOnTerminal{200};
constexpr std::chrono::milliseconds kElsewhere{30'000};
constexpr int kLinesElsewhere = 20;

bool is_terminal() {
  return isatty(STDOUT_FILENO) == 1;
}

}  // namespace

std::string time_text(std::chrono::seconds time) {
  return fmt::format("{}:{:02}", time.count() / 60, time.count() % 60);
}

Progress::Progress(std::string name, std::chrono::milliseconds length)
    : name_(std::move(name)),
      length_(length),
      interval_(is_terminal() ? kOnTerminal : std::max(kElsewhere, length / kLinesElsewhere)),
      next_(start_ + (is_terminal() ? std::chrono::milliseconds(0) : interval_)) {}

void Progress::show(const Sample& sample) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + interval_;
  const auto seconds = [](auto time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time);
  };
  const auto amount = [&sample](size_t kind) {
    return amount_text(kKinds[kind], static_cast<double>(sample.holdings[kind]));
  };
  std::string line =
      fmt::format("{} {} of {}, round {}: {}, {} files, {} threads, {} mappings", name_,
                  time_text(seconds(now - start_)), time_text(seconds(length_)), sample.round,
                  amount(kHostMemory), amount(kDescriptors), amount(kThreads), amount(kMappings));
  line.resize(std::min(line.size(), text_width() - 1));
  write_all(STDOUT_FILENO, is_terminal() ? "\r\033[K" + line : line + "\n");
}

void clear_progress() {
  if (is_terminal()) write_all(STDOUT_FILENO, "\r\033[K");
}

}  // namespace ferry::tools::soak
