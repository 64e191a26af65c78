// SPDX-License-Identifier: Apache-2.0
// Streams, each with a thread, and events.
#include "gpu.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

using host_gpu::note;
using host_gpu::Record;

// Shared by its handle and its thread. The thread ends when the stream is destroyed and idle.
struct CUstream_st {
  explicit CUstream_st(int number) : device(number) {}

  const int device;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<host_gpu::Task> tasks;
  bool is_busy = false;
  bool is_destroyed = false;
};

struct CUevent_st {
  std::mutex mutex;
  std::shared_ptr<Record> latest;  // nullptr: never recorded
};

namespace host_gpu {
namespace {

using Stream = CUstream_st;

struct Streams {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<Stream*, std::shared_ptr<Stream>> live;
  bool are_held = false;
};

// Never destroyed: threads of streams may run until the process ends.
Streams& streams() {
  static auto* all = new Streams;
  return *all;
}

void wait_while_held() {
  std::unique_lock lock(streams().mutex);
  streams().changed.wait(lock, [] { return !streams().are_held; });
}

void run(const std::shared_ptr<Stream>& stream) {
  std::unique_lock lock(stream->mutex);
  while (true) {
    stream->changed.wait(lock, [&] { return !stream->tasks.empty() || stream->is_destroyed; });
    if (stream->tasks.empty()) return;
    stream->is_busy = true;
    const Task task = std::move(stream->tasks.front());
    stream->tasks.pop_front();
    lock.unlock();
    wait_while_held();
    task();
    lock.lock();
    stream->is_busy = false;
    stream->changed.notify_all();
  }
}

bool is_idle(const Stream& stream) {
  return stream.tasks.empty() && !stream.is_busy;
}

std::shared_ptr<Stream> find(cudaStream_t stream) {
  const std::lock_guard lock(streams().mutex);
  const auto found = streams().live.find(stream);
  return found != streams().live.end() ? found->second : nullptr;
}

void wait_for(Stream& stream) {
  std::unique_lock lock(stream.mutex);
  stream.changed.wait(lock, [&] { return is_idle(stream); });
}

}  // namespace

void Record::reach() {
  const std::lock_guard lock(mutex);
  is_reached = true;
  time = std::chrono::steady_clock::now();
  changed.notify_all();
}

void Record::wait() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return is_reached; });
}

bool Record::query() {
  const std::lock_guard lock(mutex);
  return is_reached;
}

void submit(cudaStream_t stream, Task task) {
  const std::lock_guard lock(stream->mutex);
  stream->tasks.push_back(std::move(task));
  stream->changed.notify_all();
}

int device_of(cudaStream_t stream) {
  return stream->device;
}

void wait_for_device(int device) {
  std::vector<std::shared_ptr<Stream>> waited;
  {
    const std::lock_guard lock(streams().mutex);
    for (const auto& [handle, stream] : streams().live) {
      if (stream->device == device) waited.push_back(stream);
    }
  }
  for (const auto& stream : waited)
    wait_for(*stream);
}

void hold_streams() {
  const std::lock_guard lock(streams().mutex);
  streams().are_held = true;
}

void release_streams() {
  const std::lock_guard lock(streams().mutex);
  streams().are_held = false;
  streams().changed.notify_all();
}

}  // namespace host_gpu

// ---- streams ----

extern "C" cudaError_t CUDARTAPI cudaStreamCreateWithPriority(cudaStream_t* stream,
                                                              unsigned int /*flags*/,
                                                              int /*priority*/) {
  using host_gpu::streams;
  if (const cudaError_t failed = host_gpu::failure_of(host_gpu::current_device())) return failed;
  auto made = std::make_shared<CUstream_st>(host_gpu::current_device());
  *stream = made.get();
  std::thread([made] { host_gpu::run(made); }).detach();
  const std::lock_guard lock(streams().mutex);
  streams().live.emplace(*stream, std::move(made));
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t* stream,
                                                           unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

// Queued work still runs.
extern "C" cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream) {
  using host_gpu::streams;
  const std::shared_ptr<CUstream_st> destroyed = host_gpu::find(stream);
  if (destroyed == nullptr) return note(cudaErrorInvalidResourceHandle);
  host_gpu::wait_for(*destroyed);
  const std::lock_guard lock(streams().mutex);
  streams().live.erase(stream);
  const std::lock_guard own(destroyed->mutex);
  destroyed->is_destroyed = true;
  destroyed->changed.notify_all();
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t stream) {
  if (const cudaError_t failed = host_gpu::failure_of(stream->device)) return note(failed);
  const std::lock_guard lock(stream->mutex);
  return host_gpu::is_idle(*stream) ? cudaSuccess : note(cudaErrorNotReady);
}

extern "C" cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream) {
  host_gpu::wait_for(*stream);
  return note(host_gpu::failure_of(stream->device));
}

extern "C" cudaError_t CUDARTAPI cudaDeviceSynchronize() {
  host_gpu::wait_for_device(host_gpu::current_device());
  return note(host_gpu::failure_of(host_gpu::current_device()));
}

extern "C" cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                     unsigned int /*flags*/) {
  std::shared_ptr<Record> awaited;
  {
    const std::lock_guard lock(event->mutex);
    awaited = event->latest;
  }
  if (awaited != nullptr) host_gpu::submit(stream, [awaited] { awaited->wait(); });
  return cudaSuccess;
}

// ---- events ----

extern "C" cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t* event,
                                                          unsigned int /*flags*/) {
  *event = new CUevent_st;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, 0);
}

extern "C" cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t failed = host_gpu::failure_of(stream->device)) return note(failed);
  auto record = std::make_shared<Record>();
  {
    const std::lock_guard lock(event->mutex);
    event->latest = record;
  }
  host_gpu::submit(stream, [record] { record->reach(); });
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t event) {
  const std::lock_guard lock(event->mutex);
  return event->latest == nullptr || event->latest->query() ? cudaSuccess : note(cudaErrorNotReady);
}

extern "C" cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event) {
  std::shared_ptr<Record> awaited;
  {
    const std::lock_guard lock(event->mutex);
    awaited = event->latest;
  }
  if (awaited != nullptr) awaited->wait();
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaEventElapsedTime(float* milliseconds, cudaEvent_t start,
                                                      cudaEvent_t end) {
  const std::scoped_lock lock(start->mutex, end->mutex);
  if (start->latest == nullptr || end->latest == nullptr || !start->latest->query() ||
      !end->latest->query()) {
    return note(cudaErrorNotReady);
  }
  *milliseconds =
      std::chrono::duration<float, std::milli>(end->latest->time - start->latest->time).count();
  return cudaSuccess;
}
