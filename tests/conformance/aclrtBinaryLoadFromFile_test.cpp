// SPDX-License-Identifier: Apache-2.0
// aclrtBinaryLoadFromFile: loads from a file; options and files that are wrong.
#include "support/kernels.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace conformance::kernels::aclrtBinaryLoadFromFile_test {
namespace {

using AclrtBinaryLoadFromFile = WithKernels;

struct File {
  explicit File(const char* end, std::string_view bytes = kElf)
      : path(std::string(::testing::TempDir()) + "ferry_kernel_" + std::to_string(getpid()) + end) {
    std::ofstream(path) << bytes;
  }
  ~File() { std::remove(path.c_str()); }
  const std::string path;
};

TEST_F(AclrtBinaryLoadFromFile, LoadsAFile) {
  const File file(".o");
  aclrtBinHandle loaded = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromFile(file.path.c_str(), nullptr, &loaded));
  aclrtFuncHandle found = nullptr;
  EXPECT_OK(aclrtBinaryGetFunction(loaded, "ct_record", &found));
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
}

TEST_F(AclrtBinaryLoadFromFile, ChecksItsArgumentsInOrder) {
  const File file(".o");
  aclrtBinHandle loaded = untouched();
  aclrtBinaryLoadOptions options{.options = nullptr, .numOpt = 1};
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryLoadFromFile(nullptr, &options, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryLoadFromFile(file.path.c_str(), &options, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtBinaryLoadFromFile("/no/such/file", &options, &loaded));
  EXPECT_FAILS(107000, "EE1012", aclrtBinaryLoadFromFile("/no/such/file", nullptr, &loaded));
  EXPECT_FAILS(107000, "EE1012", aclrtBinaryLoadFromFile("/", nullptr, &loaded));
  on_new_thread([&] {
    EXPECT_FAILS(107002, "EE1018", aclrtBinaryLoadFromFile(file.path.c_str(), nullptr, &loaded));
  });
  EXPECT_EQ(untouched(), loaded);
}

TEST_F(AclrtBinaryLoadFromFile, RefusesWrongOptions) {
  const File file(".o");
  const auto with = [&](int type, uint32_t value) {
    aclrtBinaryLoadOption option{};
    option.type = static_cast<aclrtBinaryLoadOptionType>(type);
    option.value.magic = value;
    aclrtBinaryLoadOptions options{.options = &option, .numOpt = 1};
    aclrtBinHandle loaded = nullptr;
    const aclError code = aclrtBinaryLoadFromFile(file.path.c_str(), &options, &loaded);
    if (code == ACL_SUCCESS) {
      EXPECT_OK(aclrtBinaryUnLoad(loaded));
    }
    return code;
  };
  EXPECT_FAILS_IN("aclrtBinaryLoadFromFile", 107000, "", with(0, 0));
  EXPECT_FAILS_IN("aclrtBinaryLoadFromFile", 107000, "", with(4, 0));
  EXPECT_FAILS_IN("aclrtBinaryLoadFromFile", 107000, "", with(ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD, 2));
  EXPECT_OK(with(ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD, 1));
  EXPECT_FAILS_IN("aclrtBinaryLoadFromFile", 107000, "",
                  with(ACL_RT_BINARY_LOAD_OPT_MAGIC, ACL_RT_BINARY_MAGIC_ELF_AICORE));
  EXPECT_FAILS_IN("aclrtBinaryLoadFromFile", 107000, "",
                  with(ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE, 2));
  EXPECT_FAILS_IN("aclrtBinaryLoadFromFile", 107000, "EE1012",
                  with(ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE, 0));
}

TEST_F(AclrtBinaryLoadFromFile, LoadsADescriptionForTheAiCpu) {
  const File file(".json", "{}");
  for (const int32_t mode : {0, 1}) {
    aclrtBinaryLoadOption option = cpu_mode(mode);
    aclrtBinaryLoadOptions options{.options = &option, .numOpt = 1};
    aclrtBinHandle loaded = nullptr;
    ASSERT_OK(aclrtBinaryLoadFromFile(file.path.c_str(), &options, &loaded));
    aclrtFuncHandle found = nullptr;
    EXPECT_OK(aclrtBinaryGetFunction(loaded, "ct_record", &found));
    int64_t type = 0;
    EXPECT_OK(aclrtGetFunctionAttribute(found, ACL_FUNC_ATTR_KERNEL_TYPE, &type));
    EXPECT_EQ(ACL_KERNEL_TYPE_AICPU, type);
    EXPECT_OK(aclrtBinaryUnLoad(loaded));
  }
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinaryLoadFromFile_test
