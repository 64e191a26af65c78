// SPDX-License-Identifier: Apache-2.0
// Moving the bytes: judging the addresses of a task when it runs, cutting it into pieces, and
// running a piece.
#pragma once

#include "backends/cpu/task.h"

#include <cstdint>
#include <string>

namespace ferry::cpu {

// A task of no more bytes than this is done before another thread has woken up to help.
constexpr uint64_t kLeastShared = uint64_t{4} << 20;
// What a thread takes at a time of a task that is shared: little enough that at its end nobody
// waits long for another, and enough that taking it costs nothing.
constexpr uint64_t kSmallestPiece = uint64_t{256} << 10;
constexpr uint64_t kLargestPiece = uint64_t{1} << 20;

// Judges the addresses of a task that moves bytes and resolves them, reading descriptors and base
// pointers on the way. Returns "" or what is wrong; then nothing of it may run.
std::string prepare(Task& task);

// Where the next piece of a prepared task starts.
struct Cursor {
  size_t item = 0;      // of copies; row of a 2D copy
  uint64_t offset = 0;  // inside the item; inside the memory of a fill
};

struct Piece {
  Cursor from;
  uint64_t amount = 0;  // bytes; rows of a 2D copy
};

// A rough measure of the work in a prepared task, in bytes.
uint64_t cost_of(const Task& task);

// Whether a task is over so soon that handing it out costs as much as running it.
bool is_small(const Task& task);

// How large a piece is: as much as suits the task, or a single item and no more.
enum class Cut { kByCost, kByItem };

// The piece at the cursor, and moves the cursor on. False at the end.
bool cut_piece(const Task& task, Cursor& cursor, Cut cut, Piece& piece);
bool is_at_end(const Task& task, const Cursor& cursor);

void run_piece(const Task& task, const Piece& piece);

// All of it.
void run_whole(const Task& task);

}  // namespace ferry::cpu
