// SPDX-License-Identifier: Apache-2.0
// The questions for GPUs; the one about batches is in batch.h. Those for CPU devices are in
// bench/questions.
#pragma once

#include "bench/cuda/ground.h"
#include "bench/question.h"

namespace ferry::bench::cuda {

void ask_latency(const Setup& setup, Ground& ground);
void ask_bandwidth(const Setup& setup, Ground& ground);
void ask_pageable(const Setup& setup, Ground& ground);
void ask_descriptor(const Setup& setup, Ground& ground);
void ask_check(const Setup& setup, Ground& ground);

}  // namespace ferry::bench::cuda
