// SPDX-License-Identifier: Apache-2.0
// A device with one queue per stream that copies 8 bytes per nanosecond.
#include "program.h"

#include <algorithm>

namespace ferry::tools::advice {

using trace::Direction;
using trace::Kind;

trace::Call& Program::call(std::string_view function, int32_t stream, int64_t ns) {
  trace::Call& call = trace_.calls.emplace_back();
  call.begin = now_;
  now_ += ns;
  call.end = now_;
  call.thread = 1;
  call.site = site_;
  call.function = trace_.texts.id_of(function);
  call.stream = stream;
  now_ += 20;
  return call;
}

trace::Work& Program::submit(int32_t stream, Kind kind, int64_t ns) {
  trace::Call& call = trace_.calls.back();
  trace::Work& work = trace_.works.emplace_back();
  work.number = trace_.works.size();
  work.correlation = work.number;
  work.submitted = call.end;
  work.begin = std::max(call.end, free_at_[stream]);
  work.end = work.begin + ns;
  free_at_[stream] = work.end;
  work.call_index = static_cast<uint32_t>(trace_.calls.size() - 1);
  work.thread = call.thread;
  work.stream = stream;
  work.function = call.function;
  work.kind = kind;
  if (call.works++ == 0) call.first_work = work.number;
  return work;
}

void Program::describe(const Block& block, trace::Work& work) {
  const bool is_in = block.direction == Direction::kHostToDevice;
  work.direction = block.direction;
  work.memory = block.memory;
  work.bytes = work.smallest = work.largest = block.size;
  work.dst = is_in ? block.device : block.host;
  work.src = is_in ? block.host : block.device;
  work.hash = block.hash;
}

void Program::copy(int32_t stream, const Block& block) {
  call("aclrtMemcpyAsync", stream, 800);
  describe(block, submit(stream, Kind::kCopy, time_of(block.size)));
}

void Program::blocking_copy(int32_t stream, const Block& block) {
  const int64_t begin = std::max(now_, free_at_[stream]);
  const int64_t end = begin + time_of(block.size);
  call("aclrtMemcpyAsync", stream, end - now_ + 100);
  trace::Work& work = submit(stream, Kind::kCopy, 0);
  describe(block, work);
  work.stream = -1;
  work.submitted = work.begin = begin;
  work.end = free_at_[stream] = end;
}

void Program::batch(int32_t stream, const std::vector<Block>& blocks) {
  call("aclrtMemcpyBatchAsync", stream, 1000 + static_cast<int64_t>(blocks.size()) * 10);
  uint64_t bytes = 0;
  uint64_t neighbours = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    bytes += blocks[i].size;
    const bool continues = i > 0 && blocks[i - 1].host + blocks[i - 1].size == blocks[i].host &&
                           blocks[i - 1].device + blocks[i - 1].size == blocks[i].device;
    neighbours += continues ? 1 : 0;
  }
  trace::Work& work = submit(
      stream, Kind::kBatch, time_of(bytes) + static_cast<int64_t>(blocks.size() - neighbours) * 50);
  describe(blocks.front(), work);
  work.bytes = bytes;
  work.items = blocks.size();
  work.neighbours = neighbours;
}

void Program::refused_batch() {
  call("aclrtMemcpyBatchAsync", -1, 1500).result = 207000;
}

void Program::wait(int32_t stream) {
  call("aclrtSynchronizeStream", stream, std::max<int64_t>(free_at_[stream] - now_, 0) + 2000);
}

void Program::record(int32_t stream, uint64_t marker) {
  call("aclrtRecordEvent", stream, 300);
  trace::Work& work = submit(stream, Kind::kRecord, 0);
  work.marker = marker;
  reached_[marker] = work.end;
}

void Program::wait_for_record(int32_t stream, uint64_t marker) {
  call("aclrtStreamWaitEvent", stream, 300);
  free_at_[stream] = std::max(free_at_[stream], reached_[marker]);
  submit(stream, Kind::kWait, 0).marker = marker;
}

void Program::kernel(int32_t stream, int64_t ns) {
  call("aclrtLaunchKernelV2", stream, 900);
  submit(stream, Kind::kKernel, ns);
}

void Program::memory(std::string_view function, std::string_view what, uint64_t address,
                     uint64_t size) {
  const trace::Call& seen = call(function, -1, 5000);
  trace_.instants.push_back({.what = trace::Instant::What::kMemory,
                             .time = seen.begin + 2000,
                             .thread = seen.thread,
                             .name = trace_.texts.id_of(what),
                             .address = address,
                             .size = size});
}

void Program::run_model(int32_t stream, const std::vector<Block>& blocks) {
  call("aclmdlRIExecuteAsync", stream, 2000);
  for (const Block& block : blocks) {
    trace::Work& work = submit(stream, Kind::kCopy, time_of(block.size));
    describe(block, work);
    work.model = 1;
    work.run = runs_;
  }
  ++runs_;
}

}  // namespace ferry::tools::advice
