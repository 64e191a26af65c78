// SPDX-License-Identifier: Apache-2.0
// Maps CUDA error codes to AscendCL codes; this is the only such table. Needs no CUDA header:
// cuda_call.cpp passes in numbers and names and asserts that the numbers are CUDA's.
#pragma once

#include <string>

namespace ferry::cuda {

// The values of cudaError_t that are handled individually.
constexpr int kCudaSuccess = 0;
constexpr int kCudaInvalidValue = 1;
constexpr int kCudaMemoryAllocation = 2;
constexpr int kCudaInitializationError = 3;
constexpr int kCudaRuntimeUnloading = 4;
constexpr int kCudaStubLibrary = 34;
constexpr int kCudaInsufficientDriver = 35;
constexpr int kCudaCallRequiresNewerDriver = 36;
constexpr int kCudaDevicesUnavailable = 46;
constexpr int kCudaNoDevice = 100;
constexpr int kCudaInvalidDevice = 101;
constexpr int kCudaDeviceNotLicensed = 102;
constexpr int kCudaNoKernelImageForDevice = 209;
constexpr int kCudaEccUncorrectable = 214;
constexpr int kCudaPeerAccessUnsupported = 217;
constexpr int kCudaInvalidPtx = 218;
constexpr int kCudaNvlinkUncorrectable = 220;
constexpr int kCudaUnsupportedPtxVersion = 222;
constexpr int kCudaContained = 226;
constexpr int kCudaOperatingSystem = 304;
constexpr int kCudaNotReady = 600;
constexpr int kCudaIllegalAddress = 700;
constexpr int kCudaLaunchTimeout = 702;
constexpr int kCudaContextIsDestroyed = 709;
constexpr int kCudaAssert = 710;
constexpr int kCudaTooManyPeers = 711;
constexpr int kCudaHostMemoryAlreadyRegistered = 712;
constexpr int kCudaHostMemoryNotRegistered = 713;
constexpr int kCudaHardwareStackError = 714;
constexpr int kCudaIllegalInstruction = 715;
constexpr int kCudaMisalignedAddress = 716;
constexpr int kCudaInvalidAddressSpace = 717;
constexpr int kCudaInvalidPc = 718;
constexpr int kCudaLaunchFailure = 719;
constexpr int kCudaNotPermitted = 800;
constexpr int kCudaNotSupported = 801;
constexpr int kCudaSystemNotReady = 802;
constexpr int kCudaSystemDriverMismatch = 803;
constexpr int kCudaCompatNotSupportedOnDevice = 804;
constexpr int kCudaUnknown = 999;

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
