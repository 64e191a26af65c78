// SPDX-License-Identifier: Apache-2.0
// How torch_npu changes operators of a captured graph for each replay.
#include "support/kernel_models.h"

namespace conformance::client_task_update_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using ClientTaskUpdate = WithKernelModels;

// In the capture: a wait for an external event, its reset, and one operator per group. For each
// replay: the run, then the updates on another stream, each followed by its event.
TEST_F(ClientTaskUpdate, TorchUpdatesOperatorsBehindExternalEvents) {
  constexpr size_t kOperators = 3;
  std::vector<aclrtTaskGrp> groups(kOperators);
  std::vector<Event> events;
  for (size_t i = 0; i < kOperators; ++i)
    events.push_back(Event::with_flag(ACL_EVENT_EXTERNAL));
  const Model model = capture(
      stream_,
      [&] {
        for (size_t i = 0; i < kOperators; ++i) {
          EXPECT_OK(launch_number(stream_, 1000 + i));
          EXPECT_OK(aclrtStreamWaitEvent(stream_, events[i]));
          EXPECT_OK(aclrtResetEvent(events[i], stream_));
          EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
          EXPECT_OK(launch_number(stream_, i));
          EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream_, &groups[i]));
        }
      },
      kGlobal);
  const Stream updating;
  for (uint64_t replay = 1; replay <= 3; ++replay) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    for (size_t i = 0; i < kOperators; ++i) {
      EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(updating, groups[i]));
      EXPECT_OK(launch_number(updating, 10 * replay + i));
      EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(updating));
      EXPECT_OK(aclrtRecordEvent(events[i], updating));
    }
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(Numbers({1000, 10 * replay, 1001, 10 * replay + 1, 1002, 10 * replay + 2}),
              take_numbers());
  }
}

}  // namespace
}  // namespace conformance::client_task_update_test
