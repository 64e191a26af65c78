// SPDX-License-Identifier: Apache-2.0
// Buffers between two threads, and works that are joined with their spans.
#include "layers/trace/buffer.h"
#include "layers/trace/joiner.h"
#include "layers/trace/kept_events.h"
#include "layers/trace/open_calls.h"
#include "layers/trace/tap_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace ferry::layers::trace {
namespace {

struct Recorded : Sink {
  std::string write(std::span<const ferryx_trace_event> written) override {
    for (const ferryx_trace_event& event : written) {
      if (event.kind == FERRYX_TRACE_WORK) events.push_back(event);
      if (event.kind != FERRYX_TRACE_CALL) continue;
      calls.push_back(std::to_string(event.begin) + " to " + std::to_string(event.end) +
                      (event.unfinished != 0 ? " unfinished" : ""));
    }
    return {};
  }
  std::string write_modules(std::span<const ferryx_trace_module> /*modules*/) override {
    return {};
  }
  std::string flush() override { return {}; }
  std::string write_unfinished(std::span<const ferryx_trace_event> events) override {
    return write(events);
  }
  std::string close(uint64_t /*dropped*/, const char* /*reason*/) override { return {}; }

  std::vector<ferryx_trace_event> events;  // works
  std::vector<std::string> calls;
};

FaultRecord numbered(uint64_t number) {
  return {{.size = sizeof(FaultRecord), .type = RecordType::kFault, .parts = 0}, number, 0, 0, 0};
}

TEST(TraceBuffer, HandsOverEverythingInOrderBetweenTwoThreads) {
  constexpr uint64_t kCount = 200'000;  // many times around
  const std::unique_ptr<Buffer> buffer = Buffer::make();
  std::thread producer([&] {
    for (uint64_t i = 0; i < kCount;) {
      if (buffer->push(numbered(i))) ++i;
    }
  });
  uint64_t next = 0;
  bool is_in_order = true;
  while (next < kCount) {
    buffer->drain([&](const Record& record) {
      is_in_order &= static_cast<const FaultRecord&>(record).correlation == next++;
    });
  }
  producer.join();
  EXPECT_TRUE(is_in_order);
  EXPECT_TRUE(buffer->is_empty());
}

TEST(TraceBuffer, RefusesWhatFindsNoRoom) {
  const std::unique_ptr<Buffer> buffer = Buffer::make();
  uint64_t pushed = 0;
  while (buffer->push(numbered(pushed)))
    ++pushed;
  EXPECT_GE(pushed, Buffer::kBytes / sizeof(FaultRecord) - 1);
  EXPECT_TRUE(buffer->is_half_full());
  uint64_t taken = 0;
  EXPECT_TRUE(buffer->drain([&](const Record& /*record*/) { ++taken; }));
  EXPECT_EQ(taken, pushed);
  EXPECT_FALSE(buffer->drain([](const Record& /*record*/) {}));
  EXPECT_TRUE(buffer->push(numbered(0)));
}

std::vector<OpenCall> calls_of(const OpenCalls& open) {
  std::vector<OpenCall> calls;
  open.read([&](const OpenCall& call) { calls.push_back(call); });
  return calls;
}

std::vector<int64_t> begins_of(const OpenCalls& open) {
  std::vector<int64_t> begins;
  for (const OpenCall& call : calls_of(open))
    begins.push_back(call.begin);
  return begins;
}

using Begins = std::vector<int64_t>;

// Frames of a stack that grows down.
const void* frame_at(uintptr_t address) {
  return reinterpret_cast<const void*>(address);
}

TEST(TraceOpenCalls, NestAndEnd) {
  OpenCalls open;
  const size_t outer = open.begin({.begin = 1}, frame_at(900));
  const size_t inner = open.begin({.begin = 2}, frame_at(800));
  EXPECT_EQ(begins_of(open), (Begins{1, 2}));
  open.end(inner);
  EXPECT_EQ(begins_of(open), Begins{1});
  open.end(outer);
  EXPECT_EQ(begins_of(open), Begins{});
}

TEST(TraceOpenCalls, TellWhatIsKnown) {
  OpenCalls open;
  const size_t place =
      open.begin({.function = "f", .begin = 1, .site = 7, .script = "s"}, frame_at(900));
  open.set_works(place, 40, 2);
  open.set_stream(place, 3);
  ASSERT_EQ(calls_of(open).size(), 1u);
  const OpenCall call = calls_of(open)[0];
  EXPECT_STREQ(call.function, "f");
  EXPECT_STREQ(call.script, "s");
  EXPECT_EQ(call.site, 7u);
  EXPECT_EQ(call.first_work, 40u);
  EXPECT_EQ(call.works, 2u);
  EXPECT_EQ(call.stream, 3);
}

TEST(TraceOpenCalls, ForgetThoseThatALongjmpHasLeft) {
  OpenCalls open;
  open.begin({.begin = 1}, frame_at(900));
  open.begin({.begin = 2}, frame_at(500));  // left: the next frame lies above
  open.begin({.begin = 3}, frame_at(800));
  EXPECT_EQ(begins_of(open), (Begins{1, 3}));
}

TEST(TraceOpenCalls, LeaveOutWhatIsTooDeep) {
  OpenCalls open;
  size_t deepest = 0;
  for (size_t i = 0; i <= OpenCalls::kMost; ++i)
    deepest = open.begin({.begin = static_cast<int64_t>(i + 1)}, frame_at(900 - i));
  open.set_works(deepest, 1, 1);
  open.end(deepest);
  EXPECT_EQ(begins_of(open).size(), OpenCalls::kMost);
  open.end(0);
  EXPECT_EQ(begins_of(open), Begins{});
}

TEST(TraceOpenCalls, AreReadWholeWhileTheirThreadGoesOn) {
  OpenCalls open;
  std::atomic<bool> is_over{false};
  std::thread caller([&] {
    for (uint64_t i = 1; i <= 200'000; ++i) {
      const auto begin = static_cast<int64_t>(i);
      open.end(open.begin({.begin = begin, .site = i}, frame_at(900)));
    }
    is_over.store(true);
  });
  bool is_whole = true;
  while (!is_over.load()) {
    open.read(
        [&](const OpenCall& call) { is_whole &= call.site == static_cast<uint64_t>(call.begin); });
  }
  caller.join();
  EXPECT_TRUE(is_whole);
}

class TraceJoiner : public ::testing::Test {
 protected:
  TraceJoiner() { queues_.add(queue_, 0, 3); }

