// SPDX-License-Identifier: Apache-2.0
// Copies of 64 MiB, as often as fits into a fraction of a second; the fastest counts.
#include "report/measure.h"

#include "replay/profile.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace ferry::tools::report {
namespace {

using trace::Direction;
using trace::Memory;
using Clock = std::chrono::steady_clock;

constexpr size_t kBytes = size_t{64} << 20;
constexpr auto kLeastTime = std::chrono::milliseconds(120);
constexpr int kLeastCopies = 3;

using Way = std::pair<Direction, Memory>;

// Two blocks of each kind of memory, as far as a way needs them.
class Blocks {
 public:
  Blocks() {
    are_well_ = aclrtMallocHost(&pinned_[0], kBytes) == ACL_SUCCESS &&
                aclrtMallocHost(&pinned_[1], kBytes) == ACL_SUCCESS &&
                aclrtMalloc(&device_[0], kBytes, ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS &&
                aclrtMalloc(&device_[1], kBytes, ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS &&
                aclrtCreateStream(&stream_) == ACL_SUCCESS;
    for (std::unique_ptr<std::byte[]>& block : pageable_) {
      block = std::make_unique<std::byte[]>(kBytes);
      std::memset(block.get(), 1, kBytes);
    }
    // Memory that was never written is one page of zeros, which is faster to read.
    for (void* block : pinned_) {
      if (are_well_) std::memset(block, 1, kBytes);
    }
    for (void* block : device_)
      are_well_ = are_well_ && aclrtMemset(block, kBytes, 1, kBytes) == ACL_SUCCESS;
  }
  ~Blocks() {
    if (stream_ != nullptr) static_cast<void>(aclrtDestroyStream(stream_));
    for (void* block : device_)
      static_cast<void>(block != nullptr ? aclrtFree(block) : ACL_SUCCESS);
    for (void* block : pinned_)
      static_cast<void>(block != nullptr ? aclrtFreeHost(block) : ACL_SUCCESS);
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  bool are_well() const { return are_well_; }

  // 0 when a call has failed.
  double gbps_of(const Way& way) {
    double best = 0;
    const auto begin = Clock::now();
    for (int i = 0; i < kLeastCopies || Clock::now() - begin < kLeastTime; ++i) {
      const auto start = Clock::now();
      if (!copy(way)) return 0;
      const std::chrono::duration<double, std::nano> time = Clock::now() - start;
      best = std::max(best, static_cast<double>(kBytes) / time.count());
    }
    return best;
  }

 private:
  void* host(size_t index, Memory memory) const {
    return memory == Memory::kPageable ? pageable_[index].get() : pinned_[index];
  }

  bool copy(const Way& way) {
    const auto [direction, memory] = way;
    const bool is_to_host =
        direction == Direction::kDeviceToHost || direction == Direction::kHostToHost;
    const bool is_from_host =
        direction == Direction::kHostToDevice || direction == Direction::kHostToHost;
    void* dst = is_to_host ? host(0, memory) : device_[0];
    const void* src = is_from_host ? host(1, memory) : device_[1];
    const aclrtMemcpyKind kinds[2][2] = {{ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST},
                                         {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_HOST_TO_HOST}};
    const aclrtMemcpyKind kind = kinds[is_from_host ? 1 : 0][is_to_host ? 1 : 0];
    if (memory == Memory::kPageable || direction == Direction::kHostToHost) {
      return aclrtMemcpy(dst, kBytes, src, kBytes, kind) == ACL_SUCCESS;
    }
    return aclrtMemcpyAsync(dst, kBytes, src, kBytes, kind, stream_) == ACL_SUCCESS &&
           aclrtSynchronizeStream(stream_) == ACL_SUCCESS;
  }

  std::array<void*, 2> pinned_{};
  std::array<void*, 2> device_{};
  std::array<std::unique_ptr<std::byte[]>, 2> pageable_;
  aclrtStream stream_ = nullptr;
  bool are_well_ = false;
};

std::set<Way> ways_of(const trace::Trace& trace) {
  std::set<Way> ways;
  for (const trace::Work& work : trace.works) {
    const bool is_between_devices = work.peer >= 0 && work.peer != work.device;
    const bool is_measured = work.memory == Memory::kPageable || work.memory == Memory::kPinned ||
                             work.memory == Memory::kRegistered || work.memory == Memory::kDevice;
    if (work.direction == Direction::kNone || !is_measured || is_between_devices) continue;
    const bool is_registered = work.memory == Memory::kRegistered;
    ways.emplace(work.direction, is_registered ? Memory::kPinned : work.memory);
  }
  return ways;
}

// Variables that make copies slower or fail, or that write files.
void choose_plain_environment(const std::string& kind) {
  for (const char* name : {"FERRY_CHECK", "FERRY_TRACE", "FERRY_FAIL", "FERRY_SCHEDULE",
                           "FERRY_REPORT", "FERRY_LOG"}) {
    unsetenv(name);
  }
  setenv("FERRY_DEVICES", kind.c_str(), 1);
}

void measure(const std::set<Way>& ways, Limits& limits) {
  Blocks blocks;
  for (const Way& way : ways) {
    if (!blocks.are_well()) break;
    const double gbps = blocks.gbps_of(way);
    if (gbps > 0) limits.ways.push_back({way.first, way.second, gbps});
  }
  if (limits.ways.empty()) {
    limits.reason = "large copies failed on this machine";
  } else {
    limits.source = "measured now on this machine";
  }
}

}  // namespace

Limits measure_limits(const trace::Trace& trace) {
  Limits limits;
  const std::set<Way> ways = ways_of(trace);
  if (ways.empty()) return limits;
  if (trace.devices.empty() || trace.devices.front().kind == "null") {
    limits.reason = "the devices of the trace copy nothing";
    return limits;
  }
  const trace::Device& recorded = trace.devices.front();
  choose_plain_environment(recorded.kind);
  ferryDevice device{};
  const bool is_ready = aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS &&
                        ferryGetDevice(0, &device) == ACL_SUCCESS;
  if (!is_ready) {
    limits.reason = fmt::format("this machine has no device of the trace's kind, \"{}\"",
                                recorded.kind.substr(0, 32));
  } else if (!recorded.name.empty() && recorded.name != device.name) {
    limits.reason = fmt::format("the trace is of another device, \"{}\"; this machine has \"{}\"",
                                recorded.name.substr(0, 64), device.name);
  } else {
    measure(ways, limits);
  }
  static_cast<void>(aclrtResetDevice(0));
  static_cast<void>(aclFinalize());
  return limits;
}

std::string read_limits(const std::string& path, Limits& limits) {
  replay::Profile profile;
  std::string wrong = replay::load_profile(path, profile);
  if (!wrong.empty()) return wrong;
  for (const replay::Lane& lane : profile.lanes) {
    // Memory that no cache holds: the largest footprint.
    double best = 0;
    for (const replay::CurvePoint& point : lane.curves.back().points) {
      const double time = lane.memory == Memory::kPageable ? point.call_ns : point.copy_ns;
      if (time > 0) best = std::max(best, static_cast<double>(point.bytes) / time);
    }
    if (best > 0) limits.ways.push_back({lane.direction, lane.memory, best});
  }
  limits.source = fmt::format("by {}", path);
  return {};
}

}  // namespace ferry::tools::report
