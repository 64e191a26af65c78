// SPDX-License-Identifier: Apache-2.0
// Marks, ranges and steps of the program, in the order in which they happened: a bounded list in
// memory. Whoever wants to show them reads it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry {

// The values are those of ferryMarkKind.
enum class AnnotationKind : uint32_t {
  kMark,
  kRangeStart,  // may end on another thread
  kRangeEnd,
  kPush,  // nested within its thread
  kPop,
  kStepStart,
  kStepEnd,
  kTracePoint,  // of aclrtProfTrace
};

constexpr uint32_t kNoTask = UINT32_MAX;

struct Annotation {
  static constexpr size_t kNameSize = 256;
  static constexpr size_t kDomainSize = 64;

  AnnotationKind kind = AnnotationKind::kMark;
  uint32_t thread = 0;  // of the call, as the kernel numbers it; record() fills it in if it is 0
  uint64_t time = 0;    // nanoseconds of the steady clock; record() fills it in
  uint64_t id = 0;      // start and end of a range have the same; a step's number
  int32_t stream = -1;  // id of the stream that it belongs to; -1: none
  uint32_t task = kNoTask;   // which task of the stream recorded it; kNoTask: the call did
  uint64_t correlation = 0;  // of that task's origin
  uint64_t model = 0;        // of kTracePoint
  uint32_t tag = 0;          // of kTracePoint; of kPush: how many tensors the range describes
  char name[kNameSize] = {};
  char domain[kDomainSize] = {};

  // Texts that are too long are cut between two characters of UTF-8.
  void set_name(const char* text);
  void set_domain(const char* text);
};

// What is recorded: each party that is interested says in what. With no party interested, nothing
// is, and recording costs one load.
enum Interest : uint32_t { kInMarks = 1, kInSteps = 2 };
enum class InterestOf { kProfiling, kInitFile, kProgram };
// Throws bad_alloc when there is no memory for the list; nothing has changed then.
void set_interest(InterestOf party, uint32_t interest);
bool is_wanted(AnnotationKind kind);

// Records it if it is wanted. The list keeps the latest; older ones are overwritten.
constexpr uint64_t kMostAnnotations = 8192;
void record(Annotation& annotation);

// Gets every mark and range as well, on the thread that records it, whoever else is interested;
// nullptr: nobody. It must not throw.
using AnnotationSink = void (*)(const Annotation& annotation);
void set_annotation_sink(AnnotationSink sink);

// How many were recorded since the process began.
uint64_t annotation_count();
// By its place among all that were recorded; false when it was overwritten or is yet to come.
bool get_annotation(uint64_t index, Annotation& annotation);

// The calling thread, as the kernel numbers it.
uint32_t thread_number();

}  // namespace ferry
