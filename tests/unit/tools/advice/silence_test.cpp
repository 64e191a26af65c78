// SPDX-License-Identifier: Apache-2.0
// Nothing is found in programs that are written well. What only a prediction can tell is tested
// with the predictions.
#include "advice/candidate.h"
#include "programs.h"

#include <gtest/gtest.h>

namespace ferry::tools::advice {
namespace {

void expect_silence(const std::vector<Candidate>& found, const std::string& program) {
  for (const Candidate& candidate : found)
    ADD_FAILURE() << program << ": " << candidate.advice.rule << ": " << candidate.advice.text;
}

TEST(Silence, OfEachRuleAboutGoodPrograms) {
  for (const GoodProgram& program : good_programs()) {
    const Survey survey(program.trace);
    expect_silence(find_small_copies(survey), program.name);
    expect_silence(find_neighbours(survey), program.name);
    expect_silence(find_pageable(survey), program.name);
    expect_silence(find_serial_streams(survey), program.name);
    expect_silence(find_waits_after_copies(survey), program.name);
    expect_silence(find_repeated_bytes(survey), program.name);
    expect_silence(find_memory_in_loops(survey), program.name);
    expect_silence(find_refused_batches(survey), program.name);
  }
}

TEST(Silence, OfAnEmptyTrace) {
  const trace::Trace trace;
  const Survey survey(trace);
  expect_silence(find_small_copies(survey), "empty");
  expect_silence(find_capturable(survey), "empty");
  expect_silence(find_memory_in_loops(survey), "empty");
}

}  // namespace
}  // namespace ferry::tools::advice
