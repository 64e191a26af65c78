// SPDX-License-Identifier: Apache-2.0
// Execution of the tasks that move bytes.
#include "backends/cpu/copy.h"

#include "backends/cpu/memory.h"
#include "backends/cpu/reduce.h"
#include "backends/cpu/stream_copy.h"
#include "base/fault_trap.h"
#include "base/live_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace ferry::cpu {
namespace {

// The cost of one small item beyond its bytes, so that a piece with many of them does not take too
// long.
constexpr uint64_t kItemCost = 256;
// Below this, the setup for writing past the caches costs more than it saves.
constexpr uint64_t kLeastStreamed = 4096;

char* at(void* base, uint64_t offset) {
  return static_cast<char*>(base) + offset;
}
const char* at(const void* base, uint64_t offset) {
  return static_cast<const char*>(base) + offset;
}

// Reads a value from device memory. Returns "" or why the address is not live.
template <class T>
std::string read_device(const char* name, const void* address, T& value) {
  const void* storage = live_storage(*services, address, sizeof value);
  if (storage == nullptr) return not_live(*services, name, address, sizeof value);
  std::memcpy(&value, storage, sizeof value);
  return {};
}

std::string resolve_copies(Task& task) {
  const std::span<ferryx_copy> copies = task.copies.items();
  // A captured source is the task's own.
  return resolve(*services, copies.data(), copies.size(), task.captured != nullptr);
}

// Addresses resolved at submission stay valid while no memory was added or removed.
bool is_resolved(const Task& task) {
  return task.is_resolved && task.epoch == services->memory_epoch();
}

// The task turns out to be this copy.
std::string become_copy(Task& task, uint64_t dst, uint64_t src, uint64_t size) {
  const ferryx_copy copy{.dst = reinterpret_cast<void*>(dst),
                         .src = reinterpret_cast<const void*>(src),
                         .size = size,
                         .dst_storage = nullptr,
                         .src_storage = nullptr};
  task.copies.assign({&copy, 1});
  return resolve_copies(task);
}

std::string prepare_described(Task& task) {
  ferryx_descriptor read{};
  std::string wrong = read_device("desc", task.as.described.descriptor, read);
  if (!wrong.empty()) return wrong;
  return become_copy(task, read.dst, read.src, read.size == 0 ? uint64_t{1} << 32 : read.size);
}

std::string prepare_indirect(Task& task) {
  const ferryx_indirect& indirect = task.as.indirect;
  uint64_t dst = 0;
  uint64_t src = 0;
  std::string wrong = read_device("dst", indirect.dst_pointer, dst);
  if (wrong.empty()) wrong = read_device("src", indirect.src_pointer, src);
  if (!wrong.empty()) return wrong;
  return become_copy(task, dst + indirect.dst_offset, src + indirect.src_offset, indirect.size);
}

std::string prepare_value(ferryx_value& value) {
  value.storage = live_storage(*services, value.address, sizeof value.value);
  if (value.storage != nullptr) return {};
  return not_live(*services, "devAddr", value.address, sizeof value.value);
}

bool overlaps(const void* dst_storage, const void* src_storage, uint64_t size) {
  const auto dst = reinterpret_cast<uintptr_t>(dst_storage);
  const auto src = reinterpret_cast<uintptr_t>(src_storage);
  return dst < src + size && src < dst + size;
}

void move_bytes(FaultTrap& trap, const Task& task, void* dst, const void* src, uint64_t size) {
  trap.expect(dst, src, size);
  if (task.bypasses_cache && size >= kLeastStreamed && !overlaps(dst, src, size)) {
    stream_copy(dst, src, size);
  } else {
    std::memmove(dst, src, size);
  }
}

// Whether `next` starts where `bytes` bytes from `dst` and `src` end.
bool continues(const ferryx_copy& next, const char* dst, const char* src, uint64_t bytes) {
  return next.dst_storage == dst + bytes && next.src_storage == src + bytes;
}

// Items that continue each other are moved as one.
void run_copies(FaultTrap& trap, const Task& task, const Piece& piece) {
  uint64_t left = piece.amount;
  uint64_t offset = piece.from.offset;
  for (size_t i = piece.from.item; left > 0;) {
    const ferryx_copy first = task.copies[i++];
    char* dst = at(first.dst_storage, offset);
    const char* src = at(first.src_storage, offset);
    uint64_t bytes = std::min(left, first.size - offset);
    while (bytes < left && continues(task.copies[i], dst, src, bytes))
      bytes += std::min(left - bytes, task.copies[i++].size);
    move_bytes(trap, task, dst, src, bytes);
    left -= bytes;
    offset = 0;
  }
}

void run_rows(FaultTrap& trap, const Task& task, const Piece& piece) {
  const ferryx_copy& corner = task.as.rows.corner;
  for (uint64_t row = piece.from.item; row < piece.from.item + piece.amount; ++row) {
    move_bytes(trap, task, at(corner.dst_storage, row * task.as.rows.dst_pitch),
               at(corner.src_storage, row * task.as.rows.src_pitch), corner.size);
  }
}

void run_fill(FaultTrap& trap, const Task& task, const Piece& piece) {
  char* start = at(task.as.fill.dst_storage, piece.from.offset);
  trap.expect(start, start, piece.amount);
  if (task.as.fill.width == 1) {
    std::memset(start, static_cast<int>(task.as.fill.value & 0xFF), piece.amount);
  } else {
    std::fill_n(reinterpret_cast<uint32_t*>(start), piece.amount / sizeof(uint32_t),
                task.as.fill.value);
  }
}

void run_reduce(FaultTrap& trap, const Task& task, const Piece& piece) {
  const ferryx_copy& operands = task.as.reduce.operands;
  char* const dst = at(operands.dst_storage, piece.from.offset);
  const char* const src = at(operands.src_storage, piece.from.offset);
  trap.expect(dst, src, piece.amount);
  reduce(task.as.reduce, dst, src, piece.amount);
}

void run_piece_in(FaultTrap& trap, const Task& task, const Piece& piece) {
  switch (task.kind) {
    case FERRYX_REDUCE:
      run_reduce(trap, task, piece);
      break;
    case FERRYX_ROWS:
      run_rows(trap, task, piece);
      break;
    case FERRYX_FILL:
      run_fill(trap, task, piece);
      break;
    default:
      run_copies(trap, task, piece);
      break;
  }
  if (task.bypasses_cache) end_stream_copies();
}

// Overlapping ranges are moved at once: pieces would read what others have written.
uint64_t part_of(const ferryx_copy& copy, uint64_t offset, uint64_t cost_left) {
  const uint64_t rest = copy.size - offset;
  return overlaps(copy.dst_storage, copy.src_storage, copy.size) ? rest : std::min(rest, cost_left);
}

uint64_t piece_cost(const Task& task) {
  constexpr uint64_t kPieces = 64;
  return std::clamp(cost_of(task) / kPieces, kSmallestPiece, kLargestPiece);
}

Piece cut_copies(const Task& task, Cursor& cursor, Cut cut) {
  const uint64_t most = piece_cost(task);
  Piece piece{.from = cursor, .amount = 0};
  for (uint64_t cost = 0; cost < most && cursor.item < task.copies.size();) {
    const ferryx_copy copy = task.copies[cursor.item];
    const uint64_t part = part_of(copy, cursor.offset, most - cost);
    piece.amount += part;
    cost += part + kItemCost;
    cursor.offset += part;
    if (cursor.offset == copy.size) cursor = {.item = cursor.item + 1, .offset = 0};
    if (cut == Cut::kByItem) break;
  }
  return piece;
}

Piece cut_rows(const Task& task, Cursor& cursor, Cut cut) {
  const uint64_t rows =
      cut == Cut::kByItem
          ? 1
          : std::max<uint64_t>(1, piece_cost(task) / (task.as.rows.corner.size + kItemCost));
  const Piece piece{.from = cursor, .amount = std::min(rows, task.as.rows.height - cursor.item)};
  cursor.item += piece.amount;
  return piece;
}

Piece cut_fill(const Task& task, Cursor& cursor) {
  const Piece piece{.from = cursor,
                    .amount = std::min(piece_cost(task), task.as.fill.size - cursor.offset)};
  cursor.offset += piece.amount;
  return piece;
}

// A piece has a multiple of 256 KiB bytes, and so whole elements.
Piece cut_reduce(const Task& task, Cursor& cursor) {
  const ferryx_copy& operands = task.as.reduce.operands;
  const uint64_t rest = operands.size - cursor.offset;
  const bool is_same = operands.dst_storage == operands.src_storage;
  const bool is_whole =
      !is_same && overlaps(operands.dst_storage, operands.src_storage, operands.size);
  const Piece piece{.from = cursor, .amount = is_whole ? rest : std::min(kSmallestPiece, rest)};
  cursor.offset += piece.amount;
  return piece;
}

}  // namespace

