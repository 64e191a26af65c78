// SPDX-License-Identifier: Apache-2.0
// Passes known events to libferry_trace.so: write_trace PLUGIN PATH MODE.
//   check   says what is wrong with the path
//   all     one event of each kind, and odd texts
//   many N  N copies; prints each failure
//   names N marks with N different names
//   killed  flushes, writes more, and kills itself
//   open    flushes, adds what is in progress twice, writes more when END follows, and kills itself
#include "layers/trace/trace_plugin.h"

#include <dlfcn.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr uint64_t kThread = 4243;

const ferryx_trace_formats* formats_of(const char* plugin) {
  void* library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    std::exit(3);
  }
  return reinterpret_cast<ferryx_trace_entry>(dlsym(library, FERRYX_TRACE_ENTRY))();
}

ferryx_trace_event event_of(uint32_t kind, int64_t begin, int64_t end) {
  ferryx_trace_event event{};
  event.struct_size = sizeof event;
  event.kind = kind;
  event.begin = begin;
  event.end = end;
  event.device = -1;
  event.stream = -1;
  event.peer = -1;
  event.task = FERRYX_TRACE_NONE;
  event.model = FERRYX_TRACE_NONE;
  event.run = FERRYX_TRACE_NONE;
  return event;
}

ferryx_trace_event on_thread(uint32_t kind, const char* name, int64_t begin, int64_t end) {
  ferryx_trace_event event = event_of(kind, begin, end);
  event.thread = kThread;
  event.name = name;
  return event;
}

ferryx_trace_event work_of(uint64_t number, uint32_t kind, int64_t begin, int64_t end) {
  ferryx_trace_event event = event_of(FERRYX_TRACE_WORK, begin, end);
  event.device = 0;
  event.stream = 3;
  event.work = number;
  event.work_kind = kind;
  event.call = "aclrtMemcpyAsync";
  event.task = number + 10;
  event.correlation = number + 100;
  event.submitted = begin - 500;
  event.submitter = kThread;
  event.items = 1;
  return event;
}

ferryx_trace_event copy_of(uint64_t number, int64_t begin, uint64_t bytes) {
  ferryx_trace_event event = work_of(number, FERRYX_COPIES, begin, begin + 1000);
  event.bytes = event.smallest = event.largest = bytes;
  event.direction = "H2D";
  event.memory = "pinned";
  event.dst = 0x7f00a0001000;
  event.src = 0x1000;
  return event;
}

ferryx_trace_writer* open(const ferryx_trace_formats* formats, const char* path) {
  constexpr std::array<ferryx_trace_device, 2> kDevices = {
      {{0, "cpu", "CPU \"zero\"", 1 << 30}, {1, "cuda", "H200", uint64_t{140} << 30}}};
  constexpr std::array<const char*, 4> kArguments = {"prog", "--name=\xff\xfe", "a\"b\\c\n\x01",
                                                     nullptr};
  ferryx_trace_header header{};
  header.struct_size = sizeof header;
  header.ferry = "1.2.3";
  header.program = "/usr/bin/prog";
  header.arguments = kArguments.data();
  header.pid = 4242;
  header.clock = 123456789;
  header.started = 1'763'500'543'123'456'789;
  header.devices = kDevices.data();
  header.device_count = kDevices.size();
  header.soc = "Ascend910B1";
  header.cann = "8.5.0";
  header.schedule = "eager";
  header.check = 1;
  ferryx_trace_text room;
  ferryx_trace_writer* writer = nullptr;
  if (const char* wrong = formats->open(path, &header, &writer, &room)) {
    std::printf("%s\n", wrong);
    std::exit(1);
  }
  return writer;
}

