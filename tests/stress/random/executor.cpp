// SPDX-License-Identifier: Apache-2.0
// The objects of a running program, its calls, and its threads.
#include "executor.h"

#include "calls.h"
#include "writer.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <type_traits>

namespace stress {

namespace {

constexpr int32_t kServeMilliseconds = 1;

void require(bool is_true, const char* what) {
  if (is_true) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::abort();
}

// What a host function does.
struct Fill {
  void* at = nullptr;
  size_t count = 0;
  int32_t value = 0;
};

void run_fill(void* argument) {
  const Fill* fill = static_cast<Fill*>(argument);
  if (fill->count != 0) std::memset(fill->at, fill->value, fill->count);
}

struct Buffer {
  enum class Origin { kNone, kDevice, kFreed, kPinned, kMapped };
  Origin origin = Origin::kNone;
  void* address = nullptr;
  size_t capacity = 0;
  bool is_registered = false;
};

// A pointer that fits every parameter.
struct AnyPointer {
  void* pointer;
  template <class T>
  operator T*() const {  // NOLINT(google-explicit-constructor): it stands for the pointer itself
    return static_cast<T*>(pointer);
  }
};

// A thread that serves the callbacks of the streams of one device.
class CallbackServer {
 public:
  void start() {
    thread_ = std::thread([this] {
      while (!is_stopped_)
        aclrtProcessReport(kServeMilliseconds);
    });
  }
  void stop() {
    is_stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }
  uint64_t id() { return static_cast<uint64_t>(thread_.native_handle()); }

 private:
  std::atomic<bool> is_stopped_{false};
  std::thread thread_;
};

// Everything that a running program uses. Which thread may use what is the model's business.
struct World {
  std::array<aclrtContext, kContexts> contexts{};
  std::array<aclrtStream, kStreams> streams{};
  std::array<aclrtContext, kStreams> contexts_of_streams{};
  std::array<aclrtEvent, kEvents> events{};
  std::array<aclrtNotify, kNotifies> notifies{};
  // A handle stays here after its object is destroyed: programs use it again.
  std::array<bool, kContexts> has_context{};
  std::array<bool, kStreams> has_stream{};
  std::array<bool, kEvents> has_event{};
  std::array<bool, kNotifies> has_notify{};
  std::array<Buffer, kBuffers> buffers;
  std::array<CallbackServer, kDevices> servers;
  std::array<std::atomic<int>, kDevices> sets{};  // successful calls of aclrtSetDevice

  void* at(const Place& place) const {
    if (place.buffer < 0) return nullptr;
    void* start = buffers[static_cast<size_t>(place.buffer)].address;
    return start == nullptr ? nullptr : static_cast<char*>(start) + place.offset;
  }
};

// Makes one call. Batches keep their arrays here.
class Caller {
 public:
  Caller(World& world, const Operation& op, Fill& fill) : world_(world), op_(op), fill_(fill) {
    for (const Item& item : op.items) {
      dsts_.push_back(world.at(item.dst));
      srcs_.push_back(world.at(item.src));
      dest_maxs_.push_back(item.dest_max);
      sizes_.push_back(item.size);
    }
    for (const Attribute& attribute : op.attributes) {
      aclrtMemcpyBatchAttr made{.dstLoc = attribute.dst, .srcLoc = attribute.src, .rsv = {}};
      made.rsv[sizeof(made.rsv) - 1] = attribute.reserved;
      attributes_.push_back(made);
      indexes_.push_back(attribute.first);
    }
    // An array without items is not NULL.
    for (auto* each : {&dsts_, &srcs_})
      each->reserve(1);
    for (auto* each : {&dest_maxs_, &sizes_, &indexes_})
      each->reserve(1);
    attributes_.reserve(1);
  }

  template <class Function, class... Arguments>
  aclError operator()(const char* /*name*/, Function function, const Arguments&... arguments) {
    return function(resolve(arguments)...);
  }

  size_t fail_index = 0;
  aclrtStreamStatus stream_status = ACL_STREAM_STATUS_RESERVED;
  aclrtEventRecordedStatus event_status = ACL_EVENT_RECORDED_STATUS_NOT_READY;

