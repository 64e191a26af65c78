// SPDX-License-Identifier: Apache-2.0
// The questions for GPUs: Ferry through AscendCL against CUDA's own calls.
#pragma once

#include "bench/question.h"

namespace ferry::bench::cuda {

/// Allocates all memory the questions need. Throws std::runtime_error when CUDA cannot be measured.
/// The team must outlive the suite, and device 0 must stay set.
Suite suite(ThreadTeam& team, Effort effort);

}  // namespace ferry::bench::cuda
