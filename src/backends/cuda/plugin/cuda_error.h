// SPDX-License-Identifier: Apache-2.0
// What CUDA's errors mean here: the only table from its codes to ours. No header of CUDA is needed:
// cuda_call.cpp hands the numbers and names over and checks that they are CUDA's.
#pragma once

#include <string>

namespace ferry::cuda {

// Numbers of cudaError_t that are told apart.
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

// An error as CUDA tells it.
struct CudaError {
  int number = kCudaSuccess;
  const char* name = "";  // such as "cudaErrorIllegalAddress"
  const char* text = "";
};

// Something that went wrong, with our code and one line of text. Code 0: nothing did.
struct [[nodiscard]] Trouble {
  int code = 0;
  std::string text;

  bool ok() const { return code == 0; }
};

// `doing` says what was asked of CUDA, such as "allocating device memory".
Trouble translate(const CudaError& error, const char* doing);

// Whether the process cannot use the device again after this error: CUDA answers every later call
// with it.
bool is_fatal(int number);

// What a device answers for ever after a fatal error.
Trouble unusable_device(int device, const CudaError& error);

// Why there is no device to be had: which part is missing. Versions as CUDA writes them, 13000 for
// 13.0; a driver version of 0 means that there is no driver.
std::string why_no_device(const CudaError& error, int driver_version, int runtime_version);

}  // namespace ferry::cuda
