// SPDX-License-Identifier: Apache-2.0
// Moves bytes: validates the addresses of a task when it runs, cuts it into pieces, and runs a
// piece. Memory of the program may be inaccessible all the same; a fault ends the task.
#pragma once

#include "backends/cpu/task.h"

#include <cstdint>
#include <string>

namespace ferry::cpu {

// A task of at most this many bytes completes before another thread could wake up to help.
constexpr uint64_t kLeastShared = uint64_t{4} << 20;
// Piece sizes of a shared task: small enough that at its end no thread waits long for another, and
// large enough that the cost of taking a piece is negligible.
constexpr uint64_t kSmallestPiece = uint64_t{256} << 10;
constexpr uint64_t kLargestPiece = uint64_t{1} << 20;

// Validates and resolves the addresses of a task that moves bytes, reading descriptors and base
// pointers on the way. Returns "" or what is wrong; then nothing of the task may run.
std::string prepare(Task& task);

// Where the next piece of a prepared task starts.
struct Cursor {
  size_t item = 0;      // index of a copy; row of a 2D copy
  uint64_t offset = 0;  // within the item; within the memory of a fill
};

struct Piece {
  Cursor from;
  uint64_t amount = 0;  // bytes; rows of a 2D copy
};

// A rough measure of the work in a prepared task, in bytes.
uint64_t cost_of(const Task& task);

// Whether a task is so short that handing it out costs as much as running it.
bool is_small(const Task& task);

// The size of a piece: chosen to suit the task, or exactly one item.
enum class Cut { kByCost, kByItem };

// Returns the piece at the cursor and advances the cursor. False at the end.
bool cut_piece(const Task& task, Cursor& cursor, Cut cut, Piece& piece);
bool is_at_end(const Task& task, const Cursor& cursor);

// The functions below return nullptr, or an address that could not be accessed. Then the rest of
// the bytes was not moved.
const void* run_piece(const Task& task, const Piece& piece);
// Runs the whole task on the calling thread.
const void* run_whole(const Task& task);
const void* run_small(const Task& task);
// One copy that needs no cutting.
const void* run_copy(const ferryx_copy& copy);

}  // namespace ferry::cpu
