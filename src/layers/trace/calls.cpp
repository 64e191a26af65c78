// SPDX-License-Identifier: Apache-2.0
// Records begin, end, result, place and work of calls, for all functions of the list alike.
#include "layers/trace/calls.h"

#include "base/call_stack.h"
#include "base/error_state.h"
#include "base/script_place.h"
#include "dispatch/parameters.h"
#include "layers/trace/call_site.h"
#include "layers/trace/recorder.h"
#include "layers/trace/services.h"

#include <string_view>
#include <type_traits>

namespace ferry::layers::trace {
namespace {

std::atomic<const DispatchTable*> next_table{nullptr};

}  // namespace

RecordedCall::RecordedCall(const void* frame) noexcept
    : state_(Recorder::is_recording() ? thread_state() : nullptr), frame_(frame) {
  if (state_ == nullptr) return;
  outer_ = state_->call;
  state_->call = this;
  function_ = current_function();
  site_ = call_site(frame);
  begin_ = now();
  place_ = state_->buffer->open_calls.begin(
      {.function = function_, .begin = begin_, .site = site_, .script = script_place}, frame_);
}

void RecordedCall::find_stream() {
  if (state_ == nullptr) return;
  stream_ = services().stream_of(handle_);
  state_->buffer->open_calls.set_stream(place_, stream_);
}

void RecordedCall::add_work(uint64_t number, const char* function, int32_t stream) {
  // A lane of a model, or a task of another thread that a schedule runs here, names another call.
  if (function != function_) return;
  if (works_++ == 0) first_work_ = number;
  last_work_ = number;
  if (stream >= 0) stream_ = stream;
  state_->buffer->open_calls.set_works(place_, first_work_, works_);
}

void RecordedCall::remove_work(uint64_t number) {
  if (works_ == 0 || last_work_ != number) return;  // it was not counted
  last_work_ = 0;
  --works_;
  state_->buffer->open_calls.set_works(place_, first_work_, works_);
}

void RecordedCall::leave_out() noexcept {
  state_->buffer->open_calls.end(place_);
  is_left_out_ = true;
}

// The record comes before the end of the open call: the writer thread, which looks at open calls
// before it drains, finds one of them. So a call is also noted when the trace has just stopped.
void RecordedCall::end() noexcept {
  state_->call = outer_;
  if (is_left_out_ || Recorder::is_in_child()) return;
  note();
  state_->buffer->open_calls.end(place_);
}

void RecordedCall::note() noexcept {
  const int64_t end = now();
  if (stream_ < 0 && has_stream_) stream_ = services().stream_of(handle_);
  CallRecord record{{.size = sizeof(CallRecord), .type = RecordType::kCall, .parts = 0},
                    function_,
                    begin_,
                    end,
                    site_,
                    first_work_,
                    works_,
                    result_,
                    stream_,
                    0,
                    script_place};
  if (Recorder::wants_stacks()) [[unlikely]] {
    note_with_stack(record);
  } else {
    state_->note(record);
  }
}

// Apart, so that only calls with stacks need room for them.
[[gnu::noinline]] void RecordedCall::note_with_stack(CallRecord& record) noexcept {
  uintptr_t frames[kMostFrames];
  const auto here = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  const size_t size = take_call_stack(here, frames, own_code()) * sizeof frames[0];
  record.size += static_cast<uint32_t>(size);
  state_->note(record, sizeof record, frames, size);
}

namespace {

// `Keep(call), code` notes the code of a function that returns one, and passes it on. For all other
// types, void included, it is the comma of the language. The constructor tells compilers that the
// left side is there for a reason.
struct Keep {
  explicit Keep(RecordedCall& of_call) : call(of_call) {}
  RecordedCall& call;
};
template <class T>
T operator,(const Keep& keep, T value) {
  if constexpr (std::is_same_v<T, aclError>) keep.call.set_result(value);
  return value;
}

template <size_t kPlace, bool kWaits>
void note_stream(RecordedCall& call, const Words& words) {
  if constexpr (kPlace != Parameters::kNone) {
    call.set_stream(reinterpret_cast<void*>(words[kPlace]));
    if constexpr (kWaits) call.find_stream();
  }
}

consteval bool waits(std::string_view function) {
  return function.find("Synchronize") != std::string_view::npos;
}

#define FERRY_API(ret, name, params, args, failure)                                \
  ret name params {                                                                \
    RecordedCall call(__builtin_frame_address(0));                                 \
    note_stream<parameters_of(#params).stream, waits(#name)>(call, words_of args); \
    return Keep{call}, next_table.load(std::memory_order_relaxed)->name args;      \
  }
#include "dispatch/api_list.def"

}  // namespace

const DispatchTable& table_over(const DispatchTable& next) {
  next_table.store(&next, std::memory_order_release);
  static constexpr DispatchTable kTable{
#define FERRY_API(ret, name, params, args, failure) .name = name,
#include "dispatch/api_list.def"
  };
  return kTable;
}

void set_next(const DispatchTable& next) {
  next_table.store(&next, std::memory_order_release);
}

const DispatchTable& next() {
  return *next_table.load(std::memory_order_acquire);
}

}  // namespace ferry::layers::trace
