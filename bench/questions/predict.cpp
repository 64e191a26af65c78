// SPDX-License-Identifier: Apache-2.0
// Predict: does a prediction with a profile agree with the run? Profiles, runs and predictions take
// turns, so that a machine that changes its speed changes it for all of them.
#include "replay/predict.h"

#include "bench/client.h"
#include "bench/question.h"
#include "bench/questions/questions.h"
#include "replay/measure_profile.h"
#include "replay/run_memory.h"
#include "replay/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ferry::bench {
namespace {

using tools::replay::Action;
using Block = tools::replay::Place;  // the memory of a region
using tools::replay::Plan;
using tools::replay::Profile;
using tools::replay::Step;
using tools::trace::Direction;

void require_well(const std::string& wrong) {
  if (!wrong.empty()) throw std::runtime_error(wrong);
}

// Plans of blocks of one size, each a block apart.
class PlanMaker {
 public:
  explicit PlanMaker(uint64_t size) : size_(size), blocks_(std::min<uint64_t>(256, kMost / size)) {
    for (const Block place : {Block::kPinned, Block::kDevice, Block::kPinned})
      plan_.regions.push_back({place, 0, 2 * size * blocks_});
    plan_.streams = {{0, 0}, {1, 0}};
    plan_.threads = 1;
    plan_.devices = 1;
    plan_.events = 1;
  }

  Plan loop() {
    for (uint64_t i = 0; i < blocks_; ++i)
      copy(i, Direction::kHostToDevice, 0);
    add(Action::kSynchronizeStream, 0);
    return plan_;
  }

  Plan batch() {
    Step& step = add(Action::kBatch, 0);
    step.direction = Direction::kHostToDevice;
    step.bytes = size_ * blocks_;
    step.items = static_cast<uint32_t>(blocks_);
    for (uint64_t i = 0; i < blocks_; ++i)
      plan_.items.push_back({{kDevice, 2 * i * size_}, {kIn, 2 * i * size_}, size_});
    add(Action::kSynchronizeStream, 0);
    return plan_;
  }

  // Blocks go in on one stream, and out on the other one as soon as they are there.
  Plan pipeline() {
    for (uint64_t i = 0; i < blocks_; ++i) {
      copy(i, Direction::kHostToDevice, 0);
      add(Action::kRecord, 0).event = 0;
      add(Action::kWait, 1).event = 0;
      copy(i, Direction::kDeviceToHost, 1);
    }
    add(Action::kSynchronizeStream, 1);
    return plan_;
  }

 private:
  static constexpr uint64_t kMost = uint64_t{32} << 20;
  static constexpr uint32_t kIn = 0;
  static constexpr uint32_t kDevice = 1;
  static constexpr uint32_t kOut = 2;

  Step& add(Action action, uint32_t stream) {
    Step step;
    step.action = action;
    step.is_async = action != Action::kSynchronizeStream;
    step.stream = stream;
    step.memory = tools::trace::Memory::kPinned;
    step.first_item = static_cast<uint32_t>(plan_.items.size());
    plan_.steps.push_back(step);
    return plan_.steps.back();
  }

  void copy(uint64_t block, Direction direction, uint32_t stream) {
    Step& step = add(Action::kCopy, stream);
    step.direction = direction;
    step.bytes = size_;
    step.items = 1;
    const uint64_t offset = 2 * block * size_;
    const bool is_in = direction == Direction::kHostToDevice;
    plan_.items.push_back(
        {{is_in ? kDevice : kOut, offset}, {is_in ? kIn : kDevice, offset}, size_});
  }

  uint64_t size_;
  uint64_t blocks_;
  Plan plan_;
};

// A plan, its memory, and its times in the order of the rounds.
class ReplayedCase {
 public:
  ReplayedCase(std::string name, Plan plan)
      : name_(std::move(name)), plan_(std::move(plan)), runner_(plan_, memory_) {
    require_well(memory_.allocate(plan_));
    require_well(memory_.fill());
    require_well(runner_.prepare());
  }

