// SPDX-License-Identifier: Apache-2.0
// Printing.
#include "table.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace kv_offload {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string speed_text(const Shape& shape, const std::vector<double>& times) {
  if (times.empty()) return "      -         -";
  const double seconds = median(times);
  const double pieces = static_cast<double>(shape.blocks * shape.layers);
  const double bytes = pieces * static_cast<double>(shape.block_bytes);
  char text[64];
  std::snprintf(text, sizeof text, "%7.2f  %8.3f", bytes / seconds / 1e9, seconds / pieces * 1e6);
  return text;
}

void print_row(const Shape& shape, const std::string& left, const char* way,
               const std::vector<double>& loop, const std::vector<double>& batch) {
  char ratio[32] = "-";
  if (!batch.empty()) std::snprintf(ratio, sizeof ratio, "%.1fx", median(loop) / median(batch));
  std::printf("%s  %-4s  %s  %s  %7s\n", left.c_str(), way, speed_text(shape, loop).c_str(),
              speed_text(shape, batch).c_str(), ratio);
}

}  // namespace

std::string size_text(size_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; unit + 1 < std::size(units) && value >= 1024; ++unit)
    value /= 1024;
  const bool is_whole = value == static_cast<double>(static_cast<int>(value));
  char text[32];
  std::snprintf(text, sizeof text, is_whole ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

void print_head() {
  std::printf("%32s  %17s  %17s  %7s\n", "", "loop of copies", "one batch   ", "batch");
  std::printf("%8s  %6s  %8s  %-4s  %7s  %8s  %7s  %8s  %7s\n", "piece", "pieces", "moved", "way",
              "GB/s", "us/piece", "GB/s", "us/piece", "vs loop");
}

void print_rows(const Shape& shape, const Times& times) {
  const size_t pieces = shape.blocks * shape.layers;
  char left[64];
  std::snprintf(left, sizeof left, "%8s  %6zu  %8s", size_text(shape.block_bytes).c_str(), pieces,
                size_text(pieces * shape.block_bytes).c_str());
  print_row(shape, left, "out", times.loop_out, times.batch_out);
  print_row(shape, std::string(std::string(left).size(), ' '), "back", times.loop_back,
            times.batch_back);
  std::fflush(stdout);
}

void show_progress(const std::string& text) {
  static const bool is_terminal = isatty(STDERR_FILENO) == 1;
  if (!is_terminal) return;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

}  // namespace kv_offload
