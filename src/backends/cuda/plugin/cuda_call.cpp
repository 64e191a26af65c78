// SPDX-License-Identifier: Apache-2.0
// Describes CUDA errors and asserts that the numbers in cuda_error.h are CUDA's.
#include "backends/cuda/plugin/cuda_call.h"

namespace ferry::cuda {

static_assert(kCudaInvalidValue == cudaErrorInvalidValue);
static_assert(kCudaMemoryAllocation == cudaErrorMemoryAllocation);
static_assert(kCudaInitializationError == cudaErrorInitializationError);
static_assert(kCudaRuntimeUnloading == cudaErrorCudartUnloading);
static_assert(kCudaStubLibrary == cudaErrorStubLibrary);
static_assert(kCudaInsufficientDriver == cudaErrorInsufficientDriver);
static_assert(kCudaCallRequiresNewerDriver == cudaErrorCallRequiresNewerDriver);
static_assert(kCudaDevicesUnavailable == cudaErrorDevicesUnavailable);
static_assert(kCudaNoDevice == cudaErrorNoDevice);
static_assert(kCudaInvalidDevice == cudaErrorInvalidDevice);
static_assert(kCudaDeviceNotLicensed == cudaErrorDeviceNotLicensed);
static_assert(kCudaNoKernelImageForDevice == cudaErrorNoKernelImageForDevice);
static_assert(kCudaEccUncorrectable == cudaErrorECCUncorrectable);
static_assert(kCudaPeerAccessUnsupported == cudaErrorPeerAccessUnsupported);
static_assert(kCudaInvalidPtx == cudaErrorInvalidPtx);
static_assert(kCudaNvlinkUncorrectable == cudaErrorNvlinkUncorrectable);
static_assert(kCudaUnsupportedPtxVersion == cudaErrorUnsupportedPtxVersion);
#if CUDART_VERSION >= 13000
static_assert(kCudaContained == cudaErrorContained);
#endif
static_assert(kCudaOperatingSystem == cudaErrorOperatingSystem);
static_assert(kCudaNotReady == cudaErrorNotReady);
static_assert(kCudaIllegalAddress == cudaErrorIllegalAddress);
static_assert(kCudaLaunchTimeout == cudaErrorLaunchTimeout);
static_assert(kCudaContextIsDestroyed == cudaErrorContextIsDestroyed);
static_assert(kCudaAssert == cudaErrorAssert);
static_assert(kCudaTooManyPeers == cudaErrorTooManyPeers);
static_assert(kCudaHostMemoryAlreadyRegistered == cudaErrorHostMemoryAlreadyRegistered);
static_assert(kCudaHostMemoryNotRegistered == cudaErrorHostMemoryNotRegistered);
static_assert(kCudaHardwareStackError == cudaErrorHardwareStackError);
static_assert(kCudaIllegalInstruction == cudaErrorIllegalInstruction);
static_assert(kCudaMisalignedAddress == cudaErrorMisalignedAddress);
static_assert(kCudaInvalidAddressSpace == cudaErrorInvalidAddressSpace);
static_assert(kCudaInvalidPc == cudaErrorInvalidPc);
static_assert(kCudaLaunchFailure == cudaErrorLaunchFailure);
static_assert(kCudaNotPermitted == cudaErrorNotPermitted);
static_assert(kCudaNotSupported == cudaErrorNotSupported);
static_assert(kCudaSystemNotReady == cudaErrorSystemNotReady);
static_assert(kCudaSystemDriverMismatch == cudaErrorSystemDriverMismatch);
static_assert(kCudaCompatNotSupportedOnDevice == cudaErrorCompatNotSupportedOnDevice);
static_assert(kCudaUnknown == cudaErrorUnknown);

CudaError describe(cudaError_t error) {
  cudaGetLastError();
  return {.number = error, .name = cudaGetErrorName(error), .text = cudaGetErrorString(error)};
}

}  // namespace ferry::cuda
