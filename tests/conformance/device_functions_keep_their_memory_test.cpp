// SPDX-License-Identifier: Apache-2.0
// Memory that a running device function uses is freed: the function writes on, and nobody else has
// its addresses until it returns.
#include "support/devices.h"
#include "support/needs.h"

#include "ferry/ferry.h"

#include <cstring>
#include <latch>
#include <vector>

namespace conformance::device_functions_keep_their_memory_test {
namespace {

constexpr size_t kSize = 4096;

// A device function that takes the address of a block, and writes there when it is told to.
class LateWriter {
 public:
  LateWriter(aclrtStream stream, void* block) : block_(block) {
    EXPECT_OK(ferryLaunchDeviceFunction(stream, run, this));
    has_address_.wait();
  }
  // Returns when it has written.
  void write() {
    may_write_.count_down();
    has_written_.wait();
  }

 private:
  static void run(void* argument) {
    auto* self = static_cast<LateWriter*>(argument);
    void* const device = ferryDeviceAddress(self->block_);
    void* const target = device != nullptr ? device : self->block_;  // or pinned memory
    self->has_address_.count_down();
    self->may_write_.wait();
    std::memset(target, 0xEE, kSize);
    self->has_written_.count_down();
  }

  void* const block_;
  std::latch has_address_{1}, may_write_{1}, has_written_{1};
};

void* new_block() {
  void* block = nullptr;
  EXPECT_OK(aclrtMalloc(&block, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  return block;
}

// Allocates more blocks than a free list would pass by, lets the function write, and looks at them.
void expect_new_blocks_untouched(LateWriter& writer, const void* freed) {
  std::vector<void*> blocks(64);
  for (void*& block : blocks) {
    block = new_block();
    EXPECT_NE(freed, block);
    EXPECT_OK(aclrtMemset(block, kSize, 7, kSize));
  }
  writer.write();
  std::vector<uint8_t> bytes(kSize);
  for (void* block : blocks) {
    EXPECT_OK(aclrtMemcpy(bytes.data(), kSize, block, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(std::vector<uint8_t>(kSize, 7), bytes);
    EXPECT_OK(aclrtFree(block));
  }
}

using DeviceFunctionMemory = WithStream;

TEST_F(DeviceFunctionMemory, IsNotGivenOutAgainAfterAFree) {
  NEEDS_CPU_DEVICE("device functions run on CPU devices");
  void* const block = new_block();
  LateWriter writer(stream_, block);
  EXPECT_OK(aclrtFree(block));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block));  // to the program it is free
  expect_new_blocks_untouched(writer, block);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(DeviceFunctionMemory, IsNotGivenOutAgainAfterItsStreamWasDestroyedByForce) {
  NEEDS_CPU_DEVICE("device functions run on CPU devices");
  void* const block = new_block();
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  LateWriter writer(stream, block);
  EXPECT_OK(aclrtDestroyStreamForce(stream));
  EXPECT_OK(aclrtFree(block));
  expect_new_blocks_untouched(writer, block);
}

TEST_F(DeviceFunctionMemory, IsNotGivenOutAgainAfterItsContextWasDestroyed) {
  NEEDS_CPU_DEVICE("device functions run on CPU devices");
  const aclrtContext mine = current_context();
  void* const block = new_block();
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  ASSERT_OK(aclrtCreateStream(&stream));
  LateWriter writer(stream, block);
  EXPECT_OK(aclrtStreamAbort(stream));  // otherwise destroying the context waits for the function
  EXPECT_OK(aclrtDestroyContext(context));
  ASSERT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtFree(block));
  expect_new_blocks_untouched(writer, block);
}

TEST(DeviceFunctionMemoryOfADevice, IsNotGivenOutAgainAfterTheDeviceWasReset) {
  NEEDS_CPU_DEVICE("device functions run on CPU devices");
  ASSERT_OK(aclrtSetDevice(0));
  void* const block = new_block();
  LateWriter writer(nullptr, block);
  EXPECT_OK(aclrtResetDeviceForce(0));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtFree(block));
  expect_new_blocks_untouched(writer, block);
  EXPECT_OK(aclrtResetDevice(0));
}

TEST_F(DeviceFunctionMemory, IsNotGivenOutAgainIfItIsPinned) {
  NEEDS_CPU_DEVICE("device functions run on CPU devices");
  void* block = nullptr;
  ASSERT_OK(aclrtMallocHost(&block, kSize));
  LateWriter writer(stream_, block);
  EXPECT_OK(aclrtFreeHost(block));
  std::vector<void*> others(64);
  for (void*& other : others) {
    EXPECT_OK(aclrtMallocHost(&other, kSize));
    EXPECT_NE(block, other);
    std::memset(other, 7, kSize);
  }
  writer.write();
  for (void* other : others) {
    EXPECT_EQ(0, std::memcmp(other, std::vector<uint8_t>(kSize, 7).data(), kSize));
    EXPECT_OK(aclrtFreeHost(other));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

FERRY_PROCESS_TEST(DeviceFunctionMemoryProcess, IsGivenOutAgainOnceAllFunctionsHaveReturned,
                   "FERRY_MEMORY=1G") {
  NEEDS_CPU_DEVICE("device functions run on CPU devices");
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream first = nullptr, second = nullptr;
  ASSERT_OK(aclrtCreateStream(&first));
  ASSERT_OK(aclrtCreateStream(&second));
  // Together the blocks exceed all addresses that the device has: those of each round are needed in
  // later rounds. Its capacity is free at once.
  constexpr size_t kBlock = size_t{900} << 20;
  for (int round = 0; round < 8; ++round) {
    void* block = nullptr;
    ASSERT_OK(aclrtMalloc(&block, kBlock, ACL_MEM_MALLOC_HUGE_FIRST)) << "round " << round;
    LateWriter writer(first, block);
    LateWriter other(second, block);
    ASSERT_OK(aclrtFree(block));
    writer.write();
    ASSERT_OK(aclrtSynchronizeStream(first));
    ASSERT_OK(aclrtMalloc(&block, kBlock, ACL_MEM_MALLOC_HUGE_FIRST)) << "round " << round;
    ASSERT_OK(aclrtFree(block));
    other.write();
    ASSERT_OK(aclrtSynchronizeStream(second));
  }
  EXPECT_OK(aclrtDestroyStream(first));
  EXPECT_OK(aclrtDestroyStream(second));
}

}  // namespace
}  // namespace conformance::device_functions_keep_their_memory_test
