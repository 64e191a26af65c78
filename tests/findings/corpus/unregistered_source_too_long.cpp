// SPDX-License-Identifier: Apache-2.0
// rule: out-of-bounds
// The source was unregistered and is still the program's; the device buffer is too small.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory room(kPage);
  void* block = std::aligned_alloc(kPage, kBytes);
  std::memset(block, 1, kBytes);
  void* mapped = nullptr;
  need(aclrtHostRegister(block, kBytes, ACL_HOST_REGISTER_MAPPED, &mapped));
  need(aclrtHostUnregister(block));
  aclrtMemcpy(room, kBytes, block, kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
  std::free(block);
  return 0;
}
