// SPDX-License-Identifier: Apache-2.0
// Registered host memory that cannot be written, when it is registered or later: a copy into it
// fails with a code, during the call or on its stream, and the process lives on. A device that
// writes host memory by itself refuses to register what cannot be written.
#include "support/batch.h"
#include "support/host_pages.h"
#include "support/needs.h"

#include <functional>
#include <optional>

namespace conformance::protected_host_memory_test {
namespace {

constexpr const char* kReason = "other devices do not register memory that they cannot write";
constexpr aclError kBadValue = 107000;
constexpr aclError kTaskFailed = 507001;

// Below and above the size from which several threads share a copy.
constexpr size_t kSizes[] = {64, size_t{64} << 10, size_t{8} << 20};

aclError register_plain(void* address, size_t size) {
  void* mapped = nullptr;
  return aclrtHostRegister(address, size, ACL_HOST_REGISTER_MAPPED, &mapped);
}
aclError register_read_only(void* address, size_t size) {
  void* mapped = nullptr;
  return aclrtHostRegister(address, size, ACL_HOST_REGISTER_READONLY, &mapped);
}
aclError register_v2(void* address, size_t size) {
  return aclrtHostRegisterV2(address, size, ACL_HOST_REG_MAPPED | ACL_HOST_REG_READONLY);
}

struct Registration {
  const char* name;
  aclError (*call)(void* address, size_t size);
};
void PrintTo(const Registration& registration, std::ostream* out) {
  *out << registration.name;
}
const Registration kRegistrations[] = {
    {"Plain", register_plain}, {"ReadOnly", register_read_only}, {"V2", register_v2}};

// A call that writes `size` bytes to host memory.
struct Write {
  const char* name;
  std::function<aclError(void* host, size_t size)> call;
};

class ProtectedHostMemory : public WithStream, public ::testing::WithParamInterface<Registration> {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    if (!has_cpu_device()) GTEST_SKIP() << kReason;
    device_.emplace(size_t{8} << 20);
    device_->write(pattern(device_->size()));
    pinned_.emplace(4096);
  }
  void TearDown() override {
    device_.reset();
    pinned_.reset();
    WithStream::TearDown();
  }

  aclError batch(const copies::BatchForm& form, void* host, size_t size, size_t* fail_index) {
    // Three items: only the middle one is in protected memory.
    void* dsts[] = {pinned_->bytes(), host, pinned_->bytes() + 64};
    void* srcs[] = {device_->get(), device_->get(), device_->get()};
    size_t sizes[] = {64, size, 64};
    aclrtMemcpyBatchAttr attr = {};
    attr.dstLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
    attr.srcLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    size_t first = 0;
    return copies::call_batch(form,
                              {dsts, sizes, srcs, sizes, 3, &attr, &first, 1, fail_index, stream_});
  }

