// SPDX-License-Identifier: Apache-2.0
// aclrtBinaryLoadFromData: loads bytes of the program, which may be freed afterwards.
#include "support/kernels.h"

namespace conformance::kernels::aclrtBinaryLoadFromData_test {
namespace {

using AclrtBinaryLoadFromData = WithKernels;

TEST_F(AclrtBinaryLoadFromData, ChecksItsArgumentsInOrder) {
  aclrtBinHandle loaded = untouched();
  aclrtBinaryLoadOptions wrong{.options = nullptr, .numOpt = 0};
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryLoadFromData(nullptr, 0, &wrong, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryLoadFromData(kElf.data(), 0, &wrong, nullptr));
  EXPECT_FAILS(107000, "EE1003", aclrtBinaryLoadFromData(kElf.data(), 0, &wrong, &loaded));
  EXPECT_FAILS(107000, "EE1004", aclrtBinaryLoadFromData(kElf.data(), 8, &wrong, &loaded));
  EXPECT_FAILS_WITH(107000, aclrtBinaryLoadFromData(untouched(), 8, nullptr, &loaded));
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018", aclrtBinaryLoadFromData(kElf.data(), 8, nullptr, &loaded));
  });
  EXPECT_EQ(untouched(), loaded);
}

TEST_F(AclrtBinaryLoadFromData, ChecksMagicAndMode) {
  const auto with = [](aclrtBinaryLoadOption option) {
    aclrtBinaryLoadOptions options{.options = &option, .numOpt = 1};
    aclrtBinHandle loaded = nullptr;
    const aclError code = aclrtBinaryLoadFromData(kElf.data(), kElf.size(), &options, &loaded);
    if (code == ACL_SUCCESS) {
      EXPECT_OK(aclrtBinaryUnLoad(loaded));
    }
    return code;
  };
  aclrtBinaryLoadOption magic{};
  magic.type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
  for (const uint32_t good : {ACL_RT_BINARY_MAGIC_ELF_AICORE, ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE,
                              ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE}) {
    magic.value.magic = good;
    EXPECT_OK(with(magic));
    magic.value.magic = good + 1;
    EXPECT_FAILS_IN("aclrtBinaryLoadFromData", 107000, "", with(magic));
  }
  EXPECT_FAILS_IN("aclrtBinaryLoadFromData", 107000, "", with(cpu_mode(0)));
  EXPECT_FAILS_IN("aclrtBinaryLoadFromData", 107000, "", with(cpu_mode(1)));
  EXPECT_OK(with(cpu_mode(2)));
}

TEST_F(AclrtBinaryLoadFromData, CopiesTheBytes) {
  NEEDS_CPU_DEVICE("the bytes are compared");
  aclrtBinHandle loaded = nullptr;
  {
    const std::string bytes(kElf);
    ASSERT_OK(aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &loaded));
  }
  void* address = nullptr;
  size_t size = 0;
  ASSERT_OK(aclrtBinaryGetDevAddress(loaded, &address, &size));
  std::string read(size, ' ');
  EXPECT_OK(aclrtMemcpy(read.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(kElf, read);
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinaryLoadFromData_test
