// SPDX-License-Identifier: Apache-2.0
// Slots that note what passes. Handles do not say which table they belong to, so each table has its
// own copy of the slots, which know it; what they do is in functions that all copies share.
#include "layers/trace/tap.h"

#include "layers/trace/calls.h"
#include "layers/trace/recorder.h"
#include "layers/trace/services.h"
#include "layers/trace/tap_state.h"
#include "layers/trace/work_note.h"

#include "acl/acl_base_rt.h"

#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <string_view>

namespace ferry::layers::trace {
namespace {

// ---- work ----

void note_marker(WorkNote& note, const ferryx_work& work) {
  const bool is_record = work.kind == FERRYX_MARK;
  MarkerNumbers& numbers = marker_numbers();
  const ferryx_marker* const marker = work.as.marker.marker;
  try {
    note.add(kMarkerPart,
             MarkerPart{is_record ? numbers.of_record(marker) : numbers.of_wait(marker)});
  } catch (const std::bad_alloc&) {
    return;  // without a number there is no arrow
  }
}

// Inside a model, a record and the wait for it are a flag. It is noted as what the program knows;
// notifies stay notifies.
void note_fork_or_join(WorkNote& note, const ferryx_work& work, const ThreadState& state) {
  if (state.run == 0 || (work.kind != FERRYX_SET_FLAG && work.kind != FERRYX_TAKE_FLAG)) return;
  const std::string_view call = work.origin.call != nullptr ? work.origin.call : "";
  if (call.find("Event") == std::string_view::npos) return;
  try {
    const uint64_t number = marker_numbers().of_flag(work.as.flag.flag, state.model, state.run);
    note.add(kMarkerPart, MarkerPart{number});
    note.record().kind = work.kind == FERRYX_SET_FLAG ? FERRYX_MARK : FERRYX_AWAIT;
  } catch (const std::bad_alloc&) {
    return;
  }
}

// Parts that come behind those of describe().
void note_rest(WorkNote& note, const ferryx_work& work) {
  note.add_contents(work, Recorder::options());
  if (work.kind == FERRYX_KERNEL && work.as.kernel.name != nullptr) {
    note.add_kernel_name(work.as.kernel.name);
  }
  if (work.kind == FERRYX_MARK || work.kind == FERRYX_AWAIT) note_marker(note, work);
}

// Invariant: work is noted before the table below has it, so that a span is never noted before its
// work. Work that is refused then is taken back.
class Submission {
 public:
  Submission(const ferryx_queue* queue, const ferryx_work& work)
      : queue_(queue), correlation_(work.origin.correlation) {
    if (correlation_ != 0 && Recorder::is_recording()) note(work);
  }
  int is_over(int code) {
    if (code != ACL_SUCCESS && number_ != 0) take_back();
    return code;
  }

 private:
  void note(const ferryx_work& work) {
    state_ = thread_state();
    if (state_ == nullptr) return;
    WorkNote note(queue_, work);
    note.describe(work);
    if (state_->run != 0) note.add(kRunPart, RunPart{state_->model, state_->run});
    note_rest(note, work);
    note_fork_or_join(note, work, *state_);
    number_ = Recorder::next_work();
    note.record().number = number_;
    note.record().submitted = now();
    if (state_->call != nullptr) {
      note.record().parts |= kInCall;
      state_->call->add_work(number_, work.origin.call, work.origin.stream);
    }
    state_->note(note.record());
  }

  void take_back() {
    if (state_->call != nullptr) state_->call->remove_work(number_);
    state_->note(
        RefusedRecord{{.size = sizeof(RefusedRecord), .type = RecordType::kRefused, .parts = 0},
                      correlation_,
                      queue_,
                      number_});
  }