 private:
  template <class Objects>
  static AnyPointer handle(const Objects& objects, int slot) {
    if (slot == kGarbage) return {kGarbageHandle};
    return {slot == kNull ? nullptr : objects[static_cast<size_t>(slot)]};
  }
  template <class Objects>
  static auto* address(Objects& objects, int slot) {
    return slot == kNull ? nullptr : &objects[static_cast<size_t>(slot)];
  }
  AnyPointer array(unsigned missing, void* data) const {
    return {(op_.missing & missing) != 0 ? nullptr : data};
  }

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) T resolve(T value) { return value; }
  std::nullptr_t resolve(std::nullptr_t) { return nullptr; }
  AnyPointer resolve(const Address& argument) { return {world_.at(argument.place)}; }
  void** resolve(const BufferSlot& argument) {
    if (argument.slot == kNull) return nullptr;
    return &world_.buffers[static_cast<size_t>(argument.slot)].address;
  }
  AnyPointer resolve(const StreamHandle& stream) { return handle(world_.streams, stream.slot); }
  aclrtStream* resolve(const StreamSlot& stream) { return address(world_.streams, stream.slot); }
  AnyPointer resolve(const EventHandle& event) { return handle(world_.events, event.slot); }
  aclrtEvent* resolve(const EventSlot& event) { return address(world_.events, event.slot); }
  AnyPointer resolve(const NotifyHandle& notify) { return handle(world_.notifies, notify.slot); }
  aclrtNotify* resolve(const NotifySlot& notify) { return address(world_.notifies, notify.slot); }
  aclrtNotify* resolve(const NotifyList& list) { return address(world_.notifies, list.slot); }
  AnyPointer resolve(const ContextHandle& context) { return handle(world_.contexts, context.slot); }
  aclrtContext* resolve(const ContextSlot& context) {
    return address(world_.contexts, context.slot);
  }
  AnyPointer resolve(const FailIndex&) { return array(kNoFailIndex, &fail_index); }
  aclrtStreamStatus* resolve(const StreamStatusOut&) { return &stream_status; }
  aclrtEventRecordedStatus* resolve(const EventStatusOut&) { return &event_status; }
  uint64_t resolve(const Server& server) {
    return world_.servers[static_cast<size_t>(server.device)].id();
  }
  aclrtHostFunc resolve(const HostFunction& function) {
    return function.is_null ? nullptr : run_fill;
  }
  AnyPointer resolve(const HostFill& fill) {
    fill_ = {.at = world_.at(fill.at), .count = fill.count, .value = fill.value};
    return {&fill_};
  }
  AnyPointer resolve(BatchArray which) {
    switch (which) {
      case BatchArray::kDsts:
        return array(kNoDsts, dsts_.data());
      case BatchArray::kDestMaxs:
        return array(kNoDestMaxs, dest_maxs_.data());
      case BatchArray::kSrcs:
        return array(kNoSrcs, srcs_.data());
      case BatchArray::kSizes:
        return array(kNoSizes, sizes_.data());
      case BatchArray::kAttrs:
        return array(kNoAttrs, attributes_.data());
      default:
        return array(kNoIndexes, indexes_.data());
    }
  }

  World& world_;
  const Operation& op_;
  Fill& fill_;
  std::vector<void*> dsts_;
  std::vector<void*> srcs_;
  std::vector<size_t> dest_maxs_;
  std::vector<size_t> sizes_;
  std::vector<aclrtMemcpyBatchAttr> attributes_;
  std::vector<size_t> indexes_;
};

// One run of one program. Threads wait for each other as the predictions say.
class Run {
 public:
  Run(World& world, const Program& program, const std::vector<Prediction>& predictions)
      : world_(world),
        program_(program),
        predictions_(predictions),
        fills_(program.size()),
        is_done_(program.size()) {}

  std::optional<Failure> execute() {
    const bool has_server = std::any_of(program_.begin(), program_.end(), [](const Operation& op) {
      return is_between(op.call, Call::kSubscribeReport, Call::kUnSubscribeReport);
    });
    for (CallbackServer& server : world_.servers) {
      if (has_server) server.start();
    }
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread)
      threads.emplace_back([this, thread] { run_thread(thread); });
    for (std::thread& thread : threads)
      thread.join();
    return failure_;
  }

 private:
  void run_thread(int thread) {
    for (size_t i = 0; i < program_.size(); ++i) {
      if (program_[i].thread != thread) continue;
      for (const size_t earlier : predictions_[i].after)
        is_done_[earlier].wait(false);
      if (!has_failed_) run_operation(i);
      is_done_[i] = true;
      is_done_[i].notify_all();
    }
  }

  void run_operation(size_t index) {
    const Operation& op = program_[index];
    const Prediction& expected = predictions_[index];
    if (!is_api_call(op.call)) return run_step(index);
    Caller caller(world_, op, fills_[index]);
    const aclError code = visit_call(op, caller);
    if (code != expected.code && code != expected.other_code) {
      const char* text = code == ACL_SUCCESS ? nullptr : aclGetRecentErrMsg();
      return fail(index, "returned " + std::to_string(code) + ", predicted is " +
                             std::to_string(expected.code) + (text == nullptr ? "" : "; ") +
                             (text == nullptr ? "" : text));
    }
    if (expected.fail_index && caller.fail_index != *expected.fail_index) {
      return fail(index, "stored failIndex " + std::to_string(caller.fail_index) +
                             ", predicted is " + std::to_string(*expected.fail_index));
    }
    const int status = op.call == Call::kStreamQuery ? static_cast<int>(caller.stream_status)
                                                     : static_cast<int>(caller.event_status);
    if (expected.status && status != *expected.status) {
      return fail(index, "stored the status " + std::to_string(status) + ", predicted is " +
                             std::to_string(*expected.status));
    }
    if (code == ACL_SUCCESS) remember(op);
  }

