// SPDX-License-Identifier: Apache-2.0
// Memory that cannot be shared: refusals change nothing.
#include "backends/cpu/running_functions.h"
#include "tests/unit/backends/cpu/sharing_support.h"

#include <fcntl.h>
#include <sys/resource.h>

namespace ferry::cpu {
namespace {

// A file in memory that another process might pass on.
class PassedFile {
 public:
  PassedFile(uint64_t size, int seals) : number_(memfd_create("passed", MFD_ALLOW_SEALING)) {
    EXPECT_EQ(0, ftruncate(number_, static_cast<off_t>(size)));
    EXPECT_EQ(0, fcntl(number_, F_ADD_SEALS, seals));
  }
  ~PassedFile() { close(number_); }
  PassedFile(const PassedFile&) = delete;
  PassedFile& operator=(const PassedFile&) = delete;

  int number() const { return number_; }

 private:
  const int number_;
};

class CpuSharingFaults : public CpuSharing {
 protected:
  int import_code(int file, uint64_t offset, uint64_t size) const {
    const ferryx_shared shared{.struct_size = sizeof shared,
                               .file = file,
                               .offset = offset,
                               .size = size,
                               .is_host = 0,
                               .remote = nullptr};
    ferryx_physical* physical = nullptr;
    const int code = backend()->physical_import(device_, &shared, &physical);
    if (code == ACL_SUCCESS) release(physical);
    return code;
  }
};

constexpr int kRefused = ACL_ERROR_RT_DRV_INTERNAL_ERROR;

TEST_F(CpuSharingFaults, FilesThatCannotBeReliedOnAreRefused) {
  const ptrdiff_t files = open_files();
  {
    const PassedFile sealed(4 * kPage, F_SEAL_SHRINK);
    EXPECT_EQ(import_code(sealed.number(), 0, 4 * kPage), ACL_SUCCESS);
    EXPECT_EQ(import_code(sealed.number(), 3 * kPage, kPage), ACL_SUCCESS);
    EXPECT_EQ(import_code(sealed.number(), 0, 5 * kPage), kRefused);
    EXPECT_EQ(import_code(sealed.number(), 4 * kPage, kPage), kRefused);
    EXPECT_EQ(import_code(sealed.number(), UINT64_MAX - kPage + 1, 2 * kPage), kRefused);
    EXPECT_EQ(import_code(sealed.number(), 0, 0), kRefused);
    EXPECT_EQ(import_code(sealed.number(), 1, kPage), kRefused);
    EXPECT_EQ(import_code(sealed.number(), 0, kPage + 1), kRefused);
    const PassedFile unsealed(4 * kPage, F_SEAL_GROW);
    EXPECT_EQ(import_code(unsealed.number(), 0, kPage), kRefused);
    EXPECT_NE(last_text().find("F_SEAL_SHRINK"), std::string::npos) << last_text();
    const PassedFile frozen(4 * kPage, F_SEAL_SHRINK | F_SEAL_WRITE);
    EXPECT_EQ(import_code(frozen.number(), 0, kPage), kRefused);
    const std::string path = "/proc/self/fd/" + std::to_string(sealed.number());
    const int reader = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(import_code(reader, 0, kPage), kRefused);
    close(reader);
    EXPECT_EQ(import_code(-1, 0, kPage), kRefused);
    int pipe_ends[2];
    ASSERT_EQ(0, pipe(pipe_ends));
    EXPECT_EQ(import_code(pipe_ends[0], 0, kPage), kRefused);
    for (const int end : pipe_ends)
      close(end);
  }
  EXPECT_EQ(open_files(), files);
}

TEST_F(CpuSharingFaults, VisitorsCannotChangeTheSizeOrTheSeals) {
  const ferryx_memory memory = allocate(2 * kPage);
  const ferryx_shared shared = share(memory);
  EXPECT_EQ(-1, ftruncate(shared.file, 0));
  EXPECT_EQ(-1, ftruncate(shared.file, 4 * kPage));
  EXPECT_EQ(-1, fcntl(shared.file, F_ADD_SEALS, F_SEAL_WRITE));
  close(shared.file);
  ferryx_physical* const physical = create(1);
  const ferryx_shared host = share(physical);
  EXPECT_EQ(-1, ftruncate(host.file, 0));
  close(host.file);
  release(physical);
  free(memory);
}

TEST_F(CpuSharingFaults, MemoryDoesNotMoveWhileADeviceFunctionRuns) {
  const ferryx_memory memory = allocate(kPage);
  *bytes_of(memory) = 1;
  ferryx_physical* const physical = create();
  ferryx_shared shared{};
  const uint64_t function = RunningFunctions::instance().begin();
  EXPECT_EQ(backend()->memory_export(device_, &memory, &shared), kRefused);
  EXPECT_NE(last_text().find("synchronise"), std::string::npos) << last_text();
  EXPECT_EQ(backend()->physical_export(device_, physical, &shared), kRefused);
  RunningFunctions::instance().end(function);
  const ferryx_shared moved = share(memory);
  const uint64_t next = RunningFunctions::instance().begin();
  const ferryx_shared again = share(memory);  // it has moved
  RunningFunctions::instance().end(next);
  close(again.file);
  Visitor visitor(moved);
  EXPECT_EQ(visitor[0], 1);
  release(physical);
  free(memory);
}

TEST_F(CpuSharingFaults, MemoryThatTheHostWritesToDoesNotMove) {
  const ferryx_memory range = reserve(kPiece);
  ferryx_physical* const physical = create();
  const ferryx_memory mapped = map(physical, range, 0);
  const uint64_t function = RunningFunctions::instance().begin();
  ok(backend()->physical_open_to_host(device_, &mapped));  // it could not move first
  RunningFunctions::instance().end(function);
  static_cast<char*>(mapped.address)[1] = 1;
  ferryx_shared shared{};
  EXPECT_EQ(backend()->physical_export(device_, physical, &shared), kRefused);
  EXPECT_NE(last_text().find("aclrtMemSetAccess"), std::string::npos) << last_text();
  EXPECT_EQ(bytes_of(mapped)[1], 1);
  unmap(mapped);
  Visitor visitor(share(physical));
  EXPECT_EQ(visitor[1], 1);
  release(physical);
  release(range);
}

TEST_F(CpuSharingFaults, WithoutDescriptorsNothingChanges) {
  const ferryx_memory memory = allocate(kPage);
  const ferryx_memory range = reserve(2 * kPiece);
  ferryx_physical* const physical = create();
  const ferryx_memory mapped = map(physical, range, 0);
  const ferryx_shared good = share(memory);
  const ferryx_memory other = allocate(kPage);
  *bytes_of(other) = 1;
  *bytes_of(mapped) = 2;
  rlimit limit{};
  ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
  for (rlim_t spare = 0; spare < 2; ++spare) {  // one is not enough: the file, and the caller's
    const int lowest = dup(0);
    ASSERT_GE(lowest, 0);
    close(lowest);
    rlimit less = limit;
    less.rlim_cur = static_cast<rlim_t>(lowest) + spare;
    ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &less));
    ferryx_shared shared{};
    EXPECT_EQ(backend()->memory_export(device_, &other, &shared), ACL_ERROR_RT_MEMORY_ALLOCATION);
    if (spare == 0) {
      EXPECT_EQ(backend()->memory_export(device_, &memory, &shared),
                ACL_ERROR_RT_MEMORY_ALLOCATION);
      EXPECT_EQ(backend()->physical_export(device_, physical, &shared),
                ACL_ERROR_RT_MEMORY_ALLOCATION);
      EXPECT_EQ(backend()->physical_open_to_host(device_, &mapped), ACL_ERROR_RT_MEMORY_ALLOCATION);
      EXPECT_EQ(import_code(good.file, 0, kPage), ACL_ERROR_RT_MEMORY_ALLOCATION);
    }
    ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
    EXPECT_EQ(*bytes_of(other), 1);
    EXPECT_EQ(*bytes_of(mapped), 2);
  }
  Visitor a(share(other));
  Visitor b(share(physical));
  EXPECT_EQ(a[0], 1);
  EXPECT_EQ(b[0], 2);
  close(good.file);
  unmap(mapped);
  release(physical);
  release(range);
  free(memory);
  free(other);
}

}  // namespace
}  // namespace ferry::cpu
