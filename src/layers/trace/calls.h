// SPDX-License-Identifier: Apache-2.0
// The layer that records calls.
#pragma once

#include "dispatch/dispatch_table.h"

#include <cstddef>
#include <cstdint>

namespace ferry::layers::trace {

// The table with this layer on top of `next`, which must stay valid. The layer is the outermost:
// call sites are found from its frames.
const DispatchTable& table_over(const DispatchTable& next);
// Another layer was pushed below this one.
void set_next(const DispatchTable& next);
const DispatchTable& next();

struct CallRecord;
struct ThreadState;

// A call that is recorded, on the stack of the layer's function. Nests: functions of the program
// that are called back may call the API again.
class RecordedCall {
 public:
  // `frame`: of the layer's function.
  explicit RecordedCall(const void* frame) noexcept;
  ~RecordedCall() {
    if (state_ != nullptr) end();
  }
  RecordedCall(const RecordedCall&) = delete;
  RecordedCall& operator=(const RecordedCall&) = delete;

  void set_result(int32_t code) { result_ = code; }
  // The stream that the function was given. Its id is looked up when the call has submitted no work
  // that says it; at once for a call that will wait for the stream, so that it is known meanwhile.
  void set_stream(void* handle) {
    has_stream_ = true;
    handle_ = handle;
  }
  void find_stream();

  // The call has asked for work: its function as the origin of the work names it.
  void add_work(uint64_t number, const char* function, int32_t stream);
  // The work with this number was refused; it was the last one.
  void remove_work(uint64_t number);
  // The trace ends because of this call: it is not one that the trace has lost the end of.
  void leave_out() noexcept;
  const char* function() const { return function_; }

 private:
  void end() noexcept;
  void note() noexcept;
  void note_with_stack(CallRecord& record) noexcept;

  ThreadState* state_;
  const void* const frame_;
  RecordedCall* outer_ = nullptr;
  size_t place_ = 0;  // among the open calls of the thread
  const char* function_ = nullptr;
  int64_t begin_ = 0;
  uint64_t site_ = 0;
  uint64_t first_work_ = 0;
  uint64_t last_work_ = 0;
  uint32_t works_ = 0;
  int32_t result_ = 0;
  int32_t stream_ = -1;
  bool has_stream_ = false;
  bool is_left_out_ = false;
  void* handle_ = nullptr;
};

}  // namespace ferry::layers::trace