  // Keeps what the end of the run needs to know.
  void remember(const Operation& op) {
    switch (op.call) {
      case Call::kMalloc:
      case Call::kMallocAlign32:
        return initialize(op, Buffer::Origin::kDevice);
      case Call::kMallocHost:
        return initialize(op, Buffer::Origin::kPinned);
      case Call::kFree:
      case Call::kFreeWithDevSync:
        buffer(op).origin = Buffer::Origin::kFreed;
        return;
      case Call::kFreeHost:
        buffer(op) = {};
        return;
      case Call::kHostRegister:
      case Call::kHostUnregister:
        buffer(op).is_registered = op.call == Call::kHostRegister;
        return;
      case Call::kSetDevice:
        ++world_.sets[static_cast<size_t>(op.value)];
        return;
      default:
        return remember_object(op);
    }
  }

  void remember_object(const Operation& op) {
    const auto slot = static_cast<size_t>(op.slot);
    const auto stream = static_cast<size_t>(op.stream);
    switch (op.call) {
      case Call::kCreateContext:
      case Call::kDestroyContext:
        world_.has_context[slot] = op.call == Call::kCreateContext;
        for (size_t i = 0; i < kStreams; ++i) {
          if (world_.contexts_of_streams[i] == world_.contexts[slot]) world_.has_stream[i] = false;
        }
        return;
      case Call::kCreateStream:
        world_.has_stream[stream] = true;
        aclrtGetCurrentContext(&world_.contexts_of_streams[stream]);
        return;
      case Call::kDestroyStream:
      case Call::kDestroyStreamForce:
        world_.has_stream[stream] = false;
        return;
      case Call::kCreateEvent:
      case Call::kCreateEventWithFlag:
      case Call::kCreateEventExWithFlag:
      case Call::kDestroyEvent:
        world_.has_event[slot] = op.call != Call::kDestroyEvent;
        return;
      case Call::kCreateNotify:
      case Call::kDestroyNotify:
        world_.has_notify[slot] = op.call == Call::kCreateNotify;
        return;
      default:
        return;
    }
  }

  Buffer& buffer(const Operation& op) { return world_.buffers[static_cast<size_t>(op.slot)]; }

  void initialize(const Operation& op, Buffer::Origin origin) {
    Buffer& made = buffer(op);
    made.origin = origin;
    made.capacity = capacity_of(op);
    std::vector<uint8_t> bytes(made.capacity);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = initial_byte(op.value, i);
    if (origin != Buffer::Origin::kDevice) {
      std::memcpy(made.address, bytes.data(), bytes.size());
      return;
    }
    const aclError code = aclrtMemcpy(made.address, made.capacity, bytes.data(), bytes.size(),
                                      ACL_MEMCPY_HOST_TO_DEVICE);
    require(code == ACL_SUCCESS, "aclrtMemcpy into new memory");
  }

