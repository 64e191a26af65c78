// SPDX-License-Identifier: Apache-2.0
// What other parts of the library tell a trace: findings of the checker, marks and ranges.
#pragma once

#include "layers/trace/records.h"

#include <cstdint>

namespace ferry::layers::trace {

// Notes a finding of the checker, on the thread that was told.
void note_finding(const char* rule, const char* severity, const char* text);

// A mark or one end of a range of the program.
struct Note {
  NoteKind kind = NoteKind::kMark;
  uint32_t thread = 0;
  int32_t stream = -1;  // -1: none
  uint64_t id = 0;
  uint64_t time = 0;  // of CLOCK_MONOTONIC
  const char* name = "";
  const char* domain = "";
};
void note_annotation(const Note& note);

}  // namespace ferry::layers::trace
