// SPDX-License-Identifier: Apache-2.0
// aclmdlRICondHandleGetCondPtr: where the value of a condition is.
#include "support/conditions.h"

namespace conformance::aclmdlRICondHandleGetCondPtr_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICondHandleGetCondPtr = WithStream;

TEST_F(AclmdlRICondHandleGetCondPtr, ChecksInOrder) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  const aclmdlRICondHandle handle = create_condition(stream_);
  uint64_t* address = nullptr;
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICondHandleGetCondPtr(nullptr, &address));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICondHandleGetCondPtr(handle, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICondHandleGetCondPtr(stream_, &address));
  on_new_thread(
      [&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRICondHandleGetCondPtr(handle, &address)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRICondHandleGetCondPtr(handle, &address));
  }
  EXPECT_NE(nullptr, address_of(handle));
  discard(stream_);
}

}  // namespace
}  // namespace conformance::aclmdlRICondHandleGetCondPtr_test
