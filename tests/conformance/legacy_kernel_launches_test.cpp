// SPDX-License-Identifier: Apache-2.0
// The older names for kernels, with stand-ins: what is registered by the address of a stub runs.
#include "support/legacy.h"

#if __has_include("ferry/kernel.h")
#include "ferry/kernel.h"

#include <cstring>
#include <memory>

namespace conformance::legacy_kernel_launches_test {
namespace {

constexpr uint32_t kMagic = 0x43554245;
constexpr uint64_t kKey = 78;
constexpr const char* kKernel = "legacy_launches_store";

char stub;

// Arguments: where to store, and the address of the value.
struct Block {
  void* out;
  const void* value;
  uint64_t data;  // the value, if the address is a placeholder
};

// Stores the value times the number of blocks.
int store(uint32_t blocks, const void* arguments, size_t /*size*/,
          const ferryKernelContext* context) {
  Block block{};
  std::memcpy(&block, arguments, sizeof block);
  auto* const out = static_cast<uint64_t*>(ferryKernelAddress(context, block.out, 8));
  const auto* const value =
      static_cast<const uint64_t*>(ferryKernelAddress(context, block.value, 8));
  if (out == nullptr || value == nullptr) return 1;
  *out = *value * blocks;
  return 0;
}

class LegacyKernelLaunches : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    ferryKernel kernel{};
    kernel.structSize = sizeof kernel;
    kernel.flags = FERRY_KERNEL_HAS_ENTRY;
    kernel.name = kKernel;
    kernel.function = store;
    kernel.entry = kKey;
    ASSERT_OK(ferryRegisterKernelEx(&kernel));
    const char bytes[16] = "no ELF needed";
    const rtDevBinary_t binary{kMagic, 0, bytes, sizeof bytes};
    ASSERT_OK(rtDevBinaryRegister(&binary, &binary_));
    ASSERT_OK(rtFunctionRegister(binary_, &stub, "stub", kKernel, 0));
    out_ = std::make_unique<DeviceBuffer>(64);
    out_->write(std::vector<uint8_t>(64, 0));
  }
  void TearDown() override {
    out_.reset();
    EXPECT_OK(aclrtBinaryUnLoad(binary_));
    EXPECT_OK(ferryUnregisterKernel(kKernel));
    WithStream::TearDown();
  }

  // What the kernel has stored in the first word.
  uint64_t stored() {
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    uint64_t word = 0;
    const std::vector<uint8_t> bytes = out_->read(0, sizeof word);
    std::memcpy(&word, bytes.data(), sizeof word);
    return word;
  }
  // The value lies in the second word of the memory.
  Block with_value(uint64_t value) {
    EXPECT_OK(aclrtMemcpy(out_->at(8), 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE));
    return {out_->get(), out_->at(8), 0};
  }
  static rtArgsEx_t whole(Block& block) {
    rtArgsEx_t arguments{};
    arguments.args = &block;
    arguments.size = sizeof block;
    return arguments;
  }

  void* binary_ = nullptr;
  std::unique_ptr<DeviceBuffer> out_;
};

TEST_F(LegacyKernelLaunches, RunTheKernelOfTheStub) {
  Block block = with_value(5);
  ASSERT_OK(rtKernelLaunch(&stub, 3, &block, sizeof block, nullptr, stream_));
  block = {};  // it was copied
  EXPECT_EQ(15u, stored());
}

TEST_F(LegacyKernelLaunches, CheckTheNumberOfBlocks) {
  Block block = with_value(5);
  for (const uint32_t blocks : {0u, 65536u}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 rtKernelLaunch(&stub, blocks, &block, sizeof block, nullptr, stream_));
  }
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    rtKernelLaunch(&stub, 1, &block, 0, nullptr, stream_));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               rtKernelLaunch(&stub, 1, nullptr, sizeof block, nullptr, stream_));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               rtKernelLaunchWithFlagV2(&stub, 1, nullptr, nullptr, stream_, 0, nullptr));
}

TEST_F(LegacyKernelLaunches, FillPlaceholders) {
  Block block{out_->get(), nullptr, 6};
  aclrtPlaceHolderInfo place{offsetof(Block, value), offsetof(Block, data)};
  rtArgsEx_t arguments = whole(block);
  arguments.placeholders = &place;
  arguments.placeholderCount = 1;
  rtTaskCfgInfo_t config{};
  ASSERT_OK(rtKernelLaunchWithFlagV2(&stub, 2, &arguments, nullptr, stream_, 0, &config));
  EXPECT_EQ(12u, stored());
  arguments.placeholders = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
               rtKernelLaunchWithFlagV2(&stub, 2, &arguments, nullptr, stream_, 0, nullptr));
}

TEST_F(LegacyKernelLaunches, TilingIsOneMorePlaceholder) {
  Block block{out_->get(), nullptr, 7};
  rtArgsEx_t arguments = whole(block);
  arguments.hasTiling = 1;
  arguments.tilingAddrOffset = offsetof(Block, value);
  arguments.tilingDataOffset = offsetof(Block, data);
  ASSERT_OK(rtKernelLaunchWithHandleV2(binary_, kKey, 1, &arguments, nullptr, stream_, nullptr));
  EXPECT_EQ(7u, stored());
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      rtKernelLaunchWithHandleV2(binary_, kKey + 1, 1, &arguments, nullptr, stream_, nullptr));
}

TEST_F(LegacyKernelLaunches, TakeArgumentsOnTheDevice) {
  Block block = with_value(8);
  DeviceBuffer on_device(sizeof block);
  EXPECT_OK(
      aclrtMemcpy(on_device.get(), sizeof block, &block, sizeof block, ACL_MEMCPY_HOST_TO_DEVICE));
  rtArgsEx_t arguments = whole(block);
  arguments.args = on_device.get();
  arguments.isOnDevice = 1;
  ASSERT_OK(rtKernelLaunchWithFlagV2(&stub, 1, &arguments, nullptr, stream_, 0, nullptr));
  EXPECT_EQ(8u, stored());
}

TEST_F(LegacyKernelLaunches, RefuseKernelsWithoutAStandIn) {
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    rtFunctionRegister(binary_, &binary_, "stub", "legacy_launches_none", 0));
  const rtDevBinary_t wrong{0x12345678, 0, "data", 4};
  void* handle = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, rtDevBinaryRegister(&wrong, &handle));
}

}  // namespace
}  // namespace conformance::legacy_kernel_launches_test
#endif
