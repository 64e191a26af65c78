// SPDX-License-Identifier: Apache-2.0
// What a thread remembers of its errors: the last runtime-layer code and the recent error. Also the
// name of the exported function the thread is in, which starts every text.
#pragma once

#include "base/error.h"

#include "acl/acl_base_rt.h"

#include <atomic>
#include <cstdint>

namespace ferry {

// What a thread is doing, and what it has queued. Access to memory of a thread costs a call, so
// callers keep the reference while they need it.
struct CallRecord {
  const char* function;         // the exported function it is in
  uint64_t correlation = 0;     // the next one
  void* last_stream = nullptr;  // the handle of the stream it has queued on last
  uint32_t last_task =
      UINT32_MAX;  // the number of its last task on another stream than a default one
};
CallRecord& call_record();

// Names the exported function for the texts written while it runs. Nests, because callbacks of the
// user may call the API again.
class CallScope {
 public:
  explicit CallScope(const char* function)
      : function_(call_record().function), previous_(function_) {
    function_ = function;
  }
  ~CallScope() { function_ = previous_; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  const char*& function_;  // of the thread
  const char* const previous_;
};

// The exported function this thread is in, "ferry" outside of any. The string lives forever.
const char* current_function();
// The thread has left all exported functions without their knowledge, with longjmp.
void leave_function();

// A number for work, unique in the process.
inline uint64_t next_correlation(CallRecord& record) {
  // Threads draw blocks, so that they seldom meet at the counter.
  constexpr uint64_t kBlock = uint64_t{1} << 16;
  static constinit std::atomic<uint64_t> next_block{1};
  if (record.correlation % kBlock == 0) [[unlikely]] {
    record.correlation = next_block.fetch_add(1, std::memory_order_relaxed) * kBlock;
  }
  return record.correlation++;
}

enum class TextScope { kThread, kProcess };
// Where aclGetRecentErrMsg looks: the thread's own text, or one text shared by the process.
void set_text_scope(TextScope scope);

// Whether a failure also becomes the thread's last error.
enum class LastError { kSet, kKeep };
// Keeps what was written to error_of_thread(): the functions of status.h call it.
void keep_error(LastError last_error);
Error& error_of_thread();

aclError peek_last_error();
aclError take_last_error();

// The recent text, which is cleared by asking; nullptr when nothing was recorded since. Valid until
// the thread asks again.
const char* take_recent_text();

// The latest error of the thread, whether its text was taken or not; its code is ACL_SUCCESS before
// the first failure. Valid until the next one.
const Error& recent_error();

}  // namespace ferry