  const ferryx_queue* const queue_;
  const uint64_t correlation_;
  ThreadState* state_ = nullptr;
  uint64_t number_ = 0;  // 0: it is not recorded
};

int execute(const ferryx_backend& inner, ferryx_device* device, const ferryx_work& work) {
  ThreadState* const state =
      work.origin.correlation != 0 && Recorder::is_recording() ? thread_state() : nullptr;
  if (state == nullptr) return inner.device_execute(device, &work);
  WorkNote note(nullptr, work);
  note.describe(work);
  ExecutedPart executed{
      .begin = now(), .end = 0, .device = services().device_of(device), .result = 0};
  executed.result = inner.device_execute(device, &work);
  executed.end = now();
  note.add(kExecutedPart, executed);
  note_rest(note, work);
  note.record().number = Recorder::next_work();
  note.record().submitted = executed.begin;
  if (state->call != nullptr) {
    state->call->add_work(note.record().number, work.origin.call, work.origin.stream);
  }
  state->note(note.record());
  return executed.result;
}

void note_span(void* queue, const ferryx_span* span) {
  if (span->correlation == 0) return;
  ThreadState* const state = thread_state();
  if (state == nullptr) return;
  state->note(SpanRecord{{.size = sizeof(SpanRecord), .type = RecordType::kSpan, .parts = 0},
                         static_cast<const ferryx_queue*>(queue),
                         span->correlation,
                         static_cast<int64_t>(span->begin),
                         static_cast<int64_t>(span->end)});
}

// ---- memory ----

void note_memory(const char* what, int32_t device, const void* address, uint64_t size) {
  if (!Recorder::is_recording()) return;
  ThreadState* const state = thread_state();
  if (state == nullptr) return;
  state->note(MemoryRecord{{.size = sizeof(MemoryRecord), .type = RecordType::kMemory, .parts = 0},
                           what,
                           now(),
                           reinterpret_cast<uint64_t>(address),
                           size,
                           device,
                           0});
}

int noted(int code, const char* what, const ferryx_device* device, const ferryx_memory& memory) {
  if (code == ACL_SUCCESS) {
    note_memory(what, services().device_of(device), memory.address, memory.size);
  }
  return code;
}

// ---- the slots ----

template <size_t kTable>
struct Slots {
  static inline const ferryx_backend* inner = nullptr;  // constant once set
  static inline ferryx_backend table;

  static int queue_submit(ferryx_queue* queue, const ferryx_work* work) {
    Submission submission(queue, *work);
    return submission.is_over(inner->queue_submit(queue, work));
  }
  static int queue_submit_run(ferryx_queue* queue, const ferryx_work* work, const ferryx_run* run) {
    Submission submission(queue, *work);
    return submission.is_over(inner->queue_submit_run(queue, work, run));
  }
  // One by one: what is refused must be known.
  static int queue_submit_all(ferryx_queue* queue, const ferryx_work* works, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (const int code = queue_submit(queue, works + i); code != ACL_SUCCESS) return code;
    }
    return ACL_SUCCESS;
  }
  static int device_execute(ferryx_device* device, const ferryx_work* work) {
    return execute(*inner, device, *work);
  }
  static int memory_alloc(ferryx_device* device, uint64_t size, uint32_t policy,
                          ferryx_memory* memory) {
    return noted(inner->memory_alloc(device, size, policy, memory), "alloc", device, *memory);
  }
  static void memory_free(ferryx_device* device, const ferryx_memory* memory) {
    noted(ACL_SUCCESS, "free", device, *memory);
    inner->memory_free(device, memory);
  }
  static int managed_alloc(ferryx_device* device, uint64_t size, ferryx_memory* memory) {
    return noted(inner->managed_alloc(device, size, memory), "alloc", device, *memory);
  }
  static void managed_free(ferryx_device* device, const ferryx_memory* memory) {
    noted(ACL_SUCCESS, "free", device, *memory);
    inner->managed_free(device, memory);
  }
  static int host_alloc(ferryx_device* device, uint64_t size, ferryx_memory* memory) {
    return noted(inner->host_alloc(device, size, memory), "host alloc", device, *memory);
  }
  static void host_free(ferryx_device* device, const ferryx_memory* memory) {
    noted(ACL_SUCCESS, "host free", device, *memory);
    inner->host_free(device, memory);
  }
  static int host_register(ferryx_device* device, void* address, uint64_t size,
                           ferryx_memory* mapped) {
    const int code = inner->host_register(device, address, size, mapped);
    if (code == ACL_SUCCESS) {
      note_memory("register", services().device_of(device), address, size);
    }
    return code;
  }
  static void host_unregister(ferryx_device* device, void* address, uint64_t size,
                              const ferryx_memory* mapped) {
    note_memory("unregister", services().device_of(device), address, size);
    inner->host_unregister(device, address, size, mapped);
  }
  static int address_reserve(ferryx_instance* instance, uint64_t size, uint64_t alignment,
                             void* wanted, ferryx_memory* range) {
    const int code = inner->address_reserve(instance, size, alignment, wanted, range);
    if (code == ACL_SUCCESS) note_memory("reserve", -1, range->address, range->size);
    return code;
  }
  static void address_release(ferryx_instance* instance, const ferryx_memory* range) {
    note_memory("release", -1, range->address, range->size);
    inner->address_release(instance, range);
  }
  static int physical_map(ferryx_device* device, ferryx_physical* physical,
                          const ferryx_memory* range, uint64_t offset, uint64_t size,
                          ferryx_memory* mapped) {
    return noted(inner->physical_map(device, physical, range, offset, size, mapped), "map", device,
                 *mapped);
  }
  static int physical_unmap(ferryx_device* device, const ferryx_memory* mapped) {
    return noted(inner->physical_unmap(device, mapped), "unmap", device, *mapped);
  }
  static int memory_export(ferryx_device* device, const ferryx_memory* memory,
                           ferryx_shared* shared) {
    return noted(inner->memory_export(device, memory, shared), "export", device, *memory);
  }
  static int physical_export(ferryx_device* device, ferryx_physical* physical,
                             ferryx_shared* shared) {
    const int code = inner->physical_export(device, physical, shared);
    if (code == ACL_SUCCESS) {
      note_memory("export", services().device_of(device), nullptr, shared->size);
    }
    return code;
  }
  static int physical_import(ferryx_device* device, const ferryx_shared* shared,
                             ferryx_physical** physical) {
    const int code = inner->physical_import(device, shared, physical);
    if (code == ACL_SUCCESS) {
      note_memory("import", services().device_of(device), nullptr, shared->size);
    }
    return code;
  }
  static int marker_create(ferryx_device* device, ferryx_marker** marker) {
    const int code = inner->marker_create(device, marker);
    if (code == ACL_SUCCESS) marker_numbers().note_made(*marker);
    return code;
  }

