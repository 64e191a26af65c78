// SPDX-License-Identifier: Apache-2.0
// Which runtime service the CUDA backend uses to move bytes of the program.
#include "backends/cuda/plugin/services.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ferry::cuda {
namespace {

int bad_byte = 0;

const void* refuse(const ferryx_copy* /*items*/, size_t /*count*/) {
  return &bad_byte;
}

class CudaServices : public ::testing::Test {
 protected:
  CudaServices() { runtime_.struct_size = sizeof runtime_; }
  ~CudaServices() override { services = before_; }

  // Moves two pieces; returns the address that could not be accessed.
  const void* move() {
    services = &runtime_;
    const ferryx_copy items[] = {
        {.dst = nullptr, .src = nullptr, .size = 3, .dst_storage = to_, .src_storage = "abc"},
        {.dst = nullptr, .src = nullptr, .size = 2, .dst_storage = to_ + 1, .src_storage = to_}};
    return move_bytes(items, 2);
  }

  ferryx_runtime runtime_{};
  char to_[4] = {};

 private:
  const ferryx_runtime* const before_ = services;
};

TEST_F(CudaServices, ReportTheAddressThatTheRuntimeCouldNotAccess) {
  runtime_.move_bytes = refuse;
  EXPECT_EQ(&bad_byte, move());
  EXPECT_STREQ("", to_);
}

TEST_F(CudaServices, MoveBytesByThemselvesUnderAnOlderRuntime) {
  runtime_.move_bytes = refuse;
  runtime_.struct_size = offsetof(ferryx_runtime, move_bytes);
  EXPECT_EQ(nullptr, move());
  EXPECT_STREQ("aab", to_);
}

}  // namespace
}  // namespace ferry::cuda
