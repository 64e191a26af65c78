// SPDX-License-Identifier: Apache-2.0
// Random models against a sequential one: graphs of copies, fills and host functions on up to eight
// streams, ordered by events where they use the same memory, captured, and run several times.
// Usage: ferry_random_models [--seed N] [--graphs N]
#include "acl/acl.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr size_t kCells = 12;  // the first half in device memory, the others in pinned memory
constexpr size_t kFirstPinned = kCells / 2;
constexpr size_t kBytes = 64;
constexpr size_t kStreams = 8;
constexpr size_t kEvents = 16;

void check(aclError code) {
  if (code == ACL_SUCCESS) return;
  std::fprintf(stderr, "error %d: %s\n", code, aclGetRecentErrMsg());
  std::exit(1);
}

using Bytes = std::array<uint8_t, kBytes>;
using Cells = std::array<Bytes, kCells>;

// The same for every cell of pinned memory.
void add_one(void* cell) {
  for (size_t i = 0; i < kBytes; ++i)
    ++static_cast<uint8_t*>(cell)[i];
}

struct Operation {
  enum Kind { kFill, kCopy, kAddOne } kind;
  size_t dst;
  size_t src;
  uint8_t value;

  void apply(Cells& cells) const {
    if (kind == kFill) cells[dst].fill(value);
    if (kind == kCopy) cells[dst] = cells[src];
    if (kind == kAddOne) add_one(cells[dst].data());
  }
};

class Machine {
 public:
  Machine() {
    check(aclrtSetDevice(0));
    check(aclrtMalloc(&device_, kFirstPinned * kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    check(aclrtMallocHost(&pinned_, (kCells - kFirstPinned) * kBytes));
    for (aclrtStream& stream : streams)
      check(aclrtCreateStream(&stream));
    for (aclrtEvent& event : events)
      check(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  }
  ~Machine() {
    for (aclrtEvent event : events)
      check(aclrtDestroyEvent(event));
    for (aclrtStream stream : streams)
      check(aclrtDestroyStream(stream));
    check(aclrtFreeHost(pinned_));
    check(aclrtFree(device_));
    check(aclrtResetDevice(0));
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  uint8_t* cell(size_t index) const {
    return index < kFirstPinned ? static_cast<uint8_t*>(device_) + index * kBytes
                                : static_cast<uint8_t*>(pinned_) + (index - kFirstPinned) * kBytes;
  }
  void write(const Cells& cells) const {
    for (size_t i = 0; i < kCells; ++i)
      check(aclrtMemcpy(cell(i), kBytes, cells[i].data(), kBytes, ACL_MEMCPY_DEFAULT));
  }
  Cells read() const {
    Cells cells;
    for (size_t i = 0; i < kCells; ++i)
      check(aclrtMemcpy(cells[i].data(), kBytes, cell(i), kBytes, ACL_MEMCPY_DEFAULT));
    return cells;
  }
  void queue(const Operation& operation, aclrtStream stream) const {
    switch (operation.kind) {
      case Operation::kFill:
        return check(
            aclrtMemsetAsync(cell(operation.dst), kBytes, operation.value, kBytes, stream));
      case Operation::kCopy:
        return check(aclrtMemcpyAsync(cell(operation.dst), kBytes, cell(operation.src), kBytes,
                                      ACL_MEMCPY_DEFAULT, stream));
      case Operation::kAddOne:
        return check(aclrtLaunchHostFunc(stream, add_one, cell(operation.dst)));
    }
  }

  std::array<aclrtStream, kStreams> streams{};
  std::array<aclrtEvent, kEvents> events{};

 private:
  void* device_ = nullptr;
  void* pinned_ = nullptr;
};

class Graph {
 public:
  Graph(Machine& machine, uint64_t seed) : machine_(machine), random_(seed) {}

  // False when the cells differ from what the sequential model says.
  bool run() {
    aclmdlRI model = nullptr;
    check(aclmdlRICaptureBegin(machine_.streams[0], ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    is_joined_[0] = true;
    const size_t count = pick(40);
    for (size_t i = 0; i < count; ++i)
      add_operation();
    for (size_t stream = 1; stream < kStreams; ++stream)
      if (is_joined_[stream]) order(stream, 0);
    check(aclmdlRICaptureEnd(machine_.streams[0], &model));
    Cells cells;
    for (Bytes& bytes : cells)
      bytes.fill(static_cast<uint8_t>(random_()));
    machine_.write(cells);
    const size_t runs = 1 + pick(3);
    const aclrtStream launcher = machine_.streams[pick(kStreams)];
    for (size_t i = 0; i < runs; ++i) {
      check(aclmdlRIExecuteAsync(model, launcher));
      for (const Operation& operation : operations_)
        operation.apply(cells);
    }
    check(aclrtSynchronizeStream(launcher));
    check(aclmdlRIDestroy(model));
    return machine_.read() == cells;
  }

 private:
  size_t pick(size_t count) { return random_() % count; }

  // What `from` has queued so far comes before what `to` queues next.
  void order(size_t from, size_t to) {
    const aclrtEvent event = machine_.events[pick(kEvents)];
    check(aclrtRecordEvent(event, machine_.streams[from]));
    check(aclrtStreamWaitEvent(machine_.streams[to], event));
    is_joined_[to] = true;
  }

  void add_operation() {
    const size_t stream = pick(kStreams);
    if (!is_joined_[stream]) order(0, stream);
    Operation operation{static_cast<Operation::Kind>(pick(3)), pick(kCells), pick(kCells),
                        static_cast<uint8_t>(random_())};
    // Fills are queued for device memory only, host functions use pinned memory, and copies have a
    // side in device memory.
    if (operation.kind == Operation::kFill) operation.dst = pick(kFirstPinned);
    if (operation.kind == Operation::kAddOne) operation.dst = kFirstPinned + pick(kFirstPinned);
    if (operation.kind == Operation::kCopy) {
      if (operation.dst >= kFirstPinned) operation.src = pick(kFirstPinned);
      if (operation.dst == operation.src) operation.src = (operation.dst + 1) % kFirstPinned;
    }
    const uint32_t touched =
        1u << operation.dst | (operation.kind == Operation::kCopy ? 1u << operation.src : 0);
    for (size_t other = 0; other < kStreams; ++other) {
      if (other != stream && (used_by_[other] & touched) != 0) order(other, stream);
    }
    used_by_[stream] |= touched;
    machine_.queue(operation, machine_.streams[stream]);
    operations_.push_back(operation);
  }

  Machine& machine_;
  std::mt19937_64 random_;
  std::array<bool, kStreams> is_joined_{};
  std::array<uint32_t, kStreams> used_by_{};  // the cells that each stream has used
  std::vector<Operation> operations_;
};

}  // namespace

int main(int count, char** arguments) {
  uint64_t seed = 1;
  uint64_t graphs = 2000;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string option = arguments[i];
    const uint64_t value = std::strtoull(arguments[i + 1], nullptr, 10);
    if (option == "--seed") seed = value;
    if (option == "--graphs") graphs = value;
  }
  Machine machine;
  for (uint64_t i = 0; i < graphs; ++i) {
    const uint64_t own_seed = seed + i;
    if (Graph(machine, own_seed).run()) continue;
    std::fprintf(stderr, "the model of seed %llu gives wrong bytes\n",
                 static_cast<unsigned long long>(own_seed));
    return 1;
  }
  return 0;
}
