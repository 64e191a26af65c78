// SPDX-License-Identifier: Apache-2.0
// A driver with a few functions, under the name of the CUDA driver, for the test of the thunks.
#include <cstdint>
#include <cstring>

namespace {

int live = 0;

int create_stream(int* stream, unsigned /*flags*/) {
  *stream = ++live;
  return 0;
}

int destroy_stream(int* /*stream*/) {
  --live;
  return 0;
}

// Eleven arguments, as cuLaunchKernel has: some of them are on the stack.
int launch(uint64_t a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g,
           unsigned h, uint64_t i, uint64_t* sum, uint64_t j) {
  *sum = a + b + c + d + e + f + g + h + i + j;
  return 0;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int cuGetProcAddress_v2(const char* name, void** function, int /*version*/,
                               uint64_t /*flags*/, void* /*status*/) {
  *function = nullptr;
  if (std::strcmp(name, "cuStreamCreate") == 0) *function = reinterpret_cast<void*>(create_stream);
  if (std::strcmp(name, "cuStreamDestroy") == 0)
    *function = reinterpret_cast<void*>(destroy_stream);
  if (std::strcmp(name, "cuLaunchKernel") == 0) *function = reinterpret_cast<void*>(launch);
  if (std::strcmp(name, "cuGetProcAddress") == 0)
    *function = reinterpret_cast<void*>(cuGetProcAddress_v2);
  return *function != nullptr ? 0 : 500;
}
