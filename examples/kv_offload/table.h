// SPDX-License-Identifier: Apache-2.0
// The output: the table, row by row, and a progress line on a terminal.
#pragma once

#include "pools.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kv_offload {

// Seconds of each round, by way and direction. Empty for a way the product does not have.
struct Times {
  std::vector<double> loop_out;
  std::vector<double> loop_back;
  std::vector<double> batch_out;
  std::vector<double> batch_back;
};

void print_head();
void print_rows(const Shape& shape, const Times& times);

// "512 B", "8 KiB", "1.5 MiB".
std::string size_text(size_t bytes);

// A line that overwrites itself; nothing when stderr is not a terminal. "" removes it.
void show_progress(const std::string& text);

}  // namespace kv_offload
