// SPDX-License-Identifier: Apache-2.0
// Memory in a forked process: refused where the parent had used the library, normal where it had
// not.
#include "support/device_allocator.h"
#include "support/host_pages.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace conformance::memory::memory_after_fork_test {
namespace {

// Runs `body` in a fork and returns its exit status: 0 if it had no failure. Ends with exit(), so
// that the library's work at process exit is part of the test.
template <class Body>
int in_fork(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

FERRY_PROCESS_TEST(MemoryAfterFork, IsRefusedWhereTheParentHadUsedTheLibrary) {
  ASSERT_OK(aclrtSetDevice(0));
  DeviceBuffer device(64);
  device.write(pattern(64));
  const int status = in_fork([] {
    HostPages pages;
    void* address = untouched();
    size_t free = 0;
    size_t total = 0;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtMalloc(&address, 64, kAnyPolicy));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtMallocHost(&address, 64));
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_INTERNAL_ERROR,
        aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &address));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    EXPECT_EQ(address, untouched());
    EXPECT_EQ(aclrtMalloc(&address, 64, kAnyPolicy), ACL_ERROR_RT_INTERNAL_ERROR);
    const std::string text = recent_text();
    EXPECT_NE(text.find("fork"), std::string::npos) << text;
    // Calls that need no runtime still work.
    EXPECT_EQ(aclFloat16ToFloat(0x3c00), 1.0f);
    EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4u);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(device.read(), pattern(64));
}

FERRY_PROCESS_TEST(MemoryAfterFork, IsNormalInAChildThatIsTheFirstToUseTheLibrary) {
  const int status = in_fork([] {
    ASSERT_OK(aclrtSetDevice(0));
    DeviceBuffer device(64);
    device.write(pattern(64));
    EXPECT_EQ(device.read(), pattern(64));
  });
  EXPECT_EQ(status, 0);
  // The child was another process: this one has still not used the library.
  ASSERT_OK(aclrtSetDevice(0));
  DeviceBuffer device(64);
  device.write(pattern(64));
  EXPECT_EQ(device.read(), pattern(64));
}

}  // namespace
}  // namespace conformance::memory::memory_after_fork_test