std::vector<ferryx_trace_event> calls_and_work() {
  std::vector<ferryx_trace_event> events;
  ferryx_trace_event call = on_thread(FERRYX_TRACE_CALL, "aclrtMemcpyAsync", 1000, 3001);
  call.site = 0x401234;
  call.script = "main  a\"b.py:12";
  call.device = 0;
  call.stream = 3;
  call.work = 1;
  events.push_back(call);
  events.push_back(copy_of(1, 2000, 4096));

  call = on_thread(FERRYX_TRACE_CALL, "aclrtMemcpyBatchAsync", 4000, 6000);
  call.result = 107000;
  call.work = 2;
  call.works = 2;
  events.push_back(call);
  ferryx_trace_event batch = copy_of(2, 4600, 3 * 100);
  static const std::array<ferryx_copy, 3> items = {
      {{reinterpret_cast<void*>(0x10), reinterpret_cast<void*>(0x20), 50, nullptr, nullptr},
       {reinterpret_cast<void*>(0x11), reinterpret_cast<void*>(0x21), 100, nullptr, nullptr},
       {reinterpret_cast<void*>(0x12), reinterpret_cast<void*>(0x22), 150, nullptr, nullptr}}};
  batch.items = 3;
  batch.smallest = 50;
  batch.largest = 150;
  batch.neighbours = 1;
  batch.item_list = items.data();
  batch.model = 0;
  batch.run = 7;
  batch.hash = 0xabc;
  batch.result = 507011;
  events.push_back(batch);
  ferryx_trace_event rows = copy_of(3, 5600, 2048);
  rows.work_kind = FERRYX_ROWS;
  rows.items = 8;
  rows.smallest = rows.largest = 256;
  rows.dst_pitch = 512;
  rows.src_pitch = 256;
  rows.width = 256;
  rows.peer = 1;
  events.push_back(rows);

  ferryx_trace_event record = work_of(4, FERRYX_MARK, 7000, 7100);
  record.marker = 5;
  events.push_back(record);
  ferryx_trace_event wait = work_of(5, FERRYX_AWAIT, 6900, 7200);
  wait.stream = 4;
  wait.marker = 5;
  events.push_back(wait);
  ferryx_trace_event arrow = event_of(FERRYX_TRACE_EVENT_FLOW, 7100, 7200);
  arrow.device = 0;
  arrow.stream = 3;
  arrow.other_device = 0;
  arrow.other_stream = 4;
  arrow.work = 5;
  arrow.marker = 5;
  events.push_back(arrow);

  ferryx_trace_event kernel = work_of(6, FERRYX_KERNEL, 7300, 7400);
  kernel.name = "kernel add_custom";
  events.push_back(kernel);
  ferryx_trace_event unfinished = copy_of(7, 7500, 1 << 20);
  unfinished.end = unfinished.begin;
  unfinished.unfinished = 1;
  events.push_back(unfinished);
  ferryx_trace_event during = copy_of(8, 7700, 1536);
  during.thread = kThread;
  during.stream = -1;
  during.task = FERRYX_TRACE_NONE;
  during.memory = "pageable";
  events.push_back(during);
  call = on_thread(FERRYX_TRACE_CALL, "aclrtMemcpy", 7600, 8800);
  call.work = 8;
  events.push_back(call);
  return events;
}

std::vector<ferryx_trace_event> the_rest() {
  std::vector<ferryx_trace_event> events;
  ferryx_trace_event counter = event_of(FERRYX_TRACE_COUNTER, 9000, 9000);
  counter.device = 1;
  counter.name = "device memory";
  counter.bytes = 65536;
  events.push_back(counter);
  ferryx_trace_event memory = on_thread(FERRYX_TRACE_MEMORY, "alloc", 9100, 9100);
  memory.device = 0;
  memory.dst = 0x7f00b0000000;
  memory.bytes = 8192;
  events.push_back(memory);

  events.push_back(on_thread(FERRYX_TRACE_RANGE, "load \xf0\x9f\x9a\xa2 \xc3\xa9", 9200, 9300));
  ferryx_trace_event inner =
      on_thread(FERRYX_TRACE_RANGE, "bad \xc3( \xed\xa0\x80 \xc0\xaf", 9210, 9290);
  inner.domain = "io";
  events.push_back(inner);
  ferryx_trace_event range = on_thread(FERRYX_TRACE_RANGE_BEGIN, "across", 9400, 0);
  range.id = 77;
  events.push_back(range);
  range = on_thread(FERRYX_TRACE_RANGE_BEGIN, "open", 9450, 0);
  range.id = 78;
  events.push_back(range);
  // A range in a stream has the number of the host's.
  range = event_of(FERRYX_TRACE_RANGE_BEGIN, 9460, 0);
  range.device = 0;
  range.stream = 3;
  range.name = "across";
  range.id = 77;
  events.push_back(range);
  range = event_of(FERRYX_TRACE_RANGE_END, 0, 9520);
  range.device = 0;
  range.stream = 3;
  range.id = 77;
  events.push_back(range);
  range = event_of(FERRYX_TRACE_RANGE_END, 0, 9500);
  range.thread = kThread + 1;
  range.id = 77;
  events.push_back(range);
  events.push_back(on_thread(FERRYX_TRACE_MARK, "here\tand\r\x7f", 9600, 9600));
  ferryx_trace_event mark = event_of(FERRYX_TRACE_MARK, 9650, 9650);
  mark.device = 1;
  mark.stream = 9;
  mark.name = "in a stream";
  mark.domain = "io";
  events.push_back(mark);
  ferryx_trace_event finding = on_thread(FERRYX_TRACE_FINDING, "host-write-in-flight", 9700, 9700);
  finding.severity = "error";
  finding.text = "line 1\nline 2";
  events.push_back(finding);
  events.push_back(on_thread(FERRYX_TRACE_THREAD, "worker", 0, 0));
  events.push_back(on_thread(FERRYX_TRACE_CALL, "before the start", -1500, 10));
  static constexpr std::array<uint64_t, 2> kFrames = {0x401234, 0x402000};
  ferryx_trace_event stack = event_of(FERRYX_TRACE_STACK, 0, 0);
  stack.stack = 1;
  stack.frames = kFrames.data();
  stack.frame_count = kFrames.size();
  events.push_back(stack);
  ferryx_trace_event call = on_thread(FERRYX_TRACE_CALL, "with a stack", 9800, 9900);
  call.stack = 1;
  events.push_back(call);
  call = on_thread(FERRYX_TRACE_CALL, "in progress", 9950, 9990);
  call.unfinished = 1;
  events.push_back(call);
  return events;
}