  void submit(uint64_t number, uint64_t correlation, int64_t time, uint64_t run) {
    struct {
      WorkRecord work;
      RunPart run;
    } record{{{.size = sizeof record, .type = RecordType::kWork, .parts = kRunPart},
              number,
              start_ + time,
              correlation,
              queue_,
              "aclrtMemcpyAsync",
              64,
              0,
              0,
              0,
              FERRYX_COPIES,
              FERRYX_HOST_TO_DEVICE,
              FERRYX_MEMORY_PINNED,
              kNoPeer},
             {7, run}};
    joiner_.take(*buffer_, record.work);
  }
  void span(uint64_t correlation, int64_t begin, int64_t end) {
    joiner_.take(*buffer_,
                 SpanRecord{{.size = sizeof(SpanRecord), .type = RecordType::kSpan, .parts = 0},
                            queue_,
                            correlation,
                            start_ + begin,
                            start_ + end});
  }
  void call(int64_t begin, int64_t end) {
    CallRecord record{};
    record.size = sizeof record;
    record.type = RecordType::kCall;
    record.begin = start_ + begin;
    record.end = start_ + end;
    joiner_.take(*buffer_, record);
  }
  void open_call(int64_t begin) {
    std::vector<ThreadsCall> calls(1);
    calls[0].call.begin = start_ + begin;
    joiner_.begin_round(std::move(calls));
  }
  void fault(uint64_t correlation, int32_t code) {
    joiner_.take(*buffer_,
                 FaultRecord{{.size = sizeof(FaultRecord), .type = RecordType::kFault, .parts = 0},
                             correlation,
                             start_,
                             code,
                             0});
  }
  // "number: begin to end", with what is unusual behind it.
  std::vector<std::string> works() {
    joiner_.end_round(queues_.next_round());
    joiner_.end_round({});
    joiner_.finish(start_ + 1000);
    std::vector<std::string> texts;
    for (const ferryx_trace_event& event : sink_.events) {
      texts.push_back(std::to_string(event.work) + ": " + std::to_string(event.begin) + " to " +
                      std::to_string(event.end) + (event.unfinished != 0 ? " unfinished" : "") +
                      (event.result != 0 ? " " + std::to_string(event.result) : ""));
    }
    std::ranges::sort(texts);
    return texts;
  }

