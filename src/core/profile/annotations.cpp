// SPDX-License-Identifier: Apache-2.0
// One ring under one lock. It is allocated when the first party becomes interested, so that
// recording allocates nothing: tasks record on threads that must not fail.
#include "core/profile/annotations.h"

#include "base/never_destroyed.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <vector>

namespace ferry {
namespace {

struct AnnotationList {
  std::mutex mutex;  // guards the members below
  std::vector<Annotation> ring;
  uint64_t count = 0;
  std::array<uint32_t, 3> interests{};  // by InterestOf
};

AnnotationList& annotations() {
  static NeverDestroyed<AnnotationList> instance;
  return *instance;
}

// The union of all interests, read without the lock.
std::atomic<uint32_t> all_interests{0};
std::atomic<AnnotationSink> annotation_sink{nullptr};

uint32_t interest_in(AnnotationKind kind) {
  return kind < AnnotationKind::kStepStart ? kInMarks : kInSteps;
}

bool is_inside_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

void copy_text(char* to, size_t size, const char* text) {
  size_t length = strnlen(text, size);
  if (length == size) {
    --length;
    while (length > 0 && is_inside_character(text[length]))
      --length;
  }
  std::memcpy(to, text, length);
  to[length] = '\0';
}

}  // namespace

void Annotation::set_name(const char* text) {
  copy_text(name, sizeof name, text);
}

void Annotation::set_domain(const char* text) {
  copy_text(domain, sizeof domain, text);
}

void set_interest(InterestOf party, uint32_t interest) {
  AnnotationList& list = annotations();
  const std::lock_guard lock(list.mutex);
  if (interest != 0 && list.ring.empty()) list.ring.resize(kMostAnnotations);
  list.interests[static_cast<size_t>(party)] = interest;
  uint32_t all = 0;
  for (const uint32_t each : list.interests)
    all |= each;
  all_interests.store(all, std::memory_order_relaxed);
}

namespace {

bool is_listed(AnnotationKind kind) {
  return (all_interests.load(std::memory_order_relaxed) & interest_in(kind)) != 0;
}

uint64_t now() {
  return static_cast<uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

}  // namespace

bool is_wanted(AnnotationKind kind) {
  return is_listed(kind) || annotation_sink.load(std::memory_order_relaxed) != nullptr;
}

void set_annotation_sink(AnnotationSink sink) {
  annotation_sink.store(sink, std::memory_order_release);
}

void record(Annotation& annotation) {
  if (!is_wanted(annotation.kind)) return;
  if (annotation.thread == 0) annotation.thread = thread_number();
  if (const AnnotationSink sink = annotation_sink.load(std::memory_order_acquire)) {
    annotation.time = now();
    sink(annotation);
  }
  if (!is_listed(annotation.kind)) return;
  AnnotationList& list = annotations();
  const std::lock_guard lock(list.mutex);
  if (list.ring.empty()) return;  // the interest is being declared right now
  // Under the lock, so that times are in the order of the list.
  annotation.time = now();
  list.ring[list.count++ % kMostAnnotations] = annotation;
}

uint64_t annotation_count() {
  AnnotationList& list = annotations();
  const std::lock_guard lock(list.mutex);
  return list.count;
}

bool get_annotation(uint64_t index, Annotation& annotation) {
  AnnotationList& list = annotations();
  const std::lock_guard lock(list.mutex);
  if (index >= list.count || list.count - index > kMostAnnotations) return false;
  annotation = list.ring[index % kMostAnnotations];
  return true;
}

uint32_t thread_number() {
  static thread_local uint32_t number = 0;
  if (number == 0) number = static_cast<uint32_t>(syscall(SYS_gettid));
  return number;
}

}  // namespace ferry
