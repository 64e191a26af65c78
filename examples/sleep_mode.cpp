// SPDX-License-Identifier: Apache-2.0
// Sleep mode: a KV cache gives its memory back while the engine is idle, and comes back at the same
// address with the same contents, so that every pointer into it stays valid. Reserved addresses,
// physical memory and mappings are separate things.
#include "check.h"

#include <vector>

namespace {

constexpr size_t kSegments = 8;

size_t free_memory() {
  size_t free = 0;
  size_t total = 0;
  check(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  return free;
}

// A cache whose memory comes and goes; its addresses stay.
class SleepyCache {
 public:
  SleepyCache() {
    check(aclrtMemGetAllocationGranularity(&properties_, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
                                           &segment_));
    void* start = nullptr;
    check(aclrtReserveMemAddress(&start, size(), 0, nullptr, 0));
    start_ = static_cast<char*>(start);
    map_memory();
  }
  ~SleepyCache() {
    if (!handles_.empty()) unmap_memory();
    check(aclrtReleaseMemAddress(start_));
  }
  SleepyCache(const SleepyCache&) = delete;
  SleepyCache& operator=(const SleepyCache&) = delete;

  char* start() const { return start_; }
  size_t size() const { return kSegments * segment_; }

  // Saves the contents and gives the memory back. A copy may cross segments.
  void sleep() {
    check(aclrtMallocHost(&saved_, size()));
    check(aclrtMemcpy(saved_, size(), start_, size(), ACL_MEMCPY_DEVICE_TO_HOST));
    unmap_memory();
  }

  void wake() {
    map_memory();
    check(aclrtMemcpy(start_, size(), saved_, size(), ACL_MEMCPY_HOST_TO_DEVICE));
    check(aclrtFreeHost(saved_));
  }

 private:
  void map_memory() {
    for (size_t i = 0; i < kSegments; ++i) {
      aclrtDrvMemHandle handle = nullptr;
      check(aclrtMallocPhysical(&handle, segment_, &properties_, 0));
      check(aclrtMapMem(start_ + i * segment_, segment_, 0, handle, 0));
      handles_.push_back(handle);
    }
  }

  void unmap_memory() {
    for (size_t i = 0; i < kSegments; ++i) {
      check(aclrtUnmapMem(start_ + i * segment_));
      check(aclrtFreePhysical(handles_[i]));
    }
    handles_.clear();
  }

  aclrtPhysicalMemProp properties_{ACL_MEM_HANDLE_TYPE_NONE,
                                   ACL_MEM_ALLOCATION_TYPE_PINNED,
                                   ACL_HBM_MEM_HUGE,
                                   {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                   0};
  size_t segment_ = 0;
  char* start_ = nullptr;
  std::vector<aclrtDrvMemHandle> handles_;
  void* saved_ = nullptr;
};

}  // namespace

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  {
    const size_t at_first = free_memory();
    SleepyCache cache;
    char* const block = cache.start() + cache.size() / 2 - 100;  // crosses a segment
    check(aclrtMemset(block, 200, 0x5A, 200));
    const size_t awake = free_memory();

    cache.sleep();
    const size_t asleep = free_memory();
    std::printf("the cache takes %zu MiB awake and %zu MiB asleep\n", (at_first - awake) >> 20,
                (at_first - asleep) >> 20);
    require(awake == at_first - cache.size() && asleep == at_first, "a sleeping cache takes none");

    cache.wake();
    char bytes[200];
    check(aclrtMemcpy(bytes, sizeof bytes, block, sizeof bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    for (const char each : bytes)
      require(each == 0x5A, "the contents are back at the same address");
  }
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
