// SPDX-License-Identifier: Apache-2.0
// FERRY_KERNELS: skipping kernels, and a shared object that registers stand-ins.
#include "support/kernels.h"

#include <filesystem>

namespace conformance::kernels::ferry_kernel_file_test {
namespace {

std::string library() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() /
          "libconformance_kernels.so")
      .string();
}

std::string file_variable(const std::string& path) {
  return "FERRY_KERNELS=" + path;
}

void expect_problem(const char* words) {
  EXPECT_EQ(507033, aclrtSetDevice(0));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("FERRY_KERNELS")) << text;
  EXPECT_NE(std::string::npos, text.find(words)) << text;
}

FERRY_PROCESS_TEST(FerryKernels, LoadsStandInsFromAFile, file_variable(library())) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  ASSERT_OK(aclrtSetDevice(0));
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle kernel = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData("any bytes", 9, nullptr, &binary));
  ASSERT_OK(aclrtBinaryGetFunction(binary, "ct_from_file", &kernel));
  uint64_t args = 0;
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(kernel, 1, nullptr, nullptr, &args, 8, nullptr, 0));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  ferryKernelUse use{};
  ASSERT_OK(ferryGetKernel(0, &use));
  EXPECT_STREQ("ct_from_file", use.name);
  EXPECT_EQ(1u, use.launches);
  EXPECT_FAILS_WITH(107000, aclrtBinaryGetFunction(binary, "ct_other", &kernel));
  EXPECT_OK(aclrtBinaryUnLoad(binary));
}

FERRY_PROCESS_TEST(FerryKernels, SaysThatTheFileIsMissing, "FERRY_KERNELS=/no/such/file.so") {
  expect_problem("/no/such/file.so");
}

FERRY_PROCESS_TEST(FerryKernels, SaysThatTheFileIsNoSharedObject, "FERRY_KERNELS=/etc/passwd") {
  expect_problem("cannot be loaded");
}

FERRY_PROCESS_TEST(FerryKernels, SaysThatTheFunctionIsMissing,
                   file_variable((std::filesystem::path(library()).parent_path() /
                                  "libconformance_interpose.so")
                                     .string())) {
  expect_problem("ferryRegisterKernels");
}

FERRY_PROCESS_TEST(FerryKernels, SaysThatTheFunctionThrew, file_variable(library()),
                   "CONFORMANCE_KERNEL_FILE=throw") {
  expect_problem("no kernels today");
}

FERRY_PROCESS_TEST(FerryKernels, SaysThatARegistrationFailed, file_variable(library()),
                   "CONFORMANCE_KERNEL_FILE=wrong") {
  expect_problem("name is empty");
}

FERRY_PROCESS_TEST(FerryKernels, RefusesToUseADeviceWhileTheFileIsLoaded, file_variable(library()),
                   "CONFORMANCE_KERNEL_FILE=device") {
  EXPECT_OK(aclrtSetDevice(0));
}

FERRY_PROCESS_TEST(FerryKernels, RefusesOtherValues, "FERRY_KERNELS=maybe") {
  expect_problem("refuse, skip");
}

FERRY_PROCESS_TEST(FerryKernels, SkipsKernelsThatASymbolNames, "FERRY_KERNELS=skip") {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  ASSERT_OK(aclrtSetDevice(0));
  aclrtFuncHandle kernel = nullptr;
  ASSERT_OK(aclrtGetFuncBySymbol(&kUnknownSymbol, &kernel));
  uint64_t args = 0;
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(kernel, 1, nullptr, nullptr, &args, 8, nullptr, 0));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  ferryKernelUse use{};
  ASSERT_OK(ferryGetKernel(0, &use));
  EXPECT_EQ(1u, use.skipped);
}

}  // namespace
}  // namespace conformance::kernels::ferry_kernel_file_test
