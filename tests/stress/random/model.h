// SPDX-License-Identifier: Apache-2.0
// What the contract says about a program: the code of each call and the bytes it leaves. Written
// from the headers in include/acl alone; it shares no code with the library.
//
// Operations are applied one after the other. That is also right for queued work and for several
// threads, because the model accepts only programs without races: vector clocks tell which earlier
// operations are known to be complete, and an operation that conflicts with another is refused.
#pragma once

#include "operation.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace stress {

// Those whose operations are ordered among themselves: threads, streams, and the default streams of
// the contexts.
constexpr int kAllStreams = kStreams + kContexts;
constexpr int kActors = kThreads + kAllStreams;
// For each actor, how many of its operations are known to be complete.
using Clock = std::array<uint32_t, kActors>;

constexpr uint16_t kUnknownByte = 0x100;

struct Prediction {
  aclError code = ACL_SUCCESS;
  std::optional<aclError> other_code;  // allowed too: it depends on what has run meanwhile
  std::vector<size_t> after;           // operations of other threads that must have returned
  std::optional<size_t> fail_index;    // of a batch
  std::optional<int> status;           // of a query
  std::vector<uint16_t> bytes;         // of a comparison; kUnknownByte fits everything
};

enum class Memory : uint8_t { kNone, kDevice, kFreedDevice, kPinned, kPageable, kRegistered };

class Model {
 public:
  struct Access {
    int actor;
    uint32_t time;
    size_t begin;
    size_t end;
    bool is_write;
  };
  // An address or a descriptor that a call stored in device memory.
  struct Cell {
    size_t offset;
    bool is_descriptor;
    Place dst;  // of a stored address too
    Place src;
    size_t count;
    size_t generations;  // of both buffers, added
  };
  struct Buffer {
    Memory memory = Memory::kNone;
    int device = 0;
    size_t capacity = 0;
    size_t generation = 0;  // changes whenever the slot gets another address
    size_t freed_at = 0;    // number of allocations when it was freed
    std::shared_ptr<std::vector<uint16_t>> bytes;
    std::vector<Access> accesses;
    std::vector<Cell> cells;
  };
  enum class Life : uint8_t { kNever, kAlive, kDead };
  struct Context {
    Life life = Life::kNever;
    int device = 0;
    bool stops_on_failure = false;
    int failing = kNull;       // a stream on which a task fails, has failed or is about to
    bool has_stopped = false;  // because of it, and the program has been told
  };
  struct Stream {
    Life life = Life::kNever;
    int context = 0;
    bool has_failed = false;         // a task failed since the last synchronisation
    bool runs_functions = false;     // aclrtLaunchHostFunc was used
    uint32_t function_time = 0;      // of the latest host function or callback
    int server = kNull;              // device of the thread that serves its callbacks
    bool has_late_callback = false;  // one without blocking may not have been delivered yet
    int blocking_event = kNull;      // the stream waits for its first record
    int blocking_notify = kNull;     // the stream waits for its next record
  };
  enum class EventKind : uint8_t { kPlain, kFlag, kEx };
  struct Event {
    Life life = Life::kNever;
    EventKind kind = EventKind::kPlain;
    uint32_t flags = 0;
    bool is_recorded = false;
    Clock clock{};
  };
  struct Notify {
    Life life = Life::kNever;
    int device = 0;
    bool is_signalled = false;
    bool is_awaited = false;  // a stream is blocked
    Clock record{};           // what was known to be complete at the latest record
    int waiter = kNull;       // actor of the latest wait whose signal was recorded
    uint32_t wait_time = 0;
  };

  Model();

  // Applies the next operation. Nothing is returned if the contract does not decide what happens:
  // the operation races with another, would wait for ever, or does something undefined. The model
  // must not be used any more then.
  std::optional<Prediction> apply(const Operation& op);

  // Whether no stream waits for something that the program did not do.
  bool is_complete() const;

  // After apply refused an operation because of a race: the actor whose operation must come first.
  int conflict() const { return conflict_; }

  int context_of(int thread) const { return current_[static_cast<size_t>(thread)]; }
  const Context& context(int slot) const { return contexts_[static_cast<size_t>(slot)]; }
  const Stream& stream(int slot) const { return streams_[static_cast<size_t>(slot)]; }
  const Event& event(int slot) const { return events_[static_cast<size_t>(slot)]; }
  const Notify& notify(int slot) const { return notifies_[static_cast<size_t>(slot)]; }
  const Buffer& buffer(int slot) const { return buffers_[static_cast<size_t>(slot)]; }