  void take_turn(const Profile& profile, int runs) {
    std::vector<double> times;
    constexpr int kWarmUps = 4;  // until the caches are as a loop leaves them, as in profiles
    for (int i = 0; i < kWarmUps + runs; ++i) {
      double ns = 0;
      require_well(runner_.run(false, ns));
      if (i >= kWarmUps) times.push_back(ns);
    }
    measured_.push_back(median(times));
    predicted_.push_back(predict(plan_, profile).total);
  }

  const std::string& name() const { return name_; }
  const std::vector<double>& measured() const { return measured_; }
  const std::vector<double>& predicted() const { return predicted_; }

 private:
  std::string name_;
  Plan plan_;
  tools::replay::RunMemory memory_;
  tools::replay::Runner runner_;
  std::vector<double> measured_;
  std::vector<double> predicted_;
};

Row row_of(const std::string& what, const std::string& unit, double measured, double predicted) {
  constexpr double kFarthest = 1.2;
  Row row;
  row.what = what;
  row.unit = unit;
  row.measured = measured;
  row.baseline = predicted;
  row.baseline_name = "predicted";
  const double ratio = predicted / measured;
  row.ratio = Summary{ratio, 0};
  row.judged = std::max(ratio, 1 / ratio);
  row.target = at_most(kFarthest);
  return row;
}

Row time_row(const ReplayedCase& one) {
  constexpr double kMicrosecond = 1e3;
  Row row = row_of(one.name(), "us per replay", median(one.measured()) / kMicrosecond,
                   median(one.predicted()) / kMicrosecond);
  row.ratio = ratio_of(one.predicted(), one.measured());
  row.judged = std::max(row.ratio->median, 1 / row.ratio->median);
  return row;
}

// How many times as fast the second case is.
Row gain_row(const std::string& what, const ReplayedCase& loop, const ReplayedCase& batch) {
  return row_of(what, "times", ratio_of(loop.measured(), batch.measured()).median,
                ratio_of(loop.predicted(), batch.predicted()).median);
}

}  // namespace

void ask_predict(const Setup& setup) {
  const bool is_quick = setup.effort == Effort::kQuick;
  const std::vector<uint64_t> sizes =
      is_quick ? std::vector<uint64_t>{4 << 10}
               : std::vector<uint64_t>{4 << 10, 64 << 10, 512 << 10, 4 << 20};
  std::vector<std::unique_ptr<ReplayedCase>> cases;  // three per size
  for (const uint64_t size : sizes) {
    const std::string text = block_text(size);
    cases.push_back(std::make_unique<ReplayedCase>("loop of " + text, PlanMaker(size).loop()));
    if (has_batch_copies())
      cases.push_back(std::make_unique<ReplayedCase>("batch of " + text, PlanMaker(size).batch()));
    cases.push_back(
        std::make_unique<ReplayedCase>("two streams, " + text, PlanMaker(size).pipeline()));
  }
  tools::replay::ProfileSettings settings;
  settings.only_pinned = true;
  settings.rounds = is_quick ? 1 : 7;
  if (is_quick) settings.largest_footprint = uint64_t{1} << 20;
  const int rounds = is_quick ? 1 : 9;
  for (int round = 0; round < rounds; ++round) {
    setup.show_progress(fmt::format("round {} of {}", round + 1, rounds));
    Profile profile;
    require_well(measure_profile(settings, profile));
    for (const std::unique_ptr<ReplayedCase>& one : cases)
      one->take_turn(profile, is_quick ? 1 : 9);
  }
  for (const std::unique_ptr<ReplayedCase>& one : cases)
    setup.add(time_row(*one));
  for (size_t i = 0; has_batch_copies() && i < sizes.size(); ++i) {
    setup.add(
        gain_row("gain of a batch, " + block_text(sizes[i]), *cases[3 * i], *cases[3 * i + 1]));
  }
}

}  // namespace ferry::bench
