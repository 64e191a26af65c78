// SPDX-License-Identifier: Apache-2.0
// Maps CUDA error codes to AscendCL codes; cuda_errors.def is the only such table. Needs no CUDA
// header: cuda_call.cpp passes in numbers and names and asserts that the numbers are CUDA's.
#pragma once

#include <string>

namespace ferry::cuda {

// The values of cudaError_t that are handled individually, such as kCudaIllegalAddress.
constexpr int kCudaSuccess = 0;
#define FERRY_CUDA_ERROR(name, number, code, is_fatal) constexpr int kCuda##name = number;
#include "backends/cuda/plugin/cuda_errors.def"

// An error as CUDA reports it.
struct CudaError {
  int number = kCudaSuccess;
  const char* name = "";  // such as "cudaErrorIllegalAddress"
  const char* text = "";
};

// A failure: an aclError and one line of text. Code 0 means success.
struct [[nodiscard]] Trouble {
  int code = 0;
  std::string text;

  bool ok() const { return code == 0; }
};

// `doing` names the operation that CUDA was asked for, such as "allocating device memory".
Trouble translate(const CudaError& error, const char* doing);

// Whether the error makes the device unusable for this process: CUDA returns it from every later
// call.
bool is_fatal(int number);

// The result of every call on a device after a fatal error.
Trouble unusable_device(int device, const CudaError& error);

// Says why there is no usable device: which part is missing. Versions in CUDA's form, 13000 for
// 13.0; driver version 0 means that there is no driver.
std::string why_no_device(const CudaError& error, int driver_version, int runtime_version);

}  // namespace ferry::cuda