 private:
  struct Undecided {};
  struct Refused {};  // the context of the call has stopped
  // What several threads use. Operations that change it are in the order of the program with all
  // others that use it; those that only read it may run at the same time.
  struct Use {
    size_t operation = 0;
    bool is_made = false;
    Clock clock{};  // what the thread knew after it
  };
  struct Shared {
    std::array<Use, kThreads> changes;  // the latest of each thread
    std::array<Use, kThreads> reads;
  };
  // Places of Shared: streams, events, notifies, contexts, buffers, and one each for everything
  // else that the process has once, and for operations that no other may overtake.
  static constexpr int kFirstEvent = kAllStreams;
  static constexpr int kFirstNotify = kFirstEvent + kEvents;
  static constexpr int kFirstContext = kFirstNotify + kNotifies;
  static constexpr int kFirstBuffer = kFirstContext + kContexts;
  static constexpr int kWorld = kFirstBuffer + kBuffers;
  static constexpr int kFence = kWorld + 1;  // every operation uses it
  static constexpr int kShared = kFence + 1;

  enum class Handle : uint8_t { kNull, kInvalid, kValid };
  struct StreamRef {
    Handle handle = Handle::kNull;
    int index = kNull;  // in streams_; none when NULL is passed and there is no context
  };

  // Order; model.cpp
  aclError apply_call(const Operation& op);
  std::vector<int> shared_by(const Operation& op) const;
  void add_streams_of(int context, std::vector<int>& shared) const;
  static bool is_reader(const Operation& op, int shared);
  void acquire(const std::array<Use, kThreads>& uses);
  void release(const Operation& op, const std::vector<int>& shared);
  int actor_of(int stream) const { return kThreads + stream; }
  Clock& clock(int actor) { return clocks_[static_cast<size_t>(actor)]; }
  void join(int actor, const Clock& known);
  bool knows(int actor, int other, uint32_t time) const;
  bool is_idle(int stream) const;
  int begin_call();
  int begin_task(int stream);
  Clock record_task(int stream);
  void wait_for(int stream);
  // Synchronises the stream, and returns the failure kept on it.
  aclError synchronize(int stream);
  // The same for all streams of a device, but the failures stay.
  aclError synchronize_device(int device);
  [[noreturn]] static void give_up() { throw Undecided{}; }
  static void require(bool is_decided) {
    if (!is_decided) give_up();
  }

  // Handles; model.cpp
  StreamRef stream_of(const Operation& op) const;
  bool has_context() const { return current_[static_cast<size_t>(thread_)] != kNull; }
  int device() const;
  bool is_of_other_context(const StreamRef& ref) const;
  int device_of(const StreamRef& ref) const;

  // Bytes; model_bytes.cpp
  bool is_null(const Place& place) const;
  Buffer& at(const Place& place);
  const Buffer& at(const Place& place) const;
  bool is_device(const Place& place) const;
  bool is_host(const Place& place) const { return !is_device(place); }
  bool is_pageable(const Place& place) const;
  bool is_good(const Place& place, size_t size) const;
  void touch(int actor, const Place& place, size_t size, bool is_write);
  std::vector<uint16_t>& writable(const Place& place, size_t size);
  void move(int actor, const Place& dst, const Place& src, size_t size);
  void copy(int reader, int writer, const Place& dst, const Place& src, size_t size);
  void fill(int actor, const Place& dst, const std::vector<uint16_t>& pattern, size_t repeats);
  void fail_task(int stream, const Place& dst, const Place& src, size_t size);
  aclError check_devices(const Place& dst, const Place& src, int device) const;
  static bool overlap(const Place& dst, const Place& src, size_t dst_size, size_t src_size);