std::string prepare(Task& task) {
  switch (task.kind) {
    case FERRYX_COPIES:
      return is_resolved(task) ? std::string() : resolve_copies(task);
    case FERRYX_DESCRIBED:
      return prepare_described(task);
    case FERRYX_INDIRECT:
      return prepare_indirect(task);
    case FERRYX_ROWS:
      return resolve(*services, task.as.rows);
    case FERRYX_FILL:
      return resolve(*services, task.as.fill);
    case FERRYX_REDUCE:
      return resolve(*services, &task.as.reduce.operands, 1, false);
    case FERRYX_WRITE_VALUE:
      return prepare_value(task.as.value);
    default:
      return {};
  }
}

uint64_t cost_of(const Task& task) {
  switch (task.kind) {
    case FERRYX_ROWS:
      return (task.as.rows.corner.size + kItemCost) * task.as.rows.height;
    case FERRYX_FILL:
      return task.as.fill.size;
    case FERRYX_REDUCE:
      return task.as.reduce.operands.size;
    default:
      return task.copies.bytes() + kItemCost * task.copies.size();
  }
}

bool is_small(const Task& task) {
  constexpr uint64_t kSmallBytes = uint64_t{4} << 10;
  return task.kind == FERRYX_COPIES && task.copies.size() == 1 &&
         task.copies[0].size <= kSmallBytes;
}

