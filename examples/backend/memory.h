// SPDX-License-Identifier: Apache-2.0
// Memory of the arena backend, and work that moves its bytes.
#pragma once

#include <ferry/worker_queues.h>
#include <sys/mman.h>

#include <cstring>
#include <map>
#include <mutex>
#include <vector>

using ferryx::runtime;

// First fit in one mapping, which stays forever: work that still uses freed memory moves bytes that
// nobody needs, instead of crashing the process.
struct Arena {
  int take(uint64_t bytes, uint32_t kind, ferryx_memory* out) {
    const std::lock_guard lock(mutex);
    uint64_t start = 0;
    for (auto range = taken.begin(); range != taken.end() && range->first - start < bytes; ++range)
      start = range->second;
    if (base == MAP_FAILED || bytes > size || start > size - bytes)
      return runtime->fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "the arena has no gap of this size");
    taken[start] = (start + bytes + 4095) / 4096 * 4096;  // whole pages
    *out = {base + start, bytes, base + start, kind, 0};
    return ACL_RT_SUCCESS;
  }
  void give_back(const ferryx_memory* memory) {
    const std::lock_guard lock(mutex);
    taken.erase(static_cast<uint64_t>(static_cast<char*>(memory->address) - base));
  }
  uint64_t used() {
    const std::lock_guard lock(mutex);
    uint64_t bytes = 0;
    for (const auto& [start, end] : taken)
      bytes += end - start;
    return bytes;
  }

  const uint64_t size;
  char* const base = static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  std::mutex mutex{};                    // guards taken
  std::map<uint64_t, uint64_t> taken{};  // where the ranges in use end, by their start
};

// Where `height` rows of `width` bytes are now. Throws when they are not in one live range.
inline char* find(const void* address, uint64_t width, uint64_t pitch = 1, uint64_t height = 1) {
  ferryx_memory memory{};
  const bool is_live = runtime->find_memory(address, &memory) != 0;
  const auto offset =
      static_cast<uint64_t>(static_cast<const char*>(address) - static_cast<char*>(memory.address));
  const uint64_t room = is_live ? memory.size - offset : 0;
  if (width > room || height - 1 > (room - width) / pitch)
    throw std::runtime_error("it uses memory that is not in any live allocation");
  return static_cast<char*>(memory.storage) + offset;
}

template <class Value>
Value load(const void* address) {
  Value value;
  std::memcpy(&value, find(address, sizeof value), sizeof value);
  return value;
}

// Moves the bytes of work. Storage of queued work is looked up again: memory may have been freed.
inline void move_bytes(const ferryx_work& work, bool is_queued) {
  const ferryx_payload& as = work.as;
  std::vector<ferryx_rows> moves;  // all are good before the first is made
  const auto add = [&](void* dst, const void* src, uint64_t bytes) {
    moves.push_back({{dst, src, bytes, nullptr, nullptr}, 1, 1, 1, 0});
  };
  bool is_captured = false;
  if (work.kind == FERRYX_COPIES) {
    is_captured = (as.copies.flags & FERRYX_COPY_CAPTURE) != 0;
    for (size_t i = 0; i < as.copies.count; ++i)
      moves.push_back({as.copies.items[i], 1, 1, 1, 0});
  } else if (work.kind == FERRYX_ROWS) {
    moves.push_back(as.rows);
  } else if (work.kind == FERRYX_DESCRIBED) {
    const auto stored = load<ferryx_descriptor>(as.described.descriptor);
    add(reinterpret_cast<void*>(stored.dst), reinterpret_cast<void*>(stored.src),
        stored.size == 0 ? uint64_t{1} << 32 : stored.size);
  } else if (work.kind == FERRYX_INDIRECT) {
    add(load<char*>(as.indirect.dst_pointer) + as.indirect.dst_offset,
        load<char*>(as.indirect.src_pointer) + as.indirect.src_offset, as.indirect.size);
  } else {
    auto* dst =
        is_queued ? find(as.fill.dst, as.fill.size) : static_cast<char*>(as.fill.dst_storage);
    for (uint64_t i = 0; i < as.fill.size; i += as.fill.width)
      std::memcpy(dst + i, &as.fill.value, as.fill.width);
  }
  for (auto& [row, dst_pitch, src_pitch, height, direction] : moves) {
    if (is_queued) row.dst_storage = find(row.dst, row.size, dst_pitch, height);
    if (is_queued && !is_captured) row.src_storage = find(row.src, row.size, src_pitch, height);
  }
  for (const auto& [row, dst_pitch, src_pitch, height, direction] : moves) {
    for (uint64_t i = 0; i < height; ++i) {
      ferryx_copy item = row;
      item.dst_storage = static_cast<char*>(row.dst_storage) + i * dst_pitch;
      item.src_storage = static_cast<const char*>(row.src_storage) + i * src_pitch;
      // The program may have unmapped or protected its memory: memmove would end the process.
      if (runtime->move_bytes(&item, 1) != nullptr)
        throw std::runtime_error("it uses host memory that cannot be accessed");
    }
  }
}
