// SPDX-License-Identifier: Apache-2.0
// Lookups, and the texts of their failures.
#include "base/live_memory.h"

#include <cinttypes>
#include <cstddef>
#include <cstdio>

namespace ferry {

void* live_storage(const ferryx_runtime& runtime, const void* address, uint64_t size) {
  ferryx_memory memory{};
  if (runtime.find_memory(address, &memory) == 0 || memory.storage == nullptr) return nullptr;
  const auto offset = static_cast<uint64_t>(static_cast<const char*>(address) -
                                            static_cast<const char*>(memory.address));
  return size <= memory.size - offset ? static_cast<char*>(memory.storage) + offset : nullptr;
}

namespace {

// Older runtimes do not tell it.
uint64_t requested_size(const ferryx_runtime& runtime, const ferryx_memory& memory) {
  constexpr size_t kNeeded = offsetof(ferryx_runtime, requested_size) + sizeof(void*);
  if (runtime.struct_size < kNeeded || runtime.requested_size == nullptr) return memory.size;
  return runtime.requested_size(memory.address);
}

}  // namespace

std::string not_live(const ferryx_runtime& runtime, const std::string& name, const void* address,
                     uint64_t size) {
  ferryx_memory memory{};
  char text[256];
  if (runtime.find_memory(address, &memory) == 0) {
    std::snprintf(text, sizeof text,
                  "%s is %p and %" PRIu64 " bytes, which is not in any live allocation",
                  name.c_str(), address, size);
  } else {
    std::snprintf(text, sizeof text,
                  "%s is %p and %" PRIu64 " bytes, which leaves its allocation of %" PRIu64
                  " bytes at %p",
                  name.c_str(), address, size, requested_size(runtime, memory), memory.address);
  }
  return text;
}

std::string item_name(const char* side, size_t index, size_t count) {
  return count == 1 ? std::string(side) : std::string(side) + " of item " + std::to_string(index);
}

uint64_t span_of(const ferryx_rows& rows, uint64_t pitch) {
  uint64_t before_last = 0;
  uint64_t span = 0;
  if (__builtin_mul_overflow(rows.height - 1, pitch, &before_last) ||
      __builtin_add_overflow(before_last, rows.corner.size, &span)) {
    return UINT64_MAX;
  }
  return span;
}

std::string resolve(const ferryx_runtime& runtime, ferryx_copy* items, size_t count,
                    bool keeps_source) {
  for (size_t i = 0; i < count; ++i) {
    ferryx_copy& copy = items[i];
    copy.dst_storage = live_storage(runtime, copy.dst, copy.size);
    if (copy.dst_storage == nullptr) {
      return not_live(runtime, item_name("dst", i, count), copy.dst, copy.size);
    }
    if (keeps_source) continue;
    copy.src_storage = live_storage(runtime, copy.src, copy.size);
    if (copy.src_storage == nullptr) {
      return not_live(runtime, item_name("src", i, count), copy.src, copy.size);
    }
  }
  return {};
}

std::string resolve(const ferryx_runtime& runtime, ferryx_rows& rows) {
  ferryx_copy& corner = rows.corner;
  const uint64_t dst_span = span_of(rows, rows.dst_pitch);
  const uint64_t src_span = span_of(rows, rows.src_pitch);
  corner.dst_storage = live_storage(runtime, corner.dst, dst_span);
  if (corner.dst_storage == nullptr) return not_live(runtime, "dst", corner.dst, dst_span);
  corner.src_storage = live_storage(runtime, corner.src, src_span);
  if (corner.src_storage == nullptr) return not_live(runtime, "src", corner.src, src_span);
  return {};
}

std::string resolve(const ferryx_runtime& runtime, ferryx_fill& fill) {
  fill.dst_storage = live_storage(runtime, fill.dst, fill.size);
  if (fill.dst_storage != nullptr) return {};
  return not_live(runtime, "dst", fill.dst, fill.size);
}

}  // namespace ferry
