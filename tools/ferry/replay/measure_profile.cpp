// SPDX-License-Identifier: Apache-2.0
// The experiments of a profile, and what follows from their times.
#include "replay/measure_profile.h"

#include "replay/profile_ground.h"

#include "acl/acl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace ferry::tools::replay {
namespace {

using trace::Direction;
using trace::Memory;

// Below, between and above the sizes that caches have.
constexpr std::array<uint64_t, 6> kFootprints{uint64_t{512} << 10, uint64_t{2} << 20,
                                              uint64_t{8} << 20,   uint64_t{32} << 20,
                                              uint64_t{64} << 20,  uint64_t{128} << 20};
constexpr std::array<uint64_t, 8> kSizes{256,       4 << 10, 16 << 10, 64 << 10,
                                         256 << 10, 1 << 20, 4 << 20,  32 << 20};
constexpr uint64_t kSmall = 256;
constexpr uint32_t kMostCopies = 4096;  // of one experiment

class LaneMeasurement {
 public:
  LaneMeasurement(const ProfileSettings& settings, const Profile& profile, Direction direction,
                  Memory memory)
      : settings_(settings),
        profile_(profile),
        is_pageable_(memory == Memory::kPageable),
        is_inside_(direction == Direction::kDeviceToDevice || direction == Direction::kHostToHost),
        is_async_(direction != Direction::kHostToHost),
        ground_(settings.device, direction, memory, settings.largest_footprint) {
    lane_.direction = direction;
    lane_.memory = memory;
  }

  Lane measure() {
    if (is_async_ && !is_pageable_) measure_submission();
    if (has_batches()) measure_small_batch();
    for (const uint64_t footprint : kFootprints) {
      if (footprint > settings_.largest_footprint) break;
      Curve curve;
      curve.footprint = footprint;
      for (const uint64_t size : kSizes) {
        if (size <= footprint / 2) curve.points.push_back(measure_point(size, footprint));
      }
      lane_.curves.push_back(curve);
    }
    return std::move(lane_);
  }

 private:
  bool has_batches() const { return profile_.has_batch && !is_inside_ && !is_pageable_; }

  double loop(uint32_t copies) {
    return time_of(settings_.rounds, [&] {
      for (uint32_t i = 0; i < copies; ++i)
        ground_.copy();
      ground_.synchronize();
    });
  }

  double batch(uint32_t items) {
    ground_.prepare_batch(items);
    return time_of(
        settings_.rounds,
        [&] {
          ground_.batch();
          ground_.synchronize();
        },
        [&] { ground_.prepare_batch(items); });
  }

  double batch_submission(uint32_t items) {
    ground_.prepare_batch(items);
    return time_of(
        settings_.rounds, [&] { ground_.batch(); },
        [&] {
          ground_.synchronize();
          ground_.prepare_batch(items);
        });
  }

  // Of small copies, while the device executes them.
  void measure_submission() {
    constexpr uint32_t kCopies = 256;
    ground_.shape(kSmall, kFootprints.front());
    lane_.submit_ns = time_of(
                          settings_.rounds,
                          [&] {
                            for (uint32_t i = 0; i < kCopies; ++i)
                              ground_.copy();
                          },
                          [&] { ground_.synchronize(); }) /
                      kCopies;
    if (!has_batches()) return;
    constexpr uint32_t kFew = 16;
    constexpr uint32_t kMany = 512;
    const double few = batch_submission(kFew);
    const double many = batch_submission(kMany);
    lane_.item_submit_ns = std::max(0.0, (many - few) / (kMany - kFew));
    lane_.batch_submit_ns = std::max(0.0, few - kFew * lane_.item_submit_ns);
  }

  // A batch of one small item is all overhead.
  void measure_small_batch() {
    ground_.shape(kSmall, kFootprints.front());
    lane_.batch_ns = std::max(
        0.0, batch(1) - lane_.batch_submit_ns - lane_.item_submit_ns - profile_.synchronize_ns);
  }

  CurvePoint measure_point(uint64_t size, uint64_t footprint) {
    ground_.shape(size, footprint);
    // All blocks are warm, or as cold as such a loop leaves them.
    const auto copies =
        static_cast<uint32_t>(std::clamp<uint64_t>(footprint / 2 / size, 2, kMostCopies));
    CurvePoint point;
    point.bytes = size;
    const uint32_t calls = std::min(copies, 32U);
    point.call_ns = time_of(settings_.rounds,
                            [&] {
                              for (uint32_t i = 0; i < calls; ++i)
                                ground_.call();
                            }) /
                    calls;
    point.copy_ns = point.single_ns = point.item_ns = point.call_ns;
    if (!is_async_ || is_pageable_) return point;
    point.single_ns = loop(1);
    point.copy_ns = std::max(1.0, (loop(copies) - point.single_ns) / (copies - 1));
    point.item_ns = point.copy_ns;
    if (!has_batches()) return point;
    const double rest =
        batch(copies) - lane_.batch_submit_ns - lane_.batch_ns - profile_.synchronize_ns;
    point.item_ns = std::max(0.1, rest / copies - lane_.item_submit_ns);
    return point;
  }