  // Slots that the table below lacks stay absent.
  static const ferryx_backend* put_over(const ferryx_backend* below) {
    inner = below;
    table = *below;
    const auto replace = [](auto& slot, auto own) {
      if (slot != nullptr) slot = own;
    };
    replace(table.queue_submit, queue_submit);
    replace(table.queue_submit_run, queue_submit_run);
    replace(table.queue_submit_all, queue_submit_all);
    replace(table.device_execute, device_execute);
    replace(table.memory_alloc, memory_alloc);
    replace(table.memory_free, memory_free);
    replace(table.managed_alloc, managed_alloc);
    replace(table.managed_free, managed_free);
    replace(table.host_alloc, host_alloc);
    replace(table.host_free, host_free);
    replace(table.host_register, host_register);
    replace(table.host_unregister, host_unregister);
    replace(table.address_reserve, address_reserve);
    replace(table.address_release, address_release);
    replace(table.physical_map, physical_map);
    replace(table.physical_unmap, physical_unmap);
    replace(table.memory_export, memory_export);
    replace(table.physical_export, physical_export);
    replace(table.physical_import, physical_import);
    replace(table.marker_create, marker_create);
    return &table;
  }
};

using PutOver = const ferryx_backend* (*)(const ferryx_backend* below);
struct Tap {
  const ferryx_backend* below = nullptr;
  const ferryx_backend* table = nullptr;
};

constexpr PutOver kPutOver[] = {Slots<0>::put_over, Slots<1>::put_over, Slots<2>::put_over,
                                Slots<3>::put_over};

}  // namespace

const ferryx_backend* tap_over(const ferryx_backend* inner) {
  static constinit std::mutex mutex;
  static constinit std::array<Tap, std::size(kPutOver)> taps;
  const std::lock_guard lock(mutex);
  for (size_t i = 0; i < taps.size(); ++i) {
    Tap& tap = taps[i];
    if (tap.below == nullptr) tap = {inner, kPutOver[i](inner)};
    if (tap.below == inner) return tap.table;
  }
  return inner;
}

// ---- queues, runs, failures ----

void queue_is_there(const ferryx_backend* backend, ferryx_queue* queue, int32_t device,
                    int32_t stream) {
  known_queues().add(queue, device, stream);
  if (backend->queue_observe == nullptr) return;
  // A queue that cannot report has works without an end.
  static_cast<void>(backend->queue_observe(queue, note_span, queue));
}

void queue_ends(const ferryx_backend* backend, ferryx_queue* queue) {
  if (backend->queue_observe != nullptr) {
    static_cast<void>(backend->queue_observe(queue, nullptr, nullptr));
  }
  known_queues().end(queue);
}

void run_is(uint64_t model, uint64_t run) {
  ThreadState* const state = thread_state();
  if (state == nullptr) return;
  state->model = model;
  state->run = run;
}

void work_failed(uint64_t correlation, int32_t code) {
  ThreadState* const state = correlation != 0 ? thread_state() : nullptr;
  if (state == nullptr) return;
  state->note(FaultRecord{{.size = sizeof(FaultRecord), .type = RecordType::kFault, .parts = 0},
                          correlation,
                          now(),
                          code,
                          0});
}

MarkerNumbers& marker_numbers() {
  static auto* const instance = new MarkerNumbers;
  return *instance;
}

KnownQueues& known_queues() {
  static auto* const instance = new KnownQueues;
  return *instance;
}

}  // namespace ferry::layers::trace
