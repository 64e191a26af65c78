// SPDX-License-Identifier: Apache-2.0
// The output: tables, a verdict and a progress line for people, JSON for machines.
#pragma once

#include "bench/bench.h"
#include "bench/question.h"
#include "bench/row.h"

#include <string>
#include <vector>

namespace ferry::bench {

/// A description of the machine.
struct Machine {
  std::string processor;
  size_t cores;
  std::string caches;      // "L1 32 KiB, L2 1024 KiB, L3 32768 KiB"
  std::string memory;      // "23.4 GiB"
  std::string huge_pages;  // the kernel's setting: "madvise"
  std::string device;      // "NVIDIA H200, ..."; "" when the cores are the device
};
Machine describe_machine(const std::string& device);

void print_introduction(const Machine& machine, const Pace& pace);
void print_rows(const Question& question, const std::vector<Row>& rows);
/// How many targets were met, and which were missed.
void print_verdict(const std::vector<Row>& rows);

std::string json_text(const Options& options, const Machine& machine, const Pace& pace,
                      const std::vector<Row>& rows, const Sweep& sweep);

/// A line that overwrites itself; prints nothing when stderr is not a terminal. "" erases it.
void show_progress(const std::string& text);

}  // namespace ferry::bench