  ferryx_queue* const queue_ = reinterpret_cast<ferryx_queue*>(0x1000);
  Recorded sink_;
  EventList events_{sink_};
  KnownQueues queues_;
  const std::unique_ptr<Buffer> buffer_ = Buffer::make();
  const int64_t start_ = now() + 1'000'000;
  Joiner joiner_{events_, queues_, start_};
};

using Texts = std::vector<std::string>;

TEST_F(TraceJoiner, JoinsASpanThatIsDrainedBeforeItsWork) {
  span(5, 20, 30);
  joiner_.end_round({});
  submit(1, 5, 10, 0);
  EXPECT_EQ(works(), Texts{"1: 20 to 30"});
}

TEST_F(TraceJoiner, KeepsWorkWithoutASpanAsUnfinished) {
  submit(1, 5, 10, 0);
  submit(2, 6, 11, 0);
  span(6, 20, 30);
  EXPECT_EQ(works(), (Texts{"1: 10 to 10 unfinished", "2: 20 to 30"}));
}

TEST_F(TraceJoiner, GivesWorkTheCodeItFailedWith) {
  submit(1, 5, 10, 0);
  span(5, 20, 30);
  joiner_.end_round({});
  fault(5, 507001);
  EXPECT_EQ(works(), Texts{"1: 20 to 30 507001"});
}

TEST_F(TraceJoiner, TellsRunsOfAModelApart) {
  submit(1, 5, 10, 1);
  submit(2, 5, 100, 2);  // the first run was dropped before it came to the work
  submit(3, 5, 200, 3);
  span(5, 120, 130);
  span(5, 220, 230);
  EXPECT_EQ(works(), (Texts{"1: 10 to 10 unfinished", "2: 120 to 130", "3: 220 to 230"}));
}

TEST_F(TraceJoiner, TellsRunsApartWhoseSpansAreDrainedOutOfOrder) {
  for (uint64_t run = 1; run <= 3; ++run)
    submit(run, 5, static_cast<int64_t>(run) * 100, run);
  span(5, 320, 330);  // by another thread than the others
  joiner_.end_round({});
  span(5, 220, 230);
  span(5, 120, 130);
  EXPECT_EQ(works(), (Texts{"1: 120 to 130", "2: 220 to 230", "3: 320 to 330"}));
}

TEST_F(TraceJoiner, TellsRunsApartWhoseWorksAreDrainedOutOfOrder) {
  submit(3, 5, 300, 3);  // by another thread than the others
  submit(1, 5, 100, 1);
  submit(2, 5, 200, 2);
  span(5, 120, 130);
  span(5, 220, 230);
  span(5, 320, 330);
  EXPECT_EQ(works(), (Texts{"1: 120 to 130", "2: 220 to 230", "3: 320 to 330"}));
}

TEST_F(TraceJoiner, WritesCallsThatAreInProgressWhenTheTraceEnds) {
  open_call(10);
  joiner_.finish(start_ + 1000);
  EXPECT_EQ(sink_.calls, Texts{"10 to 1000 unfinished"});
}

TEST_F(TraceJoiner, WritesACallOnceThatEndsWhileTheBuffersAreDrained) {
  open_call(10);
  call(10, 20);
  joiner_.finish(start_ + 1000);
  EXPECT_EQ(sink_.calls, Texts{"10 to 20"});
}

TEST_F(TraceJoiner, WritesWhatHasBeenInProgressForLong) {
  open_call(100);
  submit(1, 5, 100, 0);
  submit(2, 6, 300, 0);
  Recorded sink;
  EventList unfinished{sink};
  joiner_.write_unfinished(start_ + 200, start_ + 400'000'000, unfinished);
  EXPECT_EQ(sink.calls, Texts{"100 to 400000000 unfinished"});
  ASSERT_EQ(sink.events.size(), 1u);
  EXPECT_EQ(sink.events[0].work, 1u);
  EXPECT_EQ(sink.events[0].unfinished, 1u);
  span(5, 320, 330);
  span(6, 330, 340);
  EXPECT_EQ(works(), (Texts{"1: 320 to 330", "2: 330 to 340"})) << "nothing has changed";
}

TEST_F(TraceJoiner, IgnoresWhatIsOlderThanTheTrace) {
  submit(1, 5, -10, 0);
  span(5, 20, 30);
  EXPECT_EQ(works(), Texts{});
}

TEST(TraceKeptEvents, KeepsArrowsWithBothTheirEndsOnly) {
  struct All : Recorded {
    std::string write(std::span<const ferryx_trace_event> written) override {
      for (const ferryx_trace_event& event : written) {
        if (event.kind == FERRYX_TRACE_EVENT_FLOW) arrows.push_back(event.work);
      }
      return Recorded::write(written);
    }
    std::vector<uint64_t> arrows;
  };
  All sink;
  KeptEvents kept(sink, 3);
  const auto put = [&](ferryx_trace_kind kind, uint64_t work, ferryx_work_kind of,
                       uint64_t marker) {
    ferryx_trace_event event{};
    event.kind = kind;
    event.work = work;
    event.work_kind = of;
    event.marker = marker;
    EXPECT_EQ(kept.write({&event, 1}), "");
  };
  // Three works are kept: the second record, and both waits.
  put(FERRYX_TRACE_WORK, 1, FERRYX_MARK, 7);
  put(FERRYX_TRACE_WORK, 2, FERRYX_MARK, 8);
  put(FERRYX_TRACE_WORK, 3, FERRYX_AWAIT, 7);
  put(FERRYX_TRACE_EVENT_FLOW, 3, FERRYX_COPIES, 7);
  put(FERRYX_TRACE_WORK, 4, FERRYX_AWAIT, 8);
  put(FERRYX_TRACE_EVENT_FLOW, 4, FERRYX_COPIES, 8);
  EXPECT_EQ(kept.flush(), "");
  EXPECT_EQ(sink.events.size(), 3u);
  EXPECT_EQ(sink.arrows, std::vector<uint64_t>{4});
  EXPECT_EQ(kept.overwritten(), 2u);
}

TEST(TraceKeptEvents, KeepsArrowsFromCallsThatAreKept) {
  Recorded sink;
  KeptEvents kept(sink, 1);  // and four other events
  const auto call = [&](uint64_t thread, int64_t begin) {
    ferryx_trace_event event{};
    event.kind = FERRYX_TRACE_CALL;
    event.thread = thread;
    event.begin = begin;
    EXPECT_EQ(kept.write({&event, 1}), "");
  };
  const auto submitter_of_work = [&](uint64_t thread, int64_t submitted) {
    ferryx_trace_event event{};
    event.kind = FERRYX_TRACE_WORK;
    event.submitter = thread;
    event.submitted = submitted;
    for (int64_t begin = 100; begin <= 400; begin += 100)
      call(5, begin);
    EXPECT_EQ(kept.write({&event, 1}), "");
    EXPECT_EQ(kept.flush(), "");
    return sink.events.back().submitter;
  };
  EXPECT_EQ(submitter_of_work(5, 110), 5u);
  EXPECT_EQ(submitter_of_work(5, 90), 0u);
  EXPECT_EQ(submitter_of_work(6, 110), 0u);
}

class TraceRanges : public ::testing::Test {
 protected:
  void take(NoteKind kind, uint64_t id, int64_t time) {
    struct {
      AnnotationRecord record;
      char texts[8];
    } range{{{.size = sizeof range, .type = RecordType::kAnnotation, .parts = 0},
             time,
             id,
             1,
             kind,
             -1,
             2,
             1,
             0},
            {static_cast<char>('a' + id), '\0', '\0'}};
    ranges_.take(range.record, 0, -1, events_);
  }
  // "begin 1 at 10", in the order of the file.
  std::vector<std::string> written() {
    events_.write();
    std::vector<std::string> texts;
    for (const auto& [kind, id, time] : sink_.ends) {
      texts.push_back((kind == FERRYX_TRACE_RANGE_BEGIN ? "begin " : "end ") + std::to_string(id) +
                      " at " + std::to_string(time));
    }
    return texts;
  }