int write_all(const ferryx_trace_formats* formats, const char* path) {
  ferryx_trace_text room;
  ferryx_trace_writer* writer = open(formats, path);
  const std::vector<ferryx_trace_event> first = calls_and_work();
  const std::vector<ferryx_trace_event> second = the_rest();
  constexpr std::array<ferryx_trace_module, 1> kModules = {
      {{"/usr/bin/prog", "abcdef", 0x400000, 0x500000, 0x1000}}};
  if (formats->write(writer, first.data(), first.size()) != nullptr) return 1;
  if (formats->modules(writer, kModules.data(), kModules.size()) != nullptr) return 1;
  if (formats->write(writer, second.data(), second.size()) != nullptr) return 1;
  return formats->close(writer, 11, "exit", &room) == nullptr ? 0 : 1;
}

int write_many(const ferryx_trace_formats* formats, const char* path, uint64_t count) {
  ferryx_trace_text room;
  ferryx_trace_writer* writer = open(formats, path);
  for (uint64_t i = 1; i <= count; ++i) {
    const ferryx_trace_event event = copy_of(i, static_cast<int64_t>(i) * 2000, 4096);
    if (const char* wrong = formats->write(writer, &event, 1)) {
      std::printf("%s\n", wrong);
      break;
    }
  }
  if (const char* wrong = formats->flush(writer)) std::printf("%s\n", wrong);
  if (const char* wrong = formats->close(writer, 0, "stop", &room)) std::printf("%s\n", wrong);
  return 0;
}

int write_names(const ferryx_trace_formats* formats, const char* path, uint64_t count) {
  ferryx_trace_text room;
  ferryx_trace_writer* writer = open(formats, path);
  for (uint64_t i = 0; i < count; ++i) {
    const std::string name = "name " + std::to_string(i);
    const ferryx_trace_event event = on_thread(FERRYX_TRACE_MARK, name.c_str(), 1000, 1000);
    if (formats->write(writer, &event, 1) != nullptr) return 1;
  }
  return formats->close(writer, 0, "stop", &room) == nullptr ? 0 : 1;
}

int write_and_die(const ferryx_trace_formats* formats, const char* path) {
  ferryx_trace_writer* writer = open(formats, path);
  for (uint64_t i = 1; i <= 5000; ++i) {
    const ferryx_trace_event event = copy_of(i, static_cast<int64_t>(i) * 2000, 4096);
    if (formats->write(writer, &event, 1) != nullptr) return 1;
    if (i == 3000 && formats->flush(writer) != nullptr) return 1;
  }
  std::raise(SIGKILL);
  return 1;
}

// The second time replaces the first, and so does what is written later.
int write_open_and_die(const ferryx_trace_formats* formats, const char* path, bool goes_on) {
  ferryx_trace_writer* writer = open(formats, path);
  const ferryx_trace_event first = copy_of(1, 2000, 4096);
  if (formats->write(writer, &first, 1) != nullptr) return 1;
  for (const int64_t until : {5000, 9000}) {
    ferryx_trace_event call = on_thread(FERRYX_TRACE_CALL, "aclrtSynchronizeStream", 3000, until);
    call.unfinished = 1;
    call.stream = 5;  // a lane that nothing else is on
    ferryx_trace_event copy = copy_of(2, 2500, 8192);
    copy.stream = 5;
    copy.end = copy.begin;
    copy.unfinished = 1;
    if (formats->flush(writer) != nullptr) return 1;
    for (const ferryx_trace_event& event : {call, copy}) {
      if (formats->write_unfinished(writer, &event, 1) != nullptr) return 1;
    }
  }
  if (goes_on) {
    const ferryx_trace_event second = copy_of(2, 9500, 8192);
    if (formats->write(writer, &second, 1) != nullptr) return 1;
    if (formats->flush(writer) != nullptr) return 1;
  }
  std::raise(SIGKILL);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const ferryx_trace_formats* formats = formats_of(argv[1]);
  const std::string mode = argv[3];
  if (mode == "all") return write_all(formats, argv[2]);
  if (mode == "many" && argc > 4)
    return write_many(formats, argv[2], std::strtoull(argv[4], nullptr, 10));
  if (mode == "names" && argc > 4)
    return write_names(formats, argv[2], std::strtoull(argv[4], nullptr, 10));
  if (mode == "killed") return write_and_die(formats, argv[2]);
  if (mode == "open") return write_open_and_die(formats, argv[2], argc > 4);
  if (mode != "check") return 2;
  ferryx_trace_text room;
  const char* wrong = formats->check(argv[2], &room);
  std::printf("%s\n", wrong != nullptr ? wrong : "");
  return 0;
}
