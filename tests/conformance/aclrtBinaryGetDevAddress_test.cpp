// SPDX-License-Identifier: Apache-2.0
// aclrtBinaryGetDevAddress: where the bytes of a binary are.
#include "support/kernels.h"

namespace conformance::kernels::aclrtBinaryGetDevAddress_test {
namespace {

using AclrtBinaryGetDevAddress = WithKernels;

TEST_F(AclrtBinaryGetDevAddress, ChecksItsArgumentsInOrder) {
  void* address = nullptr;
  size_t size = 0;
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetDevAddress(nullptr, nullptr, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtBinaryGetDevAddress(binary_, nullptr, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtBinaryGetDevAddress(binary_, &address, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtBinaryGetDevAddress(stream_, &address, &size));
}

TEST_F(AclrtBinaryGetDevAddress, IsNullUntilALazyBinaryIsUsed) {
  aclrtBinaryLoadOption option{};
  option.type = ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD;
  option.value.isLazyLoad = 1;
  aclrtBinaryLoadOptions options{.options = &option, .numOpt = 1};
  aclrtBinHandle loaded = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), &options, &loaded));
  void* address = untouched();
  size_t size = 7;
  EXPECT_OK(aclrtBinaryGetDevAddress(loaded, &address, &size));
  EXPECT_EQ(nullptr, address);
  EXPECT_EQ(0u, size);
  aclrtFuncHandle found = nullptr;
  EXPECT_OK(aclrtBinaryGetFunction(loaded, "ct_record", &found));
  EXPECT_OK(aclrtBinaryGetDevAddress(loaded, &address, &size));
  EXPECT_NE(nullptr, address);
  EXPECT_EQ(kElf.size(), size);
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
}

TEST_F(AclrtBinaryGetDevAddress, IsDeviceMemoryThatTheProgramCannotFree) {
  void* address = nullptr;
  size_t size = 0;
  ASSERT_OK(aclrtBinaryGetDevAddress(binary_, &address, &size));
  aclrtPtrAttributes about{};
  EXPECT_OK(aclrtPointerGetAttributes(address, &about));
  EXPECT_EQ(ACL_MEM_LOCATION_TYPE_DEVICE, about.location.type);
  EXPECT_FAILS_WITH(107000, aclrtFree(address));
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinaryGetDevAddress_test