  void run_step(size_t index) {
    const Operation& op = program_[index];
    switch (op.call) {
      case Call::kMapHost:
        buffer(op).address = mmap(nullptr, op.count + kPage, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        require(buffer(op).address != MAP_FAILED, "mmap");
        // What lies behind the memory is never accessible.
        mprotect(static_cast<char*>(buffer(op).address) + op.count, kPage, PROT_NONE);
        return initialize(op, Buffer::Origin::kMapped);
      case Call::kUnmapHost:
        munmap(buffer(op).address, buffer(op).capacity + kPage);
        buffer(op) = {};
        return;
      case Call::kStoreAddress: {
        void* stored = world_.at(op.src);
        const aclError code = aclrtMemcpy(world_.at(op.dst), sizeof(stored), &stored,
                                          sizeof(stored), ACL_MEMCPY_HOST_TO_DEVICE);
        if (code != ACL_SUCCESS) fail(index, "aclrtMemcpy returned " + std::to_string(code));
        return;
      }
      case Call::kTouchHost:
        std::memset(world_.at(op.dst), op.value, op.count);
        return;
      case Call::kCompare:
        return compare(index);
      default:
        return;
    }
  }

  void compare(size_t index) {
    const Operation& op = program_[index];
    const Buffer& compared = world_.buffers[static_cast<size_t>(op.dst.buffer)];
    std::vector<uint8_t> actual(op.count);
    if (compared.origin == Buffer::Origin::kDevice) {
      const aclError code = aclrtMemcpy(actual.data(), op.count, world_.at(op.dst), op.count,
                                        ACL_MEMCPY_DEVICE_TO_HOST);
      if (code != ACL_SUCCESS) return fail(index, "aclrtMemcpy returned " + std::to_string(code));
    } else {
      std::memcpy(actual.data(), world_.at(op.dst), op.count);
    }
    for (size_t i = 0; i < op.count; ++i) {
      const uint16_t expected = predictions_[index].bytes[i];
      if (expected == kUnknownByte || expected == actual[i]) continue;
      fail(index,
           "byte " + std::to_string(op.dst.offset + i) + " is " + std::to_string(actual[i]) +
               ", predicted is " + std::to_string(expected),
           i);
      return;
    }
  }

  // Threads stop at the first difference: what follows it is not predictable.
  void fail(size_t index, const std::string& text, size_t offset = 0) {
    const std::lock_guard lock(mutex_);
    has_failed_ = true;
    if (failure_ && failure_->operation < index) return;
    failure_ = {.operation = index,
                .text = "operation " + std::to_string(index) + ", " +
                        text_of(program_[index], predictions_[index]) + ": " + text,
                .offset = offset};
  }

  World& world_;
  const Program& program_;
  const std::vector<Prediction>& predictions_;
  std::vector<Fill> fills_;
  std::vector<std::atomic<bool>> is_done_;
  std::atomic<bool> has_failed_{false};
  std::mutex mutex_;  // guards failure_
  std::optional<Failure> failure_;
};

// Ends the work of a context. After a failure queued work may wait for ever: it is dropped.
void end_context(World& world, size_t index, bool has_failed) {
  aclrtSetCurrentContext(world.contexts[index]);
  for (size_t i = 0; i < kStreams; ++i) {
    if (!world.has_stream[i] || world.contexts_of_streams[i] != world.contexts[index]) continue;
    has_failed ? aclrtDestroyStreamForce(world.streams[i]) : aclrtDestroyStream(world.streams[i]);
  }
  if (has_failed) aclrtStreamAbort(nullptr);
  aclrtSynchronizeStream(nullptr);
}

// Destroys what the program left.
void destroy(World& world, bool has_failed) {
  for (size_t i = 0; i < kContexts; ++i) {
    if (i < kDevices || world.has_context[i]) end_context(world, i, has_failed);
  }
  for (CallbackServer& server : world.servers)
    server.stop();
  for (size_t i = 0; i < kContexts; ++i) {
    if (world.has_context[i]) aclrtDestroyContext(world.contexts[i]);
  }
  for (size_t i = 0; i < kEvents; ++i) {
    if (world.has_event[i]) aclrtDestroyEvent(world.events[i]);
  }
  for (size_t i = 0; i < kNotifies; ++i) {
    if (world.has_notify[i]) aclrtDestroyNotify(world.notifies[i]);
  }
  aclrtSetCurrentContext(world.contexts[0]);
  for (const Buffer& buffer : world.buffers) {
    if (buffer.is_registered) aclrtHostUnregister(buffer.address);
    if (buffer.origin == Buffer::Origin::kDevice) aclrtFree(buffer.address);
    if (buffer.origin == Buffer::Origin::kPinned) aclrtFreeHost(buffer.address);
    if (buffer.origin == Buffer::Origin::kMapped) munmap(buffer.address, buffer.capacity + kPage);
  }
  for (int device = 0; device < kDevices; ++device) {
    aclrtSetCurrentContext(world.contexts[static_cast<size_t>(device)]);
    int32_t is_on = 0;
    aclrtDevicePeerAccessStatus(device, 1 - device, &is_on);
    if (is_on != 0) aclrtDeviceDisablePeerAccess(1 - device);
    for (int i = 0; i < world.sets[static_cast<size_t>(device)]; ++i)
      aclrtResetDevice(device);
  }
}

}  // namespace

Executor::Executor() {
  for (int device = 0; device < kDevices; ++device) {
    require(aclrtSetDevice(device) == ACL_SUCCESS,
            "aclrtSetDevice (FERRY_DEVICES=cpu:2 is needed)");
    require(aclrtGetCurrentContext(&default_contexts_[static_cast<size_t>(device)]) == ACL_SUCCESS,
            "aclrtGetCurrentContext");
  }
}

std::optional<Failure> Executor::run(const Program& program,
                                     const std::vector<Prediction>& predictions) {
  World world;
  std::copy(default_contexts_.begin(), default_contexts_.end(), world.contexts.begin());
  Run running(world, program, predictions);  // host functions may use it until all work is done
  std::optional<Failure> failure = running.execute();
  destroy(world, failure.has_value());
  return failure;
}

}  // namespace stress