  std::vector<Write> writes_now();
  std::vector<Write> writes_later();
  // The stream and the memory still work: a copy into other memory arrives.
  void expect_usable() {
    PinnedBuffer pinned(4096);
    EXPECT_OK(aclrtMemcpyAsync(pinned.get(), 4096, device_->get(), 4096, ACL_MEMCPY_DEVICE_TO_HOST,
                               stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(device_->read(0, 4096), pinned.copy());
  }
  void expect_all_fail(void* host, size_t size);

  size_t fail_index_ = 0;
  std::optional<DeviceBuffer> device_;
  std::optional<PinnedBuffer> pinned_;
};

std::vector<Write> ProtectedHostMemory::writes_now() {
  const auto mapped = [](void* host) {
    void* address = nullptr;
    EXPECT_OK(aclrtHostGetDevicePointer(host, &address, 0));
    return address;
  };
  return {
      {"aclrtMemcpy",
       [this](void* host, size_t size) {
         return aclrtMemcpy(host, size, device_->get(), size, ACL_MEMCPY_DEVICE_TO_HOST);
       }},
      {"aclrtMemcpy",
       [this, mapped](void* host, size_t size) {
         return aclrtMemcpy(mapped(host), size, device_->get(), size, ACL_MEMCPY_DEVICE_TO_DEVICE);
       }},
      {"aclrtMemcpy2d",
       [this](void* host, size_t size) {
         return aclrtMemcpy2d(host, size / 2, device_->get(), size / 2, size / 4, 2,
                              ACL_MEMCPY_DEVICE_TO_HOST);
       }},
      {"aclrtMemcpyBatch",
       [this](void* host, size_t size) {
         return batch(copies::kBatchForms[0], host, size, &fail_index_);
       }},
      {"aclrtMemset", [](void* host, size_t size) { return aclrtMemset(host, size, 7, size); }},
      {"aclrtMemsetAsync",
       [this](void* host, size_t size) { return aclrtMemsetAsync(host, size, 7, size, stream_); }},
  };
}

std::vector<Write> ProtectedHostMemory::writes_later() {
  return {
      {"aclrtMemcpyAsync",
       [this](void* host, size_t size) {
         return aclrtMemcpyAsync(host, size, device_->get(), size, ACL_MEMCPY_DEVICE_TO_HOST,
                                 stream_);
       }},
      {"aclrtMemcpy2dAsync",
       [this](void* host, size_t size) {
         return aclrtMemcpy2dAsync(host, size / 2, device_->get(), size / 2, size / 4, 2,
                                   ACL_MEMCPY_DEVICE_TO_HOST, stream_);
       }},
      {"aclrtMemcpyBatchAsync",
       [this](void* host, size_t size) {
         return batch(copies::kBatchForms[2], host, size, &fail_index_);
       }},
      {"aclrtMemsetAsync",
       [this](void* host, size_t size) {
         void* mapped = nullptr;
         EXPECT_OK(aclrtHostGetDevicePointer(host, &mapped, 0));
         return aclrtMemsetAsync(mapped, size, 7, size, stream_);
       }},
  };
}

void ProtectedHostMemory::expect_all_fail(void* host, size_t size) {
  for (const Write& write : writes_now()) {
    SCOPED_TRACE(std::string(write.name) + " of " + std::to_string(size));
    fail_index_ = SIZE_MAX;
    EXPECT_TRUE(copies::failed_as(write.name, kBadValue, "", write.call(host, size)));
    EXPECT_EQ(write.name == std::string("aclrtMemcpyBatch") ? 1 : SIZE_MAX, fail_index_);
  }
  for (const Write& write : writes_later()) {
    SCOPED_TRACE(std::string(write.name) + " of " + std::to_string(size));
    EXPECT_OK(write.call(host, size));
    clear_errors();
    EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
    EXPECT_NE(std::string::npos, recent_text().find(write.name));
    EXPECT_OK(aclrtSynchronizeStream(stream_)) << "the failure was fetched";
  }
  expect_usable();
}

TEST_P(ProtectedHostMemory, FailsEveryCopyIntoIt) {
  for (const size_t size : kSizes) {
    memory::HostPages pages(size / 4096 + 1);
    pages.fill(pattern(pages.size(), 3));
    ASSERT_EQ(0, mprotect(pages.get(), pages.size(), PROT_READ));
    ASSERT_OK(GetParam().call(pages.get(), pages.size()));
    expect_all_fail(pages.get(), size);
    EXPECT_EQ(pattern(pages.size(), 3), pages.copy());
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
}

TEST_P(ProtectedHostMemory, MayLoseItsRightsAfterItWasRegistered) {
  for (const size_t size : kSizes) {
    memory::HostPages pages(size / 4096 + 1);
    ASSERT_OK(GetParam().call(pages.get(), pages.size()));
    // The last page that the copies touch.
    uint8_t* const last = pages.bytes() + (size - 1) / 4096 * 4096;
    ASSERT_EQ(0, mprotect(last, 4096, PROT_READ));
    for (const Write& write : writes_later()) {
      if (write.name == std::string("aclrtMemcpy2dAsync")) continue;  // does not touch that page
      SCOPED_TRACE(std::string(write.name) + " of " + std::to_string(size));
      EXPECT_OK(write.call(pages.get(), size));
      EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
    }
    // Memory that can be written again works again.
    ASSERT_EQ(0, mprotect(last, 4096, PROT_READ | PROT_WRITE));
    EXPECT_OK(aclrtMemcpyAsync(pages.get(), size, device_->get(), size, ACL_MEMCPY_DEVICE_TO_HOST,
                               stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(device_->read(0, size), std::vector<uint8_t>(pages.bytes(), pages.bytes() + size));
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
  clear_errors();
}

TEST_P(ProtectedHostMemory, CanStillBeRead) {
  memory::HostPages pages(4);
  pages.fill(pattern(pages.size(), 3));
  ASSERT_EQ(0, mprotect(pages.get(), pages.size(), PROT_READ));
  ASSERT_OK(GetParam().call(pages.get(), pages.size()));
  EXPECT_OK(aclrtMemcpyAsync(device_->get(), pages.size(), pages.get(), pages.size(),
                             ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(pages.size(), 3), device_->read(0, pages.size()));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

class UnwritableHostMemory : public WithStream,
                             public ::testing::WithParamInterface<Registration> {};

TEST_P(UnwritableHostMemory, IsNotRegisteredAndNotWrittenByOtherDevices) {
  if (!has_device_of("cuda")) GTEST_SKIP() << "devices made of CPU cores register such memory";
  for (const size_t size : kSizes) {
    SCOPED_TRACE(size);
    memory::HostPages pages(size / 4096 + 1);
    pages.fill(pattern(pages.size(), 3));
    ASSERT_EQ(0, mprotect(pages.get(), pages.size(), PROT_READ));
    clear_errors();
    EXPECT_EQ(kBadValue, GetParam().call(pages.get(), pages.size()));
    EXPECT_NE(std::string::npos, recent_text().find("may not write"));
    DeviceBuffer device(size);
    EXPECT_OK(aclrtMemcpy(device.get(), size, pages.get(), size, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_EQ(kBadValue,
              aclrtMemcpy(pages.get(), size, device.get(), size, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(kBadValue, aclrtMemcpyAsync(pages.get(), size, device.get(), size,
                                          ACL_MEMCPY_DEVICE_TO_HOST, stream_));
    EXPECT_EQ(kBadValue, aclrtMemset(pages.get(), size, 7, size));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(pattern(pages.size(), 3), pages.copy());
  }
  clear_errors();
}

// Such a device does not look at the rights of the host.
TEST_P(UnwritableHostMemory, IsStillWrittenByOtherDevicesIfItWasRegisteredBefore) {
  if (!has_device_of("cuda")) GTEST_SKIP() << "devices made of CPU cores write as the host does";
  for (const size_t size : kSizes) {
    SCOPED_TRACE(size);
    memory::HostPages pages(size / 4096 + 1);
    ASSERT_OK(GetParam().call(pages.get(), pages.size()));
    ASSERT_EQ(0, mprotect(pages.get(), pages.size(), PROT_READ));
    DeviceBuffer device(size);
    device.write(pattern(size));
    EXPECT_OK(aclrtMemcpyAsync(pages.get(), size, device.get(), size, ACL_MEMCPY_DEVICE_TO_HOST,
                               stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(pattern(size), std::vector<uint8_t>(pages.bytes(), pages.bytes() + size));
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, UnwritableHostMemory, ::testing::ValuesIn(kRegistrations),
                         copies::FormName());
INSTANTIATE_TEST_SUITE_P(Registered, ProtectedHostMemory, ::testing::ValuesIn(kRegistrations),
                         copies::FormName());

}  // namespace
}  // namespace conformance::protected_host_memory_test
