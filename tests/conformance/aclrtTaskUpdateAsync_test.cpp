// SPDX-License-Identifier: Apache-2.0
// aclrtTaskUpdateAsync: changes a task on a stream that is bound to a model.
#include "support/needs.h"
#include "support/random.h"
#include "support/streams.h"

namespace conformance::aclrtTaskUpdateAsync_test {
namespace {

using AclrtTaskUpdateAsync = WithStream;

TEST_F(AclrtTaskUpdateAsync, RefusesStreamsThatAreNotBoundToAModel) {
  NEEDS_CPU_DEVICE("random numbers are generated on CPU devices");
  DeviceBuffer out(64);
  DeviceBuffer cell(sizeof(aclrtRandomNumTaskInfo));
  const aclrtRandomNumTaskInfo random = uniform<float>(ACL_FLOAT, 0, 1, 1, 4, out.get());
  Gate gate(stream_);
  EXPECT_OK(aclrtRandomNumAsync(&random, stream_, nullptr));
  uint32_t task = 0;
  EXPECT_OK(aclrtGetThreadLastTaskId(&task));
  aclrtTaskUpdateInfo info{};
  info.id = ACL_RT_UPDATE_RANDOM_TASK;
  info.val.randomTaskAttr.srcAddr = cell.get();
  info.val.randomTaskAttr.size = cell.size();
  EXPECT_FAILS(107005, "EE1017", aclrtTaskUpdateAsync(stream_, task, &info, nullptr));
  info.id = ACL_RT_UPDATE_AIC_AIV_TASK;
  EXPECT_FAILS(107005, "EE1017", aclrtTaskUpdateAsync(stream_, task, &info, nullptr));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  clear_errors();
}

TEST_F(AclrtTaskUpdateAsync, ChecksInfoThenStreamsThenWhatToChange) {
  streams::WrongHandles wrong;
  aclrtTaskUpdateInfo info{};
  EXPECT_FAILS(100000, "EH0008", aclrtTaskUpdateAsync(nullptr, 0, nullptr, wrong.dead_stream()));
  EXPECT_FAILS(107000, "EE1004", aclrtTaskUpdateAsync(nullptr, 0, &info, wrong.dead_stream()));
  for (void* handle : wrong.for_stream()) {
    EXPECT_FAILS(107017, "EE1017", aclrtTaskUpdateAsync(handle, 0, &info, nullptr));
    EXPECT_FAILS(107017, "EE1017", aclrtTaskUpdateAsync(stream_, 0, &info, handle));
  }
  for (const int id : {0, 3, -1}) {
    info.id = static_cast<aclrtUpdateTaskAttrId>(id);
    EXPECT_FAILS(107000, "EE1003", aclrtTaskUpdateAsync(stream_, 0, &info, nullptr));
  }
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtTaskUpdateAsync_test
