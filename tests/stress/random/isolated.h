// SPDX-License-Identifier: Apache-2.0
// Runs programs in child processes, so that a crash and a wait without end are differences like any
// other. The calling process must not have used the library.
#pragma once

#include "executor.h"
#include "generator.h"

#include <functional>

namespace stress {

// Runs one program in a process of its own.
std::optional<Failure> run_isolated(const Program& program,
                                    const std::vector<Prediction>& predictions);

// Runs the programs of the seeds from `begin` up to `end`, all in one process, until one fails.
// Returns its seed, or `end`. `progress` is called with each seed before its program runs.
uint64_t run_seeds(uint64_t begin, uint64_t end, Arguments arguments,
                   const std::function<void(uint64_t)>& progress);

}  // namespace stress
