// SPDX-License-Identifier: Apache-2.0
// Translation of CUDA's errors, and the message when there is no device.
#include "backends/cuda/plugin/cuda_error.h"

#include "backends/cuda/queue/priority.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <string>

namespace ferry::cuda {
namespace {

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(CudaErrors, KnownOnesGetTheirCode) {
  const struct {
    int number;
    int code;
    bool is_fatal;
  } rows[] = {
      {kCudaInvalidValue, ACL_ERROR_RT_PARAM_INVALID, false},
      {kCudaMemoryAllocation, ACL_ERROR_RT_MEMORY_ALLOCATION, false},
      {kCudaNoDevice, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
      {kCudaNotSupported, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, false},
      {kCudaHostMemoryAlreadyRegistered, ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, false},
      {kCudaIllegalAddress, ACL_ERROR_RT_INTERNAL_ERROR, true},
      {kCudaLaunchFailure, ACL_ERROR_RT_INTERNAL_ERROR, true},
  };
  for (const auto& row : rows) {
    const Trouble trouble = translate({row.number, "cudaErrorName", "in words"}, "a copy");
    EXPECT_EQ(row.code, trouble.code) << row.number;
    EXPECT_EQ(row.is_fatal, is_fatal(row.number)) << row.number;
    EXPECT_EQ("CUDA refused a copy (cudaErrorName: in words)", trouble.text);
  }
}

TEST(CudaErrors, UnknownOnesAreInternalAndKeepTheirName) {
  const Trouble trouble = translate({4711, "cudaErrorOfTomorrow", "new"}, "a copy");
  EXPECT_EQ(ACL_ERROR_RT_INTERNAL_ERROR, trouble.code);
  EXPECT_TRUE(contains(trouble.text, "cudaErrorOfTomorrow"));
  EXPECT_FALSE(is_fatal(4711));
}

TEST(CudaErrors, SuccessIsNoTrouble) {
  EXPECT_TRUE(translate({}, "a copy").ok());
  EXPECT_FALSE(is_fatal(kCudaSuccess));
  EXPECT_FALSE(is_fatal(kCudaNotReady));
}

TEST(CudaErrors, ADeviceThatHasFailedSaysWhatToDo) {
  const Trouble trouble = unusable_device(2, {kCudaIllegalAddress, "cudaErrorIllegalAddress", "x"});
  EXPECT_EQ(ACL_ERROR_RT_INTERNAL_ERROR, trouble.code);
  EXPECT_TRUE(contains(trouble.text, "CUDA device 2"));
  EXPECT_TRUE(contains(trouble.text, "start the program anew"));
}

TEST(CudaErrors, WhatIsMissingIsNamed) {
  const CudaError old{kCudaInsufficientDriver, "cudaErrorInsufficientDriver", "old"};
  const CudaError none{kCudaNoDevice, "cudaErrorNoDevice", "none"};
  const CudaError strange{kCudaUnknown, "cudaErrorUnknown", "strange"};
  EXPECT_TRUE(contains(why_no_device(old, 0, 13000), "driver is missing"));
  const std::string too_old = why_no_device(old, 12040, 13000);
  EXPECT_TRUE(contains(too_old, "driver is too old"));
  EXPECT_TRUE(contains(too_old, "12.4"));
  EXPECT_TRUE(contains(too_old, "13.0"));
  EXPECT_TRUE(contains(why_no_device(none, 13000, 13000), "GPU is missing"));
  EXPECT_TRUE(contains(why_no_device({}, 13000, 13000), "GPU is missing")) << "a count of 0";
  EXPECT_TRUE(contains(why_no_device(strange, 13000, 13000), "cudaErrorUnknown"));
}

TEST(CudaPriority, SpreadsTheRange) {
  EXPECT_EQ(-5, cuda_priority(0, -5, 0));
  EXPECT_EQ(0, cuda_priority(7, -5, 0));
  EXPECT_EQ(0, cuda_priority(99, -5, 0));
  EXPECT_EQ(0, cuda_priority(3, 0, 0));
  for (uint32_t priority = 1; priority <= 7; ++priority)
    EXPECT_GE(cuda_priority(priority, -5, 0), cuda_priority(priority - 1, -5, 0));
}

}  // namespace
}  // namespace ferry::cuda
