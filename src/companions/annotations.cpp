// SPDX-License-Identifier: Apache-2.0
// Marks and ranges go to libascendcl.so, if it takes them.
#include "companions/annotations.h"

#include <atomic>

// Weak: a libascendcl.so that records no marks does not have them.
extern "C" {
[[gnu::weak]] aclError ferryMark(const char* domain, const char* text, aclrtStream stream);
[[gnu::weak]] aclError ferryRangeStart(const char* domain, const char* text, aclrtStream stream,
                                       uint64_t* id);
[[gnu::weak]] aclError ferryRangeEnd(const char* domain, uint64_t id);
}

namespace ferry::companions {
namespace {

// Ranges that were not recorded have ids of their own, with this bit.
constexpr uint64_t kUnrecorded = uint64_t{1} << 63;
std::atomic<uint64_t> last_unrecorded{0};

}  // namespace

void mark(const char* domain, const char* message, aclrtStream stream) {
  if (ferryMark != nullptr) static_cast<void>(ferryMark(domain, message, stream));
}

uint64_t start_range(const char* domain, const char* message, aclrtStream stream) {
  uint64_t id = 0;
  if (ferryRangeStart != nullptr && ferryRangeStart(domain, message, stream, &id) == ACL_SUCCESS &&
      id != 0) {
    return id;
  }
  return kUnrecorded | (last_unrecorded.fetch_add(1, std::memory_order_relaxed) + 1);
}

void end_range(const char* domain, uint64_t id) {
  if ((id & kUnrecorded) != 0 || ferryRangeEnd == nullptr) return;
  static_cast<void>(ferryRangeEnd(domain, id));
}

}  // namespace ferry::companions
