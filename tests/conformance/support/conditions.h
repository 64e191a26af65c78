// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of conditions: a capture with one condition, whose branches are captured on a
// second stream.
#pragma once

#include "support/built_models.h"

namespace conformance::models {

constexpr auto kNoFlag = static_cast<aclmdlRICondHandleFlag>(0);
constexpr auto kAssigned = ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT;
constexpr auto kIf = ACL_MODEL_RI_COND_TYPE_IF;
constexpr auto kWhile = ACL_MODEL_RI_COND_TYPE_WHILE;
constexpr auto kSwitch = ACL_MODEL_RI_COND_TYPE_SWITCH;

inline aclmdlRICondHandle create_condition(aclrtStream stream, uint32_t value = 0,
                                           aclmdlRICondHandleFlag flag = kNoFlag) {
  aclmdlRICondHandle handle = nullptr;
  EXPECT_OK(aclmdlRICondHandleCreate(model_of(stream), value, flag, &handle));
  return handle;
}

inline uint64_t* address_of(aclmdlRICondHandle handle) {
  uint64_t* address = nullptr;
  EXPECT_OK(aclmdlRICondHandleGetCondPtr(handle, &address));
  return address;
}

inline std::vector<aclmdlRI> add_task(aclrtStream stream, aclmdlRICondHandle handle,
                                      aclmdlRICondTaskType type, uint32_t size) {
  std::vector<aclmdlRI> branches(size);
  const aclmdlRICondTaskParams params{handle, type, size, branches.data()};
  EXPECT_OK(aclmdlRIAddCondTask(params, stream, 0));
  return branches;
}

template <class Body>
void capture_branch(aclrtStream stream, aclmdlRI branch, Body body) {
  EXPECT_OK(aclmdlRICaptureToModelRIBegin(stream, branch, kRelaxed));
  EXPECT_EQ(branch, model_of(stream));
  body();
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
  EXPECT_EQ(branch, model);
}

inline void write_value(uint64_t* address, uint64_t value) {
  EXPECT_OK(aclrtMemcpy(address, 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE));
}

}  // namespace conformance::models
