// SPDX-License-Identifier: Apache-2.0
// aclrtBinaryUnLoad: functions die, and queued launches run first.
#include "support/kernels.h"

namespace conformance::kernels::aclrtBinaryUnLoad_test {
namespace {

using AclrtBinaryUnLoad = WithKernels;

TEST_F(AclrtBinaryUnLoad, RefusesNullDeadAndForeignHandles) {
  aclrtBinHandle loaded = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), nullptr, &loaded));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryUnLoad(nullptr));
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
  EXPECT_FAILS(107017, "EE1017", aclrtBinaryUnLoad(loaded));
  EXPECT_FAILS(107017, "EE1017", aclrtBinaryUnLoad(stream_));
}

TEST_F(AclrtBinaryUnLoad, EndsItsFunctions) {
  const aclrtFuncHandle dead = dead_function();
  uint64_t args = 0;
  EXPECT_FAILS(107017, "EE1017",
               aclrtLaunchKernelWithHostArgs(dead, 1, stream_, nullptr, &args, 8, nullptr, 0));
}

TEST_F(AclrtBinaryUnLoad, WaitsForQueuedLaunches) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtBinHandle loaded = nullptr;
  aclrtFuncHandle queued = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), nullptr, &loaded));
  ASSERT_OK(aclrtBinaryGetFunction(loaded, "ct_record", &queued));
  Gate gate(stream_);
  uint64_t args = 5;
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(queued, 1, stream_, nullptr, &args, 8, nullptr, 0));
  std::thread opener([&] {
    gate.wait_until_reached();
    gate.open();
  });
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
  EXPECT_EQ(1u, take_seen().size());
  opener.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtBinaryUnLoad, DoesNotWaitForDroppedLaunches) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  aclrtBinHandle loaded = nullptr;
  aclrtFuncHandle queued = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), nullptr, &loaded));
  ASSERT_OK(aclrtBinaryGetFunction(loaded, "ct_record", &queued));
  Gate gate(stream_);
  gate.wait_until_reached();
  uint64_t args = 5;
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(queued, 1, stream_, nullptr, &args, 8, nullptr, 0));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
  EXPECT_TRUE(take_seen().empty());
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinaryUnLoad_test
