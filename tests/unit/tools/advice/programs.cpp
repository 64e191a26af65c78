// SPDX-License-Identifier: Apache-2.0
// Programs that leave nothing to say.
#include "programs.h"

#include "program.h"

#include <utility>

namespace ferry::tools::advice {
namespace {

constexpr uint64_t kPage = 64 * 1024;
constexpr uint64_t kChunk = 8 << 20;

std::vector<Block> scattered(trace::Direction direction, size_t count) {
  std::vector<Block> blocks;
  for (size_t i = 0; i < count; ++i) {
    blocks.push_back({.direction = direction,
                      .host = kHost + i * kPage,
                      .device = kDevice + (i * 7 % count) * 2 * kPage,
                      .size = 4096});
  }
  return blocks;
}

// Two buffers, three streams, events between them, one wait at the end.
trace::Trace pipeline() {
  Program program;
  for (uint64_t round = 0; round < 40; ++round) {
    const uint64_t half = round % 2;
    if (round >= 2) program.at(0x1000).wait_for_record(1, 3 * (round - 2) + 2);
    program.at(0x1010).copy(
        1, {.host = kHost + half * kChunk, .device = kDevice + half * kChunk, .size = kChunk});
    program.at(0x1020).record(1, 3 * round + 1);
    program.at(0x1030).wait_for_record(2, 3 * round + 1);
    program.at(0x1040).kernel(2, 900'000);
    program.at(0x1050).record(2, 3 * round + 2);
    program.at(0x1060).wait_for_record(3, 3 * round + 2);
    program.at(0x1070).copy(3, {.direction = trace::Direction::kDeviceToHost,
                                .host = kHost + (4 + half) * kChunk,
                                .device = kDevice + (2 + half) * kChunk,
                                .size = kChunk});
  }
  program.at(0x1080).wait(3);
  return std::move(program.trace());
}

// One large batch per step and one wait for it; the same host buffer in each step.
trace::Trace batches() {
  Program program;
  for (int step = 0; step < 20; ++step) {
    program.at(0x2000).batch(1, scattered(trace::Direction::kHostToDevice, 512));
    program.at(0x2010).wait(1);
    program.compute(300'000);
    program.at(0x2020).batch(1, scattered(trace::Direction::kDeviceToHost, 512));
    program.at(0x2030).wait(1);
    program.compute(300'000);
  }
  return std::move(program.trace());
}

// Pinned memory that is allocated once; large copies into one buffer, which needs each wait.
trace::Trace pinned_chunks() {
  Program program;
  program.at(0x3000).memory("aclrtMallocHost", "host alloc", kHost, kChunk);
  program.at(0x3010).memory("aclrtMalloc", "alloc", kDevice, 16 * kChunk);
  for (uint64_t i = 0; i < 16; ++i) {
    program.compute(500'000);  // fills the buffer
    program.at(0x3020).copy(1, {.device = kDevice + i * kChunk, .size = kChunk});
    program.at(0x3030).wait(1);
  }
  program.at(0x3040).memory("aclrtFree", "free", kDevice, 16 * kChunk);
  program.at(0x3050).memory("aclrtFreeHost", "host free", kHost, kChunk);
  return std::move(program.trace());
}

// A captured loop: one call per round.
trace::Trace captured() {
  Program program;
  for (int round = 0; round < 50; ++round) {
    program.at(0x4000).run_model(1, scattered(trace::Direction::kHostToDevice, 32));
    program.at(0x4010).wait(1);
  }
  return std::move(program.trace());
}

}  // namespace

std::vector<GoodProgram> good_programs() {
  std::vector<GoodProgram> programs;
  programs.push_back({"pipeline", pipeline()});
  programs.push_back({"batches", batches()});
  programs.push_back({"pinned_chunks", pinned_chunks()});
  programs.push_back({"captured", captured()});
  return programs;
}

}  // namespace ferry::tools::advice
