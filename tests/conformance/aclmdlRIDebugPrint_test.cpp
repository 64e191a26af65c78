// SPDX-License-Identifier: Apache-2.0
// aclmdlRIDebugPrint: the tasks of a model go to the log.
#include "support/captured_process.h"
#include "support/kernel_models.h"

namespace conformance::aclmdlRIDebugPrint_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIDebugPrint = WithStream;

TEST_F(AclmdlRIDebugPrint, ChecksInOrder) {
  const Model model = capture(stream_, [] {});
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIDebugPrint(nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIDebugPrint(dead_model(stream_)));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIDebugPrint(model)); });
  const OtherContext other;
  const streams::Inside inside(other);
  EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIDebugPrint(model));
}

void print_a_model() {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Stream stream;
    const Forked forked(stream);
    EXPECT_OK(aclmdlRIDebugPrint(forked.model));
    const Model grouped = capture(stream, [&] {
      aclrtTaskGrp group = nullptr;
      EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
      EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
    });
    EXPECT_OK(aclmdlRIDebugPrint(grouped));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(AclmdlRIDebugPrintProcess, WritesOneLinePerTask) {
  if (is_child()) return print_a_model();
  const EndedProcess ended = run_this_test_apart({"FERRY_LOG=info"});
  EXPECT_EQ(0, ended.status);
  for (const char* part : {"task 0: EVENT_RECORD_", "task 1: EVENT_WAIT_", "task 2: MEMCPY",
                           "task 5: EVENT_WAIT_", "task group "})
    EXPECT_NE(std::string::npos, ended.standard_error.find(part)) << ended.standard_error;
}

}  // namespace
}  // namespace conformance::aclmdlRIDebugPrint_test
