// SPDX-License-Identifier: Apache-2.0
// aclprofRangePushEx: ranges that describe tensors.
#include "support/profiling.h"

namespace conformance::profiling::aclprofRangePushEx_test {
namespace {

aclprofEventAttributes attributes_of(aclprofTensorInfo* info) {
  aclprofEventAttributes attributes{};
  attributes.version = ACL_PROF_EVENT_ATTR_VERSION;
  attributes.size = sizeof attributes;
  attributes.messageType = ACL_PROF_MESSAGE_TYPE_TENSOR_INFO;
  attributes.message.tensorInfo = info;
  return attributes;
}

TEST(AclprofRangePushEx, RefusesNullAndUnknownMessages) {
  aclprofTensorInfo info{};
  aclprofEventAttributes attributes = attributes_of(&info);
  EXPECT_FAILS(100000, "EH0008", aclprofRangePushEx(nullptr));
  attributes.messageType = 1;
  EXPECT_FAILS(100000, "EH0007", aclprofRangePushEx(&attributes));
  attributes = attributes_of(nullptr);
  EXPECT_FAILS(100000, "EH0008", aclprofRangePushEx(&attributes));
  attributes = attributes_of(&info);
  info.tensorNum = 1;
  EXPECT_FAILS(100000, "EH0008", aclprofRangePushEx(&attributes));
  EXPECT_FAILS_WITH(100000, aclprofRangePop());
}

using AclprofRangePushExOnStream = WithStream;

TEST_F(AclprofRangePushExOnStream, NotesNameTensorsAndStream) {
  const Session session;
  const Recorded recorded;
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream_, &id));
  aclprofTensor tensors[2] = {};
  aclprofTensorInfo info{};
  info.opNameId = aclprofStr2Id("MatMul_1");
  info.tensorNum = 2;
  info.stream = stream_;
  info.tensors = tensors;
  aclprofEventAttributes attributes = attributes_of(&info);
  EXPECT_OK(aclprofRangePushEx(&attributes));
  info = {};  // both were copied
  attributes = {};
  EXPECT_OK(aclprofRangePop());
  ASSERT_EQ(recorded.texts(), (Texts{"3 MatMul_1", "4 MatMul_1"}));
  for (const ferryRecordedMark& mark : recorded.marks()) {
    EXPECT_EQ(mark.stream, id);
    EXPECT_EQ(mark.task, FERRY_NO_TASK);
    EXPECT_EQ(mark.tag, 2U);
    EXPECT_EQ(mark.id, aclprofStr2Id("MatMul_1"));
  }
}

TEST(AclprofRangePushEx, SucceedsWithoutRecording) {
  const Recorded recorded;
  aclprofTensorInfo info{};
  aclprofEventAttributes attributes = attributes_of(&info);
  EXPECT_OK(aclprofRangePushEx(&attributes));
  EXPECT_OK(aclprofRangePop());
  EXPECT_TRUE(recorded.marks().empty());
}

}  // namespace
}  // namespace conformance::profiling::aclprofRangePushEx_test
