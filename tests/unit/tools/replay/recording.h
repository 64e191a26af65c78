// SPDX-License-Identifier: Apache-2.0
// Traces for tests, call by call. Every call takes 1000 ns, every work 500 ns.
#pragma once

#include "replay/plan.h"
#include "trace/trace.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace ferry::tools::replay::testing {

constexpr uint64_t kHost = 0x7e0000000000;
constexpr uint64_t kDevice = 0x7f0000000000;

class Recording {
 public:
  trace::Trace trace;

  Recording& on_thread(uint64_t thread) {
    thread_ = thread;
    return *this;
  }
  Recording& pause(int64_t ns) {
    now_ += ns;
    return *this;
  }

  trace::Work& copy(int32_t stream, uint64_t dst, uint64_t src, uint64_t size,
                    trace::Direction direction = trace::Direction::kHostToDevice,
                    trace::Memory memory = trace::Memory::kPinned) {
    trace::Work& work = add_work(stream < 0 ? "aclrtMemcpy" : "aclrtMemcpyAsync", stream);
    work.kind = trace::Kind::kCopy;
    work.dst = dst;
    work.src = src;
    work.bytes = work.smallest = work.largest = size;
    work.direction = direction;
    work.memory = memory;
    return work;
  }
  /// Block `i` of `size` bytes, with a gap behind it.
  trace::Work& block(int32_t stream, uint64_t i, uint64_t size = 4096) {
    return copy(stream, kDevice + 2 * i * size, kHost + 2 * i * size, size);
  }
  trace::Work& record(int32_t stream, uint64_t marker) {
    trace::Work& work = add_work("aclrtRecordEvent", stream);
    work.kind = trace::Kind::kRecord;
    work.marker = marker;
    return work;
  }
  trace::Work& wait(int32_t stream, uint64_t marker) {
    trace::Work& work = add_work("aclrtStreamWaitEvent", stream);
    work.kind = trace::Kind::kWait;
    work.marker = marker;
    return work;
  }
  trace::Work& other(int32_t stream, trace::Kind kind) {
    trace::Work& work = add_work("aclrtLaunchKernel", stream);
    work.kind = kind;
    return work;
  }
  void synchronize(int32_t stream) { add_call("aclrtSynchronizeStream", stream); }
  void synchronize_device() { add_call("aclrtSynchronizeDevice", -1); }
  void synchronize_event(int32_t stream) { add_call("aclrtSynchronizeEvent", stream); }

  /// The plan, which must exist.
  Plan plan() const {
    std::string wrong;
    Plan result = make_plan(trace, wrong);
    EXPECT_EQ(wrong, "");
    return result;
  }

 private:
  trace::Call& add_call(const char* function, int32_t stream) {
    trace::Call call;
    call.begin = now_;
    call.end = now_ + 1000;
    now_ = call.end;
    call.thread = thread_;
    call.function = trace.texts.id_of(function);
    call.stream = stream;
    trace.calls.push_back(call);
    return trace.calls.back();
  }
  trace::Work& add_work(const char* function, int32_t stream) {
    trace::Call& call = add_call(function, stream);
    trace::Work work;
    work.number = trace.works.size() + 1;
    call.first_work = work.number;
    call.works = 1;
    work.submitted = call.begin + 100;
    work.begin = call.begin + 200;
    work.end = work.begin + 500;
    work.call_index = static_cast<uint32_t>(trace.calls.size() - 1);
    work.function = call.function;
    work.stream = stream;
    trace.works.push_back(work);
    return trace.works.back();
  }

  int64_t now_ = 0;
  uint64_t thread_ = 100;
};

}  // namespace ferry::tools::replay::testing
