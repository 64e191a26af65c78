// SPDX-License-Identifier: Apache-2.0
// What recording threads share: whether a trace is running, the buffers of all threads, and the
// signals between recording threads and the writer thread.
#pragma once

#include "base/trace_options.h"
#include "layers/trace/buffer.h"
#include "layers/trace/records.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry::layers::trace {

class RecordedCall;

// What a thread that records knows. Belongs to that thread.
struct ThreadState {
  ThreadState() = default;
  ~ThreadState();
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

  // Notes the record. A thread whose buffer is full waits for the writer, at most for a second;
  // then the record is dropped and counted.
  void note(const Record& record) { note(record, record.size, nullptr, 0); }
  void note(const Record& record, size_t size, const void* text, size_t text_size);

  Buffer* buffer = nullptr;      // owned by the list of buffers
  RecordedCall* call = nullptr;  // the innermost call that is recorded
  uint64_t model = 0;            // what the thread submits belongs to this run of this model
  uint64_t run = 0;              // 0: to none
};

// Of the calling thread; NULL, and the record is counted as dropped, when there is no memory.
ThreadState* thread_state() noexcept;

// A call that its thread is in the middle of.
struct ThreadsCall {
  uint32_t thread = 0;
  char name[16] = {};  // of the thread
  OpenCall call;
};

// May be shared between threads; never destroyed.
class Recorder {
 public:
  static Recorder& instance();

  // Whether calls and work are recorded now. Read at every call while the layer is there.
  static bool is_recording() { return recording.load(std::memory_order_relaxed); }
  static bool wants_stacks() { return stacks.load(std::memory_order_relaxed); }
  // Whether this process was forked from one that has traced: it records nothing.
  static bool is_in_child() { return in_child.load(std::memory_order_relaxed); }
  static const TraceOptions& options() { return instance().options_; }
  // The number of a work: counts from 1 in every trace.
  static uint64_t next_work() { return works.fetch_add(1, std::memory_order_relaxed) + 1; }

  // Before and after a trace. `options` are constant meanwhile.
  void begin(const TraceOptions& options);
  void stop_recording();
  // From now on nobody waits for the writer.
  void end();
  void disown_in_child();

  // ---- recording threads ----

  Buffer* add_buffer();
  void retire(Buffer* buffer);
  void note_dropped() { dropped_.fetch_add(1, std::memory_order_relaxed); }
  void wake_writer();
  // The same without a chance that it is missed.
  void call_writer();
  bool wait_and_push(Buffer& buffer, const Record& record, size_t size, const void* text,
                     size_t text_size);

  // ---- the writer thread ----

  // Waits until a thread wants the writer or 100 ms have passed.
  void wait_for_work();
  // Hands over everything that is there: for each record its buffer. Returns whether there was
  // anything. Buffers of threads that have ended go.
  bool drain(const std::function<void(const Buffer&, const Record&)>& take);
  uint64_t dropped();
  // The calls that threads are in the middle of.
  std::vector<ThreadsCall> open_calls();

 private:
  static inline std::atomic<bool> recording{false};
  static inline std::atomic<bool> stacks{false};
  static inline std::atomic<bool> in_child{false};
  alignas(64) static inline std::atomic<uint64_t> works{0};

  TraceOptions options_;
  std::mutex mutex_;  // guards buffers_ and is_served_, and is that of the two conditions
  std::condition_variable wanted_;  // the writer waits: is_wanted_
  std::condition_variable room_;    // threads wait: the writer has made room, or ends
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::atomic<bool> is_wanted_{false};
  bool is_served_ = false;  // there is a writer thread
  std::atomic<uint64_t> dropped_{0};
};

}  // namespace ferry::layers::trace