  const ProfileSettings& settings_;
  const Profile& profile_;
  const bool is_pageable_;
  const bool is_inside_;
  const bool is_async_;
  Ground ground_;
  Lane lane_;
};

// Costs that do not depend on the bytes.
class PointMeasurement {
 public:
  PointMeasurement(const ProfileSettings& settings, Profile& profile)
      : settings_(settings),
        profile_(profile),
        in_(settings.device, Direction::kHostToDevice, Memory::kPinned, kBytes) {
    in_.shape(kSmall, kFootprints.front());
  }

  // Also finds out whether there are batches.
  void measure_first() {
    in_.copy();
    in_.synchronize();
    profile_.synchronize_ns = time_of(settings_.rounds,
                                      [&] {
                                        for (uint32_t i = 0; i < kTimes; ++i)
                                          in_.synchronize();
                                      }) /
                              kTimes;
    profile_.has_batch = true;
    try {
      in_.prepare_batch(2);
      in_.batch();
      in_.synchronize();
    } catch (const CallFailed&) {
      profile_.has_batch = false;
    }
    measure_events();
    measure_fill();
  }

  // Needs the lanes. Small copies go in on one stream, and out on the other one after an event.
  void measure_cross() {
    constexpr uint64_t kCopy = 1024;
    constexpr uint32_t kCrossings = 256;
    Ground out(settings_.device, Direction::kDeviceToHost, Memory::kPinned, kBytes);
    in_.shape(kCopy, kFootprints.front());
    out.shape(kCopy, kFootprints.front());
    const double whole = time_of(settings_.rounds, [&] {
      for (uint32_t i = 0; i < kCrossings; ++i) {
        in_.copy();
        require("aclrtRecordEvent", aclrtRecordEvent(in_.event(), in_.stream(0)));
        require("aclrtStreamWaitEvent", aclrtStreamWaitEvent(out.stream(0), in_.event()));
        out.copy();
      }
      out.synchronize();
    });
    const Lane& lane = *profile_.lane_of(Direction::kDeviceToHost, Memory::kPinned);
    profile_.cross_ns =
        std::max(0.0, whole / kCrossings - lane.at(kCopy, kFootprints.front()).copy_ns);
  }

 private:
  static constexpr uint64_t kBytes = uint64_t{1} << 20;
  static constexpr uint32_t kTimes = 64;

  void measure_events() {
    const auto synchronize = [&] {
      in_.synchronize(0);
      in_.synchronize(1);
    };
    profile_.record_ns =
        time_of(
            settings_.rounds,
            [&] {
              for (uint32_t i = 0; i < kTimes; ++i) {
                require("aclrtRecordEvent", aclrtRecordEvent(in_.event(), in_.stream(0)));
              }
            },
            synchronize) /
        kTimes;
    profile_.wait_ns =
        time_of(
            settings_.rounds,
            [&] {
              for (uint32_t i = 0; i < kTimes; ++i) {
                require("aclrtStreamWaitEvent", aclrtStreamWaitEvent(in_.stream(1), in_.event()));
              }
            },
            synchronize) /
        kTimes;
  }

  void fill(uint64_t bytes) {
    require("aclrtMemsetAsync",
            aclrtMemsetAsync(in_.device_memory(), bytes, 7, bytes, in_.stream(0)));
  }

  void measure_fill() {
    profile_.fill_submit_ns = time_of(
                                  settings_.rounds,
                                  [&] {
                                    for (uint32_t i = 0; i < kTimes; ++i)
                                      fill(kSmall);
                                  },
                                  [&] { in_.synchronize(); }) /
                              kTimes;
    const double whole = time_of(settings_.rounds, [&] {
      fill(kBytes);
      in_.synchronize();
    });
    profile_.fill_bytes_per_ns =
        static_cast<double>(kBytes) /
        std::max(1.0, whole - profile_.fill_submit_ns - profile_.synchronize_ns);
  }

  const ProfileSettings& settings_;
  Profile& profile_;
  Ground in_;
};

// Two streams against one.
class OverlapMeasurement {
 public:
  OverlapMeasurement(const ProfileSettings& settings, uint64_t bytes)
      : settings_(settings),
        in_(settings.device, Direction::kHostToDevice, Memory::kPinned, bytes),
        out_(settings.device, Direction::kDeviceToHost, Memory::kPinned, bytes),
        bytes_(bytes) {}