bool is_at_end(const Task& task, const Cursor& cursor) {
  switch (task.kind) {
    case FERRYX_ROWS:
      return cursor.item >= task.as.rows.height;
    case FERRYX_FILL:
      return cursor.offset >= task.as.fill.size;
    case FERRYX_REDUCE:
      return cursor.offset >= task.as.reduce.operands.size;
    default:
      return cursor.item >= task.copies.size();
  }
}

bool cut_piece(const Task& task, Cursor& cursor, Cut cut, Piece& piece) {
  if (is_at_end(task, cursor)) return false;
  switch (task.kind) {
    case FERRYX_ROWS:
      piece = cut_rows(task, cursor, cut);
      break;
    case FERRYX_FILL:
      piece = cut_fill(task, cursor);
      break;
    case FERRYX_REDUCE:
      piece = cut_reduce(task, cursor);
      break;
    default:
      piece = cut_copies(task, cursor, cut);
      break;
  }
  return true;
}

const void* run_piece(const Task& task, const Piece& piece) {
  return catch_fault([&](FaultTrap& trap) { run_piece_in(trap, task, piece); });
}

const void* run_whole(const Task& task) {
  return catch_fault([&](FaultTrap& trap) {
    Cursor cursor;
    for (Piece piece; cut_piece(task, cursor, Cut::kByCost, piece);)
      run_piece_in(trap, task, piece);
  });
}

const void* run_copy(const ferryx_copy& copy) {
  // A trap costs as much as a small copy.
  if (is_own_memory(copy.dst_storage) && is_own_memory(copy.src_storage)) {
    std::memmove(copy.dst_storage, copy.src_storage, copy.size);
    return nullptr;
  }
  return catch_fault([&](FaultTrap& trap) {
    trap.expect(copy.dst_storage, copy.src_storage, copy.size);
    std::memmove(copy.dst_storage, copy.src_storage, copy.size);
  });
}

const void* run_small(const Task& task) {
  return run_copy(task.copies[0]);
}

}  // namespace ferry::cpu
