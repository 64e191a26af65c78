// SPDX-License-Identifier: Apache-2.0
// The table of CUDA error codes.
#include "backends/cuda/plugin/cuda_error.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <iterator>

namespace ferry::cuda {
namespace {

struct Row {
  int number;
  int code;
  bool is_fatal;
};

constexpr Row kTable[] = {
    {kCudaInvalidValue, ACL_ERROR_RT_PARAM_INVALID, false},
    {kCudaMemoryAllocation, ACL_ERROR_RT_MEMORY_ALLOCATION, false},
    {kCudaInitializationError, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaStubLibrary, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaInsufficientDriver, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaCallRequiresNewerDriver, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaDevicesUnavailable, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaNoDevice, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaInvalidDevice, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaDeviceNotLicensed, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaNoKernelImageForDevice, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaInvalidPtx, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaUnsupportedPtxVersion, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaSystemNotReady, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaSystemDriverMismatch, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaCompatNotSupportedOnDevice, ACL_ERROR_RT_DEV_SETUP_ERROR, false},
    {kCudaPeerAccessUnsupported, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, false},
    {kCudaTooManyPeers, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, false},
    {kCudaNotSupported, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, false},
    {kCudaNotPermitted, ACL_ERROR_RT_NO_PERMISSION, false},
    {kCudaHostMemoryAlreadyRegistered, ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, false},
    {kCudaHostMemoryNotRegistered, ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, false},
    {kCudaRuntimeUnloading, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaEccUncorrectable, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaNvlinkUncorrectable, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaContained, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaIllegalAddress, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaLaunchTimeout, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaContextIsDestroyed, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaAssert, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaHardwareStackError, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaIllegalInstruction, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaMisalignedAddress, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaInvalidAddressSpace, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaInvalidPc, ACL_ERROR_RT_INTERNAL_ERROR, true},
    {kCudaLaunchFailure, ACL_ERROR_RT_INTERNAL_ERROR, true},
};

const Row* find_row(int number) {
  const auto* row = std::find_if(std::begin(kTable), std::end(kTable),
                                 [&](const Row& each) { return each.number == number; });
  return row == std::end(kTable) ? nullptr : row;
}

std::string in_words(const CudaError& error) {
  return std::string(error.name) + ": " + error.text;
}

std::string version_in_words(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

Trouble translate(const CudaError& error, const char* doing) {
  if (error.number == kCudaSuccess) return {};
  const Row* row = find_row(error.number);
  return {.code = row != nullptr ? row->code : ACL_ERROR_RT_INTERNAL_ERROR,
          .text = std::string("CUDA refused ") + doing + " (" + in_words(error) + ")"};
}

bool is_fatal(int number) {
  const Row* row = find_row(number);
  return row != nullptr && row->is_fatal;
}

Trouble unusable_device(int device, const CudaError& error) {
  return {.code = ACL_ERROR_RT_INTERNAL_ERROR,
          .text = "CUDA device " + std::to_string(device) +
                  " cannot be used any more in this process, because work on it failed (" +
                  in_words(error) + "): start the program anew"};
}

std::string why_no_device(const CudaError& error, int driver_version, int runtime_version) {
  if (driver_version == 0) {
    return "the NVIDIA driver is missing: there is no usable libcuda.so.1 on this machine";
  }
  switch (error.number) {
    case kCudaInsufficientDriver:
    case kCudaCallRequiresNewerDriver:
      return "the NVIDIA driver is too old: it is for CUDA " + version_in_words(driver_version) +
             ", this plugin needs one for CUDA " + version_in_words(runtime_version) + " (" +
             in_words(error) + ")";
    case kCudaSuccess:
    case kCudaNoDevice:
      return "the GPU is missing: the NVIDIA driver is there, but shows no GPU to this process "
             "(see nvidia-smi and CUDA_VISIBLE_DEVICES)";
    default:
      return "the NVIDIA driver is there, but does not work (" + in_words(error) + ")";
  }
}

}  // namespace ferry::cuda