  Overlap measure(uint64_t size) {
    in_.shape(size, bytes_);
    out_.shape(size, bytes_);
    const auto copies = static_cast<uint32_t>(std::clamp<uint64_t>(bytes_ / 2 / size, 2, 256));
    const double in = loop(in_, copies);
    const double out = loop(out_, copies);
    const double two = time_of(settings_.rounds, [&] {
      for (uint32_t i = 0; i < copies; ++i)
        in_.copy(i % 2);
      in_.synchronize(0);
      in_.synchronize(1);
    });
    const double both = time_of(settings_.rounds, [&] {
      for (uint32_t i = 0; i < copies; ++i) {
        in_.copy();
        out_.copy();
      }
      in_.synchronize();
      out_.synchronize();
    });
    return {size, std::clamp(in / two, 0.01, 2.0), std::clamp((in + out) / both, 0.01, 2.0)};
  }

 private:
  double loop(Ground& ground, uint32_t copies) const {
    return time_of(settings_.rounds, [&] {
      for (uint32_t i = 0; i < copies; ++i)
        ground.copy();
      ground.synchronize();
    });
  }

  const ProfileSettings& settings_;
  Ground in_;
  Ground out_;
  uint64_t bytes_;
};

// A device may have little memory: blocks are apart, and both sides can be on it.
uint64_t affordable_footprint(uint64_t wanted) {
  constexpr uint64_t kBeside = uint64_t{4} << 20;  // alignment; memory of other measurements
  size_t there = 0;
  size_t total = 0;
  require("aclrtGetMemInfo", aclrtGetMemInfo(ACL_HBM_MEM, &there, &total));
  uint64_t footprint = wanted;
  while (footprint > kFootprints.front() && 2 * (footprint + kBeside) + 2 * kBeside > there)
    footprint /= 2;
  return footprint;
}

void measure_lanes(const ProfileSettings& settings, Profile& profile) {
  struct Way {
    Direction direction;
    Memory memory;
  };
  constexpr std::array<Way, 6> kWays{{{Direction::kHostToDevice, Memory::kPinned},
                                      {Direction::kDeviceToHost, Memory::kPinned},
                                      {Direction::kHostToDevice, Memory::kPageable},
                                      {Direction::kDeviceToHost, Memory::kPageable},
                                      {Direction::kDeviceToDevice, Memory::kDevice},
                                      {Direction::kHostToHost, Memory::kPageable}}};
  for (size_t i = 0; i < (settings.only_pinned ? 2 : kWays.size()); ++i) {
    profile.lanes.push_back(
        LaneMeasurement(settings, profile, kWays[i].direction, kWays[i].memory).measure());
  }
}

void measure_all(const ProfileSettings& wanted, Profile& profile) {
  require("aclrtSetDevice", aclrtSetDevice(wanted.device));
  ProfileSettings settings = wanted;
  settings.largest_footprint = affordable_footprint(wanted.largest_footprint);
  profile = {};
  const char* name = aclrtGetSocName();
  profile.device = name == nullptr ? "" : name;
  PointMeasurement points(settings, profile);
  points.measure_first();
  measure_lanes(settings, profile);
  points.measure_cross();
  OverlapMeasurement overlaps(settings, std::min(settings.largest_footprint, uint64_t{32} << 20));
  for (const uint64_t kibibytes : {1U, 16U, 128U, 1024U, 4096U}) {
    const uint64_t size = kibibytes << 10;
    if (size <= settings.largest_footprint / 4) profile.overlaps.push_back(overlaps.measure(size));
  }
}

}  // namespace

std::string measure_profile(const ProfileSettings& settings, Profile& profile) {
  try {
    measure_all(settings, profile);
  } catch (const CallFailed& failure) {
    return failure.what();
  }
  return {};
}

std::string measure_profile_to(const std::string& path, const ProfileSettings& settings,
                               Profile& profile) {
  // Opened first: what was measured must not be lost to a mistyped path.
  std::ofstream file(path);
  if (!file) return fmt::format("{}: it cannot be written", path);
  if (const aclError code = aclInit(nullptr); code != ACL_SUCCESS)
    return fmt::format("aclInit returned {}", code);
  std::string wrong = measure_profile(settings, profile);
  static_cast<void>(aclrtResetDevice(settings.device));
  static_cast<void>(aclFinalize());
  if (!wrong.empty()) return wrong;
  file << profile_text(profile);
  file.close();
  return file ? "" : fmt::format("{}: it could not be written", path);
}

}  // namespace ferry::tools::replay
