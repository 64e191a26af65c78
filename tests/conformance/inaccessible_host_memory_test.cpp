// SPDX-License-Identifier: Apache-2.0
// Pageable host memory that looks accessible in the list of mappings but is not: guard pages, file
// mappings behind the end of the file. And memory that cannot be looked up because no file can be
// opened. Copies of any size and form return a code; no signal arrives.
#include "support/batch.h"
#include "support/needs.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <functional>
#include <optional>

namespace conformance::inaccessible_host_memory_test {
namespace {

constexpr aclError kBadValue = 107000;
constexpr int kGuardInstall = 102;  // MADV_GUARD_INSTALL, Linux 6.13
constexpr size_t kPage = 4096;
constexpr size_t kSizes[] = {2 * kPage, size_t{2} << 20, size_t{16} << 20};

// A private or file mapping that ends with the object. Not copyable.
class Mapping {
 public:
  Mapping(size_t size, int flags, int file) : size_(size) {
    address_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, file, 0);
    EXPECT_NE(MAP_FAILED, address_);
  }
  ~Mapping() { munmap(address_, size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  uint8_t* at(size_t offset) const { return static_cast<uint8_t*>(address_) + offset; }

 private:
  void* address_ = nullptr;
  size_t size_;
};

// A call that touches the host memory of `size` bytes from the first to the last page.
struct Touch {
  const char* name;
  std::function<aclError(void* host, size_t size)> call;
};

class InaccessibleHostMemory : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    device_.emplace(size_t{16} << 20);
    other_host_ = pattern(device_->size());
    device_->write(other_host_);
    pinned_.emplace(64);
  }
  void TearDown() override {
    device_.reset();
    pinned_.reset();
    WithStream::TearDown();
  }

  std::vector<Touch> touches();
  aclError batch(const copies::BatchForm& form, void* host, size_t size) {
    void* dsts[] = {pinned_->get(), host};
    void* srcs[] = {device_->get(), device_->get()};
    size_t sizes[] = {64, size};
    aclrtMemcpyBatchAttr attr = {};
    attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
    attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    size_t first = 0;
    return copies::call_batch(
        form, {dsts, sizes, srcs, sizes, 2, &attr, &first, 1, &fail_index_, stream_});
  }
  // All calls fail for `host`, whose last page cannot be accessed, and succeed without that page.
  void expect_refused(uint8_t* host, size_t size) {
    for (const Touch& touch : touches()) {
      SCOPED_TRACE(std::string(touch.name) + " of " + std::to_string(size));
      fail_index_ = SIZE_MAX;
      EXPECT_TRUE(copies::failed_as(touch.name, kBadValue, "", touch.call(host, size)));
      if (std::string(touch.name).find("Batch") != std::string::npos) {
        EXPECT_EQ(1u, fail_index_);
      }
      EXPECT_OK(touch.call(host, size - kPage));
      EXPECT_OK(aclrtSynchronizeStream(stream_));
    }
  }

