// SPDX-License-Identifier: Apache-2.0
// Runs of copies: what a thread has submitted to one stream in one direction, copy by copy, without
// anything between them that orders them.
#pragma once

#include "advice/survey.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ferry::tools::advice {

using CopyRun = std::vector<uint32_t>;  // indexes in Trace::works; at least two

// A run ends at other work of its stream, where its thread waits, and at a long pause: then the
// program was doing something else.
void for_each_copy_run(const Survey& survey, const std::function<void(const CopyRun&)>& look);

// Whether `next` begins where `work` ends, on both sides.
bool continues(const trace::Work& work, const trace::Work& next);

// How many copies of the run continue the one before.
uint64_t continued(const trace::Trace& trace, const CopyRun& run);

}  // namespace ferry::tools::advice
