// SPDX-License-Identifier: Apache-2.0
// Finds errors in the table and describes them.
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
#define FERRY_CUDA_ERROR(name, number, code, is_fatal) {number, code, is_fatal},
#include "backends/cuda/plugin/cuda_errors.def"
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
