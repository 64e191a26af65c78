// SPDX-License-Identifier: Apache-2.0
// Rounds of runs, and the comparison of what they leave in memory.
#include "replay/measure.h"

#include "replay/run_memory.h"
#include "replay/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace ferry::tools::replay {
namespace {

// The library, and the devices of a plan.
class Devices {
 public:
  std::string open(int32_t count) {
    if (const aclError code = aclInit(nullptr); code != ACL_SUCCESS)
      return failure_text("aclInit", code);
    is_initialised_ = true;
    uint32_t there = 0;
    if (const aclError code = aclrtGetDeviceCount(&there); code != ACL_SUCCESS)
      return failure_text("aclrtGetDeviceCount", code);
    if (static_cast<uint32_t>(count) > there) {
      return fmt::format("the trace is of {} devices, and there {} {}", count,
                         there == 1 ? "is" : "are", there);
    }
    for (; set_ < count; ++set_) {
      if (const aclError code = aclrtSetDevice(set_); code != ACL_SUCCESS)
        return failure_text("aclrtSetDevice", code);
    }
    return {};
  }
  Devices() = default;
  ~Devices() {
    for (int32_t device = 0; device < set_; ++device)
      static_cast<void>(aclrtResetDeviceForce(device));
    if (is_initialised_) static_cast<void>(aclFinalize());
  }
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

 private:
  bool is_initialised_ = false;
  int32_t set_ = 0;
};

std::string compare(const Plan& plan, const Contents& contents) {
  const Contents expected = expected_contents(plan);
  for (size_t i = 0; i < contents.size(); ++i) {
    const auto [is, must_be] =
        std::mismatch(contents[i].begin(), contents[i].end(), expected[i].begin());
    if (is == contents[i].end()) continue;
    return fmt::format(
        "byte {} of region {} is not what the copies leave there when each waits for the one "
        "before it: the program did not order them all, or a copy went wrong",
        is - contents[i].begin(), i);
  }
  return {};
}

std::string verify(const Plan& plan, RunMemory& memory, Runner& runner) {
  double ns = 0;
  Contents contents;
  if (std::string wrong = memory.fill(); !wrong.empty()) return wrong;
  if (std::string wrong = runner.run(false, ns); !wrong.empty()) return wrong;
  if (std::string wrong = memory.read(contents); !wrong.empty()) return wrong;
  return compare(plan, contents);
}

std::string run_rounds(const std::vector<std::unique_ptr<Runner>>& runners,
                       const MeasureSettings& settings, std::vector<Measurement>& results) {
  // The first run is a warm-up.
  for (uint32_t round = 0; round <= settings.rounds; ++round) {
    for (size_t turn = 0; turn < runners.size(); ++turn) {
      const size_t i = round % 2 == 0 ? turn : runners.size() - 1 - turn;
      double ns = 0;
      if (std::string wrong = runners[i]->run(settings.keeps_pauses, ns); !wrong.empty())
        return wrong;
      if (round > 0) results[i].rounds_ns.push_back(ns);
    }
  }
  for (Measurement& result : results)
    result.median_ns = median_of(result.rounds_ns);
  return {};
}

}  // namespace

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string measure(const std::vector<const Plan*>& plans, const MeasureSettings& settings,
                    std::vector<Measurement>& results) {
  results.assign(plans.size(), {});
  Devices devices;
  if (std::string wrong = devices.open(plans.front()->devices); !wrong.empty()) return wrong;
  RunMemory memory;
  if (std::string wrong = memory.allocate(*plans.front()); !wrong.empty()) return wrong;
  if (std::string wrong = memory.fill(); !wrong.empty()) return wrong;
  std::vector<std::unique_ptr<Runner>> runners;
  for (const Plan* plan : plans) {
    runners.push_back(std::make_unique<Runner>(*plan, memory));
    if (std::string wrong = runners.back()->prepare(); !wrong.empty()) return wrong;
  }
  for (size_t i = 0; settings.verifies && i < plans.size(); ++i) {
    if (std::string wrong = verify(*plans[i], memory, *runners[i]); !wrong.empty()) return wrong;
  }
  return run_rounds(runners, settings, results);
}

}  // namespace ferry::tools::replay
