// SPDX-License-Identifier: Apache-2.0
// The calls that a thread is in the middle of, for the writer thread: a trace that ends before they
// do, or a process that is killed in one, still shows them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ferry::layers::trace {

// What is known of a call before it ends.
struct OpenCall {
  const char* function = nullptr;
  int64_t begin = 0;
  uint64_t site = 0;
  const char* script = nullptr;
  uint64_t first_work = 0;
  uint32_t works = 0;
  int32_t stream = -1;
};

// Changed by its thread alone, and read by the writer thread. Invariant: an entry whose `begin` is
// not 0 is complete, and belongs to the call that began then. Stores release and loads acquire, so
// that a reader that finds the same begin before and after has read members of that call.
class OpenCalls {
 public:
  // Calls nest where functions of the program are called back. Those further inside are not seen.
  static constexpr size_t kMost = 8;

  // ---- the thread ----

  // `frame`: of a function that lasts as long as the call. Calls that a longjmp has left, whose
  // frames lie below, end here: their entries are used again. Returns the place of the entry.
  size_t begin(const OpenCall& call, const void* frame) {
    while (count_ > 0 && entries_[count_ - 1].frame <= frame)
      clear(--count_);
    if (count_ == kMost) return kMost;
    Entry& entry = entries_[count_];
    entry.frame = frame;
    entry.function.store(call.function, std::memory_order_release);
    entry.site.store(call.site, std::memory_order_release);
    entry.script.store(call.script, std::memory_order_release);
    entry.works.store(0, std::memory_order_release);
    entry.stream.store(-1, std::memory_order_release);
    entry.begin.store(call.begin, std::memory_order_release);
    return count_++;
  }
  // `place`: what begin() returned. Calls inside of one that ends have ended, too.
  void set_works(size_t place, uint64_t first, uint32_t works) {
    if (place >= kMost) return;
    entries_[place].first_work.store(first, std::memory_order_release);
    entries_[place].works.store(works, std::memory_order_release);
  }
  void set_stream(size_t place, int32_t stream) {
    if (place < kMost) entries_[place].stream.store(stream, std::memory_order_release);
  }
  void end(size_t place) {
    while (count_ > place)
      clear(--count_);
  }

  // ---- the writer thread ----

  // Hands the calls that are in progress to `take`, the outermost first.
  template <class Take>
  void read(const Take& take) const {
    for (const Entry& entry : entries_) {
      const int64_t begin = entry.begin.load(std::memory_order_acquire);
      if (begin == 0) continue;
      OpenCall call{.function = entry.function.load(std::memory_order_acquire),
                    .begin = begin,
                    .site = entry.site.load(std::memory_order_acquire),
                    .script = entry.script.load(std::memory_order_acquire),
                    .first_work = 0,
                    .works = entry.works.load(std::memory_order_acquire),
                    .stream = entry.stream.load(std::memory_order_acquire)};
      if (call.works != 0) call.first_work = entry.first_work.load(std::memory_order_acquire);
      if (entry.begin.load(std::memory_order_relaxed) == begin) take(call);
    }
  }

 private:
  struct Entry {
    std::atomic<int64_t> begin{0};  // 0: none
    std::atomic<const char*> function{nullptr};
    std::atomic<uint64_t> site{0};
    std::atomic<const char*> script{nullptr};
    std::atomic<uint64_t> first_work{0};
    std::atomic<uint32_t> works{0};
    std::atomic<int32_t> stream{-1};
    const void* frame = nullptr;  // the thread's own
  };

  void clear(size_t place) { entries_[place].begin.store(0, std::memory_order_release); }

  std::array<Entry, kMost> entries_;
  size_t count_ = 0;  // the thread's own
};

}  // namespace ferry::layers::trace
