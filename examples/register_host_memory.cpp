// SPDX-License-Identifier: Apache-2.0
// aclrtHostRegister: memory that the program mapped itself, such as a shared segment, becomes
// pinned, so that asynchronous copies no longer block; the device gets an address for it as well.
#include "check.h"

#include <sys/mman.h>

namespace {

constexpr size_t kBytes = size_t{4} << 20;

const char* location_of(const void* address) {
  aclrtPtrAttributes attributes{};
  check(aclrtPointerGetAttributes(address, &attributes));
  switch (attributes.location.type) {
    case ACL_MEM_LOCATION_TYPE_HOST:
      return "pinned";
    case ACL_MEM_LOCATION_TYPE_DEVICE:
      return "device";
    case ACL_MEM_LOCATION_TYPE_UNREGISTERED:
      return "pageable";
    default:
      return "other";
  }
}

}  // namespace

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));

  // mmap returns page-aligned memory, as aclrtHostRegister requires.
  void* mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  require(mapped != MAP_FAILED, "mmap succeeds");
  std::memset(mapped, 0x42, kBytes);
  std::printf("before: %s\n", location_of(mapped));
  require(std::strcmp(location_of(mapped), "pageable") == 0, "mapped memory is pageable at first");

  void* address_on_device = nullptr;
  check(aclrtHostRegister(mapped, kBytes, ACL_HOST_REGISTER_MAPPED, &address_on_device));
  std::printf("after aclrtHostRegister: %s\n", location_of(mapped));
  require(std::strcmp(location_of(mapped), "pinned") == 0, "registered memory is pinned");

  void* device = nullptr;
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMemcpyAsync(device, kBytes, mapped, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  // The device address of the same memory: a copy inside the device writes to host memory.
  check(aclrtMemsetAsync(device, kBytes, 0x43, kBytes / 2, stream));
  check(aclrtMemcpyAsync(address_on_device, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                         stream));
  check(aclrtSynchronizeStream(stream));
  const char* bytes = static_cast<const char*>(mapped);
  require(bytes[0] == 0x43 && bytes[kBytes / 2 - 1] == 0x43, "the device wrote the first half");
  require(bytes[kBytes / 2] == 0x42 && bytes[kBytes - 1] == 0x42, "the second half is as it was");

  check(aclrtHostUnregister(mapped));
  std::printf("after aclrtHostUnregister: %s\n", location_of(mapped));
  require(std::strcmp(location_of(mapped), "pageable") == 0, "it is pageable again");

  munmap(mapped, kBytes);
  check(aclrtFree(device));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