  // Calls; model_copy.cpp
  aclError apply_copy(const Operation& op);
  aclError memcpy_now(const Operation& op);
  aclError memcpy_queued(const Operation& op);
  aclError memcpy_pageable(const Operation& op, int stream);
  aclError memcpy_rows(const Operation& op);
  aclError memcpy_rows_queued(const Operation& op);
  bool are_good_rows(const Operation& op) const;
  void move_rows(int actor, const Operation& op);
  aclError fill_bytes(const Operation& op);
  aclError fill_bytes_queued(const Operation& op);
  aclError fill_words(const Operation& op);
  void fill_task(const StreamRef& ref, const Operation& op, const std::vector<uint16_t>& pattern);
  aclError set_descriptor(const Operation& op);
  aclError memcpy_described(const Operation& op);
  aclError memcpy_offset(const Operation& op);
  void indirect_task(const StreamRef& ref, const Place& dst, const Place& src, size_t size);
  const Cell& cell(const Place& place, bool is_descriptor);
  size_t generations(const Place& dst, const Place& src) const;
  void store_cell(const Place& place, const Cell& stored);

  // Batches; model_batch.cpp
  aclError apply_batch(const Operation& op);
  aclError check_batch(const Operation& op, const StreamRef& ref);
  aclError check_items(const Operation& op);
  bool is_item_good(const Operation& op, size_t index) const;
  bool is_at(const Place& place, const aclrtMemLocation& location) const;
  aclError copy_items(const Operation& op, const StreamRef& ref);

  // Objects; model_objects.cpp
  aclError apply_memory(const Operation& op);
  aclError allocate(const Operation& op, Memory memory);
  aclError release_memory(const Operation& op, Memory memory);
  aclError register_host(const Operation& op);
  aclError apply_context(const Operation& op);
  aclError destroy_context(int slot);
  aclError set_peer(const Operation& op);
  aclError apply_step(const Operation& op);
  void compare(const Operation& op);

  // Streams; model_streams.cpp
  aclError apply_stream(const Operation& op);
  aclError create_stream(int slot);
  aclError destroy_stream(const Operation& op);
  aclError abort_stream(const Operation& op);
  aclError set_failure_mode(const Operation& op);
  aclError wait_for_stream(const Operation& op);
  aclError wait_for_device(const Operation& op);
  aclError query_stream(int stream);
  void drop_work(int stream);
  void forget_writes(int actor, uint32_t known);
  bool is_blocked(int stream) const;
  bool is_any_blocked(int device) const;
  void fail_context(int stream);
  bool uses_failing_context(const Operation& op) const;
  Context& context_of_stream(int stream) {
    return contexts_[static_cast<size_t>(streams_[static_cast<size_t>(stream)].context)];
  }

  // Events, notifies, callbacks; model_order.cpp
  aclError apply_event(const Operation& op);
  aclError create_event(const Operation& op);
  aclError record_event(Event& event, const Operation& op, const StreamRef& ref);
  aclError wait_event(Event& event, const Operation& op, const StreamRef& ref);
  aclError reset_event(Event& event, const StreamRef& ref);
  void query_event(const Event& event);
  aclError apply_notify(const Operation& op);
  aclError record_notify(Notify& notify, int slot, const StreamRef& ref);
  aclError wait_notify(Notify& notify, int slot, const StreamRef& ref);
  void end_wait(Notify& notify, int actor);
  aclError reset_notify(const Operation& op);
  bool is_idle(const Notify& notify) const;
  aclError apply_callback(const Operation& op);
  aclError subscribe(const Operation& op, const StreamRef& ref);
  aclError launch(const Operation& op, const StreamRef& ref);
  aclError check_queue(const StreamRef& ref) const;

  int thread_ = 0;  // of the operation that is applied
  Call call_ = Call::kMeet;
  bool is_dropped_ = false;  // the task that it queues never runs
  Prediction prediction_;
  int conflict_ = kNull;
  size_t operations_ = 0;
  size_t allocations_ = 0;
  std::array<Clock, kActors> clocks_{};
  std::array<Shared, kShared> shared_{};
  std::array<size_t, kThreads> latest_{};  // number of the latest operation of each thread, plus 1
  std::array<int, kThreads> current_{};    // current contexts
  std::array<Context, kContexts> contexts_;
  std::array<Stream, kAllStreams> streams_;
  std::array<Event, kEvents> events_;
  std::array<Notify, kNotifies> notifies_;
  std::array<Buffer, kBuffers> buffers_;
  std::array<std::array<bool, kDevices>, kDevices> peers_{};
};

// The predictions for a whole program, or nothing if the contract does not decide it.
std::optional<std::vector<Prediction>> predict(const Program& program);

}  // namespace stress
