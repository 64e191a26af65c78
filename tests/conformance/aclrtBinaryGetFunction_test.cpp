// SPDX-License-Identifier: Apache-2.0
// aclrtBinaryGetFunction: finds kernels by name.
#include "support/kernels.h"

#include <dlfcn.h>

namespace conformance::kernels::aclrtBinaryGetFunction_test {
namespace {

using AclrtBinaryGetFunction = WithKernels;

TEST_F(AclrtBinaryGetFunction, ChecksItsArgumentsInOrder) {
  aclrtFuncHandle found = untouched();
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetFunction(nullptr, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetFunction(binary_, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetFunction(binary_, "ct_record", nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtBinaryGetFunction(stream_, "ct_record", &found));
  EXPECT_EQ(untouched(), found);
}

TEST_F(AclrtBinaryGetFunction, SaysWhichKernelHasNoStandInAndWhatToDo) {
  aclrtFuncHandle found = untouched();
  EXPECT_EQ(107000, aclrtBinaryGetFunction(binary_, "ct_nobody", &found));
  EXPECT_EQ(nullptr, found);
  const std::string text = recent_text();
  for (const char* part : {"ct_nobody", "ferryRegisterKernel", "FERRY_KERNELS"})
    EXPECT_NE(std::string::npos, text.find(part)) << text;
}

TEST_F(AclrtBinaryGetFunction, SaysWhichFunctionsAnElfFileDefines) {
  Dl_info library{};
  ASSERT_NE(0, dladdr(reinterpret_cast<void*>(&aclrtMalloc), &library));
  aclrtBinHandle binary = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromFile(library.dli_fname, nullptr, &binary));
  aclrtFuncHandle found = nullptr;
  EXPECT_EQ(107000, aclrtBinaryGetFunction(binary, "aclrtMalloc", &found));
  EXPECT_NE(std::string::npos, recent_text().find("the binary defines it")) << recent_text();
  EXPECT_EQ(107000, aclrtBinaryGetFunction(binary, "ct_nobody", &found));
  EXPECT_NE(std::string::npos, recent_text().find("does not define it, but ")) << recent_text();
  EXPECT_OK(aclrtBinaryUnLoad(binary));
}

TEST_F(AclrtBinaryGetFunction, GivesTheSameHandleForTheSameName) {
  EXPECT_EQ(function("ct_record"), function("ct_record"));
  EXPECT_NE(function("ct_record"), function("ct_table"));
}

FERRY_PROCESS_TEST(AclrtBinaryGetFunctionProcess, FindsAnyKernelWhenUnknownOnesAreSkipped,
                   "FERRY_KERNELS=skip") {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtBinHandle loaded = nullptr;
  const char text[] = "not a binary";
  ASSERT_OK(aclrtBinaryLoadFromData(text, sizeof text, nullptr, &loaded));
  aclrtFuncHandle found = nullptr;
  ASSERT_OK(aclrtBinaryGetFunction(loaded, "ct_nobody", &found));
  uint64_t args = 0;
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(found, 1, nullptr, nullptr, &args, 8, nullptr, 0));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  ferryKernelUse use{};
  ASSERT_OK(ferryGetKernel(0, &use));
  EXPECT_STREQ("ct_nobody", use.name);
  EXPECT_EQ(0, use.isRegistered);
  EXPECT_EQ(0u, use.launches);
  EXPECT_EQ(1u, use.skipped);
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinaryGetFunction_test
