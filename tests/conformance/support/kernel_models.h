// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of kernels in models: launches that record one number, task groups, and the
// tasks of a model.
#pragma once

#include "support/kernels.h"
#include "support/models.h"

namespace conformance::models {

constexpr aclError kGroupStatus = 107033;
constexpr aclError kGroupInterrupted = 107034;
constexpr aclError kUpdateFailed = 107040;
constexpr aclError kWrongTaskType = 507009;

// Tests with kernels of the name "ct_record", whose argument is one number.
class WithKernelModels : public kernels::WithKernels {
 protected:
  void SetUp() override {
    NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
    WithKernels::SetUp();
  }
  void TearDown() override {
    if (has_cpu_device()) WithKernels::TearDown();
  }

  aclError launch_number(aclrtStream stream, uint64_t number, uint32_t blocks = 1,
                         aclrtLaunchKernelCfg* cfg = nullptr) const {
    return aclrtLaunchKernelWithHostArgs(function(), blocks, stream, cfg, &number, sizeof number,
                                         nullptr, 0);
  }

  // Captures a group of kernels with these numbers. The handle of the group is `group_`.
  Model capture_group(const std::vector<uint64_t>& numbers) {
    return capture(stream_, [&] {
      EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
      for (const uint64_t number : numbers)
        EXPECT_OK(launch_number(stream_, number));
      EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream_, &group_));
    });
  }

  // Queues an update of `group_` to these numbers.
  void update_group(aclrtStream stream, const std::vector<uint64_t>& numbers) {
    EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream, group_));
    for (const uint64_t number : numbers)
      EXPECT_OK(launch_number(stream, number));
    EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream));
  }

  // The numbers that kernels have seen since the last question.
  static std::vector<uint64_t> take_numbers() {
    std::vector<uint64_t> numbers;
    for (const kernels::Seen& seen : kernels::take_seen())
      numbers.push_back(seen.at<uint64_t>(0));
    return numbers;
  }

  // Runs a model and returns the numbers that its kernels have seen.
  std::vector<uint64_t> numbers_of_run(aclmdlRI model) const {
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    return take_numbers();
  }

  aclrtTaskGrp group_ = nullptr;
};

using Numbers = std::vector<uint64_t>;

// A task of the first stream of a model.
inline aclmdlRITask task_of(aclmdlRI model, size_t index) {
  aclrtStream stream = nullptr;
  uint32_t count = 1;
  EXPECT_OK(aclmdlRIGetStreams(model, &stream, &count));
  aclmdlRITask tasks[16] = {};
  count = 16;
  EXPECT_OK(aclmdlRIGetTasksByStream(stream, tasks, &count));
  return tasks[index];
}

}  // namespace conformance::models
