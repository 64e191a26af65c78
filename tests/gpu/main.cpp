// SPDX-License-Identifier: Apache-2.0
// Runs the checks. Options in addition to GoogleTest's: --short, for runs under compute-sanitizer.
#include "gpu/support.h"

#include <cstdio>
#include <string_view>

namespace ferry::cuda {
namespace {

bool is_short = false;

}  // namespace

bool is_short_run() {
  return is_short;
}

}  // namespace ferry::cuda

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--short") ferry::cuda::is_short = true;
  }
  constexpr int kSkipped = 77;
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess) {
    std::printf("skipped: no GPU can be used: %s\n", cudaGetErrorString(error));
    return kSkipped;
  }
  return RUN_ALL_TESTS();
}
