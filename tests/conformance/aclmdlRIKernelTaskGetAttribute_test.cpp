// SPDX-License-Identifier: Apache-2.0
// aclmdlRIKernelTaskGetAttribute: how a kernel of a model was launched.
#include "support/kernel_models.h"

namespace conformance::aclmdlRIKernelTaskGetAttribute_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

class AclmdlRIKernelTaskGetAttribute : public WithKernelModels {
 protected:
  Model capture_with(std::vector<aclrtLaunchKernelAttr> attributes) {
    aclrtLaunchKernelCfg config{.attrs = attributes.data(), .numAttrs = attributes.size()};
    aclrtLaunchKernelCfg* const given = attributes.empty() ? nullptr : &config;
    return capture(stream_, [&] { EXPECT_OK(launch_number(stream_, 1, 1, given)); });
  }
  static aclrtLaunchKernelAttrValue value_of(aclmdlRI model, aclrtLaunchKernelAttrId id) {
    aclrtLaunchKernelAttrValue value;
    std::memset(&value, 0xFF, sizeof value);
    EXPECT_OK(aclmdlRIKernelTaskGetAttribute(task_of(model, 0), id, &value));
    return value;
  }
};

TEST_F(AclmdlRIKernelTaskGetAttribute, ChecksInOrder) {
  constexpr auto kMode = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE;
  const Model model = capture_with({kernels::attribute(kMode, 1)});
  const aclmdlRITask task = task_of(model, 0);
  aclrtLaunchKernelAttrValue value{};
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIKernelTaskGetAttribute(nullptr, kMode, &value));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIKernelTaskGetAttribute(task, kMode, nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIKernelTaskGetAttribute(stream_, kMode, &value));
  const Forked forked(stream_);
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIKernelTaskGetAttribute(forked.task(0, 0), kMode, &value));
  for (const int id : {0, 3, 4, 5, 9, 10, 15}) {
    EXPECT_FAILS(
        kBadValue, "EE1003",
        aclmdlRIKernelTaskGetAttribute(task, static_cast<aclrtLaunchKernelAttrId>(id), &value));
  }
}

TEST_F(AclmdlRIKernelTaskGetAttribute, ReadsWhatTheLaunchHad) {
  aclrtLaunchKernelAttr buffer{};
  buffer.id = ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE;
  buffer.value.dynUBufSize = 4096;
  const Model model =
      capture_with({kernels::attribute(ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, 1), buffer,
                    kernels::attribute(ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP, 1)});
  EXPECT_EQ(1, value_of(model, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE).schemMode);
  EXPECT_EQ(4096u, value_of(model, ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE).dynUBufSize);
  EXPECT_EQ(1, value_of(model, ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP).isDataDump);
  const Model without = capture_with({});
  EXPECT_EQ(0, value_of(without, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE).schemMode);
  EXPECT_EQ(0u, value_of(without, ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE).dynUBufSize);
  EXPECT_EQ(0, value_of(without, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT).timeout);
}

TEST_F(AclmdlRIKernelTaskGetAttribute, ATimeoutCanBeReadInBothUnits) {
  aclrtLaunchKernelAttr seconds{};
  seconds.id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT;
  seconds.value.timeout = 30;
  const Model in_seconds = capture_with({seconds});
  EXPECT_EQ(30, value_of(in_seconds, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT).timeout);
  const aclrtTimeoutUs converted =
      value_of(in_seconds, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US).timeoutUs;
  EXPECT_EQ(30'000'000u, converted.timeoutLow);
  EXPECT_EQ(0u, converted.timeoutHigh);
  aclrtLaunchKernelAttr exact{};
  exact.id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
  exact.value.timeoutUs = {500, 1};
  const Model in_microseconds = capture_with({exact});
  const aclrtTimeoutUs read =
      value_of(in_microseconds, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US).timeoutUs;
  EXPECT_EQ(500u, read.timeoutLow);
  EXPECT_EQ(1u, read.timeoutHigh);
  EXPECT_EQ(4295, value_of(in_microseconds, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT).timeout);
}

}  // namespace
}  // namespace conformance::aclmdlRIKernelTaskGetAttribute_test
