// SPDX-License-Identifier: Apache-2.0
// Buffers of threads, and waiting for room. The lock is held for moments only: never while a
// record is written, and never by the writer while it writes to the file.
#include "layers/trace/recorder.h"

#include "base/never_destroyed.h"
#include "base/thread_owned.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <new>

namespace ferry::layers::trace {
namespace {

constexpr std::chrono::milliseconds kLongestRest{100};
constexpr std::chrono::seconds kLongestWait{1};

}  // namespace

void release(const Record& record) {
  if (record.type != RecordType::kWork || (record.parts & kItemsPart) == 0) return;
  // It is the last part but these.
  size_t end = record.size;
  if ((record.parts & kMarkerPart) != 0) end -= sizeof(MarkerPart);
  if ((record.parts & kNamePart) != 0) end -= sizeof(NamePart);
  const auto* bytes = reinterpret_cast<const std::byte*>(&record) + end - sizeof(ItemsPart);
  delete[] reinterpret_cast<const ItemsPart*>(bytes)->items;
}

ThreadState::~ThreadState() {
  if (buffer != nullptr) Recorder::instance().retire(buffer);
}

void ThreadState::note(const Record& record, size_t size, const void* text, size_t text_size) {
  if (!buffer->push(record, size, text, text_size)) {
    if (!Recorder::instance().wait_and_push(*buffer, record, size, text, text_size)) {
      buffer->dropped.fetch_add(1, std::memory_order_relaxed);
      release(record);
    }
    return;
  }
  if (buffer->is_half_full()) Recorder::instance().wake_writer();
}

ThreadState* thread_state() noexcept {
  if (ThreadState* const made = ThreadOwned<ThreadState>::get_if_made()) return made;
  try {
    ThreadState& state = ThreadOwned<ThreadState>::get();
    if (state.buffer == nullptr) state.buffer = Recorder::instance().add_buffer();
    if (state.buffer != nullptr) return &state;
    const std::unique_ptr<ThreadState> unusable = ThreadOwned<ThreadState>::take();
  } catch (const std::bad_alloc&) {
    // counted below
  }
  Recorder::instance().note_dropped();
  return nullptr;
}

Recorder& Recorder::instance() {
  static NeverDestroyed<Recorder> recorder;
  return *recorder;
}

void Recorder::begin(const TraceOptions& options) {
  const std::lock_guard lock(mutex_);
  options_ = options;
  stacks.store(options.stacks, std::memory_order_relaxed);
  works.store(0, std::memory_order_relaxed);
  dropped_.store(0, std::memory_order_relaxed);
  // What threads have noted after the end of an earlier trace.
  std::erase_if(buffers_, [](const std::unique_ptr<Buffer>& buffer) {
    buffer->drain(release);
    buffer->dropped.store(0, std::memory_order_relaxed);
    return buffer->is_abandoned.load(std::memory_order_acquire);
  });
  is_served_ = true;
  is_wanted_.store(false, std::memory_order_relaxed);
  recording.store(true, std::memory_order_release);
}

void Recorder::stop_recording() {
  recording.store(false, std::memory_order_release);
}

void Recorder::end() {
  const std::lock_guard lock(mutex_);
  is_served_ = false;
  room_.notify_all();
}

// The threads of the parent are gone, and locks may be held forever.
void Recorder::disown_in_child() {
  recording.store(false);
  in_child.store(true);
}

Buffer* Recorder::add_buffer() {
  std::unique_ptr<Buffer> made = Buffer::make();
  if (made == nullptr) return nullptr;
  made->thread = static_cast<uint32_t>(syscall(SYS_gettid));
  static_cast<void>(pthread_getname_np(pthread_self(), made->name, sizeof made->name));
  const std::lock_guard lock(mutex_);
  return buffers_.emplace_back(std::move(made)).get();
}

void Recorder::retire(Buffer* buffer) {
  if (is_in_child()) return;
  const std::lock_guard lock(mutex_);
  buffer->is_abandoned.store(true, std::memory_order_release);
  if (is_served_) return;  // the writer empties it first
  buffer->drain(release);
  std::erase_if(buffers_,
                [&](const std::unique_ptr<Buffer>& each) { return each.get() == buffer; });
}

void Recorder::wake_writer() {
  if (is_wanted_.exchange(true, std::memory_order_acq_rel)) return;
  // Without the lock the writer may miss it, and comes after its rest at the latest.
  wanted_.notify_one();
}

void Recorder::call_writer() {
  const std::lock_guard lock(mutex_);
  is_wanted_.store(true, std::memory_order_release);
  wanted_.notify_one();
}

bool Recorder::wait_and_push(Buffer& buffer, const Record& record, size_t size, const void* text,
                             size_t text_size) {
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  std::unique_lock lock(mutex_);
  bool is_pushed = false;
  while (!(is_pushed = buffer.push(record, size, text, text_size)) && is_served_) {
    is_wanted_.store(true, std::memory_order_release);
    wanted_.notify_one();
    if (room_.wait_until(lock, deadline) == std::cv_status::timeout) {
      is_pushed = buffer.push(record, size, text, text_size);
      break;
    }
  }
  return is_pushed;
}

void Recorder::wait_for_work() {
  std::unique_lock lock(mutex_);
  wanted_.wait_for(lock, kLongestRest, [&] { return is_wanted_.load(std::memory_order_acquire); });
  is_wanted_.store(false, std::memory_order_release);
}

bool Recorder::drain(const std::function<void(const Buffer&, const Record&)>& take) {
  std::vector<Buffer*> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& buffer : buffers_)
      all.push_back(buffer.get());
  }
  bool is_any = false;
  for (Buffer* const buffer : all) {
    // Read first: an abandoned buffer that is empty then stays empty.
    const bool is_abandoned = buffer->is_abandoned.load(std::memory_order_acquire);
    const bool has_some = buffer->drain([&](const Record& record) { take(*buffer, record); });
    is_any |= has_some;
    if (!has_some && !is_abandoned) continue;
    // A thread holds the lock from when it finds no room until it waits: it sees the room that was
    // made, or this notice.
    const std::lock_guard lock(mutex_);
    room_.notify_all();
    if (!is_abandoned) continue;
    dropped_.fetch_add(buffer->dropped.load(std::memory_order_relaxed), std::memory_order_relaxed);
    std::erase_if(buffers_,
                  [&](const std::unique_ptr<Buffer>& each) { return each.get() == buffer; });
  }
  return is_any;
}

std::vector<ThreadsCall> Recorder::open_calls() {
  std::vector<ThreadsCall> calls;
  const std::lock_guard lock(mutex_);
  for (const auto& buffer : buffers_) {
    buffer->open_calls.read([&](const OpenCall& call) {
      ThreadsCall& made = calls.emplace_back();
      made.thread = buffer->thread;
      std::memcpy(made.name, buffer->name, sizeof made.name);
      made.call = call;
    });
  }
  return calls;
}

uint64_t Recorder::dropped() {
  const std::lock_guard lock(mutex_);
  uint64_t sum = dropped_.load(std::memory_order_relaxed);
  for (const auto& buffer : buffers_)
    sum += buffer->dropped.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace ferry::layers::trace
