// SPDX-License-Identifier: Apache-2.0
// aclmdlRICondHandleCreate: a value in device memory that decides which branch runs.
#include "support/conditions.h"

namespace conformance::aclmdlRICondHandleCreate_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICondHandleCreate = WithStream;

TEST_F(AclmdlRICondHandleCreate, ChecksInOrder) {
  Building built;
  aclmdlRICondHandle handle = nullptr;
  const Model ready = capture(stream_, [] {});
  const auto bad_flag = static_cast<aclmdlRICondHandleFlag>(INT32_MAX);
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICondHandleCreate(nullptr, 0, bad_flag, &handle));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICondHandleCreate(built, 0, bad_flag, nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRICondHandleCreate(built, 0, bad_flag, &handle));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICondHandleCreate(dead_model(stream_), 0, kNoFlag, &handle));
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRICondHandleCreate(built, 0, kNoFlag, &handle));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRICondHandleCreate(ready, 0, kNoFlag, &handle));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  const aclmdlRI model = model_of(stream_);
  on_new_thread(
      [&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRICondHandleCreate(model, 0, kNoFlag, &handle)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRICondHandleCreate(model, 0, kNoFlag, &handle));
  }
  discard(stream_);
}

TEST_F(AclmdlRICondHandleCreate, TheValueStartsAsZeroAndGoesWithTheModel) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  const aclmdlRICondHandle handle = create_condition(stream_, 7, kAssigned);
  uint64_t* const address = address_of(handle);
  uint64_t value = 1;
  EXPECT_OK(aclrtMemcpy(&value, 8, address, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(0u, value);
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtMemcpy(&value, 8, address, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(7u, value);  // at the start of every run
  EXPECT_OK(aclmdlRIDestroy(model));
  uint64_t* gone = nullptr;
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICondHandleGetCondPtr(handle, &gone));
}

}  // namespace
}  // namespace conformance::aclmdlRICondHandleCreate_test
