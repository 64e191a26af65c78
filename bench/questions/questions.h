// SPDX-License-Identifier: Apache-2.0
// The questions for CPU devices. Those for GPUs are in bench/cuda.
#pragma once

#include "bench/question.h"

namespace ferry::bench {

void ask_latency(const Setup& setup);
void ask_bandwidth(const Setup& setup);
void ask_batch(const Setup& setup);
void ask_pageable(const Setup& setup);
void ask_growth(const Setup& setup);
void ask_memory(const Setup& setup);
void ask_streams(const Setup& setup);
void ask_capture(const Setup& setup);
void ask_check(const Setup& setup);
void ask_trace(const Setup& setup);
void ask_predict(const Setup& setup);
/// Requires setup.fabric.
void ask_fabric(const Setup& setup);

/// Loop, batch and raw copies over block sizes and counts, host to device.
Sweep sweep(const Setup& setup);

}  // namespace ferry::bench