  struct Ends : Recorded {
    std::string write(std::span<const ferryx_trace_event> written) override {
      for (const ferryx_trace_event& event : written)
        ends.emplace_back(event.kind, event.id, event.begin);
      return {};
    }
    std::vector<std::tuple<uint32_t, uint64_t, int64_t>> ends;
  };
  Ends sink_;
  EventList events_{sink_};
  Ranges ranges_;
};

TEST_F(TraceRanges, WritesTheBeginFirstWhenTheEndIsDrainedFirst) {
  take(NoteKind::kRangeEnd, 1, 20);
  take(NoteKind::kRangeStart, 1, 10);
  ranges_.finish(0, 100, events_);
  EXPECT_EQ(written(), (Texts{"begin 1 at 10", "end 1 at 20"}));
}

TEST_F(TraceRanges, EndsOpenOnesAndLeavesOutThoseThatBeganBefore) {
  take(NoteKind::kRangeEnd, 1, 20);
  take(NoteKind::kRangeStart, 2, 30);
  ranges_.finish(0, 100, events_);
  EXPECT_EQ(written(), (Texts{"begin 2 at 30", "end 2 at 100"}));
}

TEST_F(TraceRanges, EndsAStepThatBeginsAgain) {
  take(NoteKind::kRangeStart, 1, 10);
  take(NoteKind::kRangeStart, 1, 20);
  take(NoteKind::kRangeEnd, 1, 30);
  ranges_.finish(0, 100, events_);
  EXPECT_EQ(written(), (Texts{"begin 1 at 10", "end 1 at 20", "begin 1 at 20", "end 1 at 30"}));
}

TEST_F(TraceRanges, BoundsHowManyAreOpen) {
  for (uint64_t id = 0; id < 70'000; ++id)
    take(NoteKind::kRangeStart, id, 10);
  EXPECT_EQ(ranges_.dropped(), 70'000u - 65'536u);
}

}  // namespace
}  // namespace ferry::layers::trace