  size_t fail_index_ = 0;
  std::optional<DeviceBuffer> device_;
  std::optional<PinnedBuffer> pinned_;
  std::vector<uint8_t> other_host_;
};

std::vector<Touch> InaccessibleHostMemory::touches() {
  // Two rows at both ends: a gap of many pages.
  const auto rows = [](size_t size) { return size - 64; };
  return {
      {"aclrtMemcpy",
       [this](void* host, size_t size) {
         return aclrtMemcpy(host, size, device_->get(), size, ACL_MEMCPY_DEVICE_TO_HOST);
       }},
      {"aclrtMemcpy",
       [this](void* host, size_t size) {
         return aclrtMemcpy(device_->get(), size, host, size, ACL_MEMCPY_HOST_TO_DEVICE);
       }},
      {"aclrtMemcpyAsync",
       [this](void* host, size_t size) {
         return aclrtMemcpyAsync(host, size, device_->get(), size, ACL_MEMCPY_DEVICE_TO_HOST,
                                 stream_);
       }},
      {"aclrtMemcpyAsync",
       [this](void* host, size_t size) {
         return aclrtMemcpyAsync(device_->get(), size, host, size, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
                                 stream_);
       }},
      {"aclrtMemcpy",
       [this](void* host, size_t size) {
         return aclrtMemcpy(host, size, other_host_.data(), size, ACL_MEMCPY_HOST_TO_HOST);
       }},
      {"aclrtMemcpy2d",
       [this, rows](void* host, size_t size) {
         return aclrtMemcpy2d(host, rows(size), device_->get(), 64, 64, 2,
                              ACL_MEMCPY_DEVICE_TO_HOST);
       }},
      {"aclrtMemcpy2dAsync",
       [this, rows](void* host, size_t size) {
         return aclrtMemcpy2dAsync(host, rows(size), device_->get(), 64, 64, 2,
                                   ACL_MEMCPY_DEVICE_TO_HOST, stream_);
       }},
      {"aclrtMemcpyBatch",
       [this](void* host, size_t size) { return batch(copies::kBatchForms[0], host, size); }},
      {"aclrtMemcpyBatchAsync",
       [this](void* host, size_t size) { return batch(copies::kBatchForms[2], host, size); }},
      {"aclrtMemset", [](void* host, size_t size) { return aclrtMemset(host, size, 7, size); }},
      {"aclrtMemsetAsync",
       [this](void* host, size_t size) { return aclrtMemsetAsync(host, size, 7, size, stream_); }},
  };
}

bool has_guard_pages() {
  const Mapping page(kPage, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  return madvise(page.at(0), kPage, kGuardInstall) == 0;
}

// A file without a name of this many bytes.
int open_file(size_t size) {
  const int file = memfd_create("inaccessible", MFD_CLOEXEC);
  EXPECT_EQ(0, ftruncate(file, static_cast<off_t>(size)));
  return file;
}

TEST_F(InaccessibleHostMemory, WithAGuardPageIsRefused) {
  if (!has_guard_pages()) GTEST_SKIP() << "the kernel has no MADV_GUARD_INSTALL (Linux 6.13)";
  for (const size_t size : kSizes) {
    const Mapping memory(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    ASSERT_EQ(0, madvise(memory.at(size - kPage), kPage, kGuardInstall));
    expect_refused(memory.at(0), size);
  }
}

TEST_F(InaccessibleHostMemory, BehindTheEndOfItsFileIsRefused) {
  for (const size_t size : kSizes) {
    const int file = open_file(size);
    const Mapping memory(size, MAP_SHARED, file);
    ASSERT_EQ(0, ftruncate(file, static_cast<off_t>(size - kPage)));
    expect_refused(memory.at(0), size);
    close(file);
  }
}

#if !defined(__SANITIZE_ADDRESS__)  // which itself needs a descriptor when a fault is caught
TEST_F(InaccessibleHostMemory, IsRefusedWithoutAFreeFileDescriptor) {
  for (const size_t size : kSizes) {
    const Mapping memory(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    ASSERT_EQ(0, mprotect(memory.at(size - kPage), kPage, PROT_NONE));
    rlimit before = {};
    ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
    const rlimit none = {0, before.rlim_max};
    ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
    expect_refused(memory.at(0), size);
    ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
  }
}
#endif

// The program truncates the file while copies run: each of them succeeds or is refused.
TEST_F(InaccessibleHostMemory, MayBecomeSoDuringACopy) {
  constexpr size_t kSize = size_t{16} << 20;
  const int file = open_file(kSize);
  const Mapping memory(kSize, MAP_SHARED, file);
  std::atomic<bool> is_over = false;
  std::thread truncating([&] {
    while (!is_over) {
      EXPECT_EQ(0, ftruncate(file, kPage));
      EXPECT_EQ(0, ftruncate(file, kSize));
    }
  });
  int refused = 0;
  for (int i = 0; i < 200 && refused < 5; ++i) {
    const aclError code =
        aclrtMemcpy(memory.at(0), kSize, device_->get(), kSize, ACL_MEMCPY_DEVICE_TO_HOST);
    EXPECT_TRUE(code == ACL_SUCCESS || code == kBadValue) << code;
    refused += code == kBadValue ? 1 : 0;
  }
  is_over = true;
  truncating.join();
  close(file);
  clear_errors();
}

// ---- together with a handler of the program ----

std::atomic<int> own_faults = 0;
struct sigaction action_below = {};
sigjmp_buf after_own_fault;

void count_and_leave(int /*signal*/, siginfo_t* /*info*/, void* /*context*/) {
  ++own_faults;
  siglongjmp(after_own_fault, 1);
}
void count_and_pass_on(int signal, siginfo_t* info, void* context) {
  ++own_faults;
  action_below.sa_sigaction(signal, info, context);
}

void install(void (*handler)(int, siginfo_t*, void*)) {
  for (const int signal : {SIGBUS, SIGSEGV}) {
    struct sigaction action = {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    ASSERT_EQ(0, sigaction(signal, &action, &action_below));
  }
}

void touch_own_page() {
  const Mapping page(kPage, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  ASSERT_EQ(0, mprotect(page.at(0), kPage, PROT_NONE));
  if (sigsetjmp(after_own_fault, 1) == 0) *static_cast<volatile uint8_t*>(page.at(0)) = 1;
}

// Copies into memory whose last page is behind the end of its file.
aclError copy_behind_the_end() {
  constexpr size_t kSize = size_t{16} << 20;
  const int file = open_file(kSize - kPage);
  const Mapping memory(kSize, MAP_SHARED, file);
  DeviceBuffer device(kSize);
  device.write(pattern(kSize));
  const aclError code =
      aclrtMemcpy(memory.at(0), kSize, device.get(), kSize, ACL_MEMCPY_DEVICE_TO_HOST);
  close(file);
  return code;
}

FERRY_PROCESS_TEST(InaccessibleHostMemoryProcess, LeavesFaultsOfTheProgramToAnEarlierHandler) {
  install(count_and_leave);
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(kBadValue, copy_behind_the_end());
  EXPECT_EQ(0, own_faults);
  touch_own_page();
  EXPECT_EQ(1, own_faults);
  EXPECT_EQ(kBadValue, copy_behind_the_end());
}

FERRY_PROCESS_TEST(InaccessibleHostMemoryProcess, DoesNotReachALaterHandlerThatPassesNothingOn) {
  ASSERT_OK(aclrtSetDevice(0));
  install(count_and_leave);
  EXPECT_EQ(kBadValue, copy_behind_the_end());
  EXPECT_EQ(0, own_faults);
  touch_own_page();
  EXPECT_EQ(1, own_faults);
}

FERRY_PROCESS_TEST(InaccessibleHostMemoryProcess, WorksBelowAHandlerThatPassesOn) {
  NEEDS_CPU_DEVICE("other devices do not register memory that they cannot write");
  ASSERT_OK(aclrtSetDevice(0));
  install(count_and_pass_on);
  const Mapping page(kPage, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  ASSERT_EQ(0, mprotect(page.at(0), kPage, PROT_READ));
  ASSERT_OK(aclrtHostRegisterV2(page.at(0), kPage, ACL_HOST_REG_PINNED));
  DeviceBuffer device(kPage);
  device.write(pattern(kPage));
  for (int i = 1; i < 3; ++i) {
    EXPECT_EQ(kBadValue,
              aclrtMemcpy(page.at(0), kPage, device.get(), kPage, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(i, own_faults);
  }
  EXPECT_OK(aclrtHostUnregister(page.at(0)));
}

}  // namespace
}  // namespace conformance::inaccessible_host_memory_test
