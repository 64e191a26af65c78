// SPDX-License-Identifier: Apache-2.0
// Perfetto's protobuf traces: the events of the JSON form, as slices, instants and counters on
// tracks.
#include "plugins/trace/format.h"
#include "plugins/trace/perfetto_tracks.h"
#include "plugins/trace/words.h"

#include <algorithm>

namespace ferry::plugins::trace {
namespace {

constexpr uint64_t kMostFlows = 4096;  // of a call

// Sequences of packets. What is taken out of the file again has one of its own, which begins anew
// each time: nothing that stays may rely on it.
constexpr uint32_t kForGood = 1;
constexpr uint32_t kForNow = 2;

// An arrow from a call to its work. The thread is part of it: a call only knows how many works it
// has submitted, and other threads may have submitted some in between.
uint64_t submit_flow(uint64_t thread, uint64_t work) {
  return thread << 40 | work;
}

// From a record to all waits for it.
uint64_t marker_flow(uint64_t marker) {
  return uint64_t{1} << 63 | marker;
}

void add_device(const ferryx_trace_device& device, Annotation& members) {
  members.member("id", [&](Annotation& value) { value.number(int64_t{device.id}); });
  members.member("kind", [&](Annotation& value) { value.text(or_empty(device.kind)); });
  members.member("name", [&](Annotation& value) { value.text(or_empty(device.name)); });
  members.member("memory", [&](Annotation& value) { value.number(device.memory); });
}

void add_module(const ferryx_trace_module& one, Annotation& members) {
  members.member("path", [&](Annotation& value) { value.text(or_empty(one.path)); });
  members.member("build_id", [&](Annotation& value) { value.text(or_empty(one.build_id)); });
  members.member("begin", [&](Annotation& value) { value.address(one.begin); });
  members.member("end", [&](Annotation& value) { value.address(one.end); });
  members.member("offset", [&](Annotation& value) { value.address(one.offset); });
}

void add_arguments(const char* const* arguments, Annotation& list) {
  for (const char* const* one = arguments; *one != nullptr; ++one)
    list.element([&](Annotation& value) { value.text(*one); });
}

void add_address(const void* address, Annotation& list) {
  list.element([&](Annotation& value) { value.address(reinterpret_cast<uintptr_t>(address)); });
}

class PerfettoFormat : public Format {
 public:
  PerfettoFormat(Bytes& bytes, uint32_t sequence) : packets_(bytes, sequence), tracks_(packets_) {}
  void begin(const ferryx_trace_header& header) override;
  void add(const ferryx_trace_event& event) override;
  void add_unfinished(std::span<const ferryx_trace_event> events) override;
  void add_modules(const ferryx_trace_module* modules, size_t count) override;
  void end(uint64_t dropped, const char* reason) override;

 private:
  void head(int32_t type, const ferryx_trace_event& event, std::string_view category,
            std::string_view name);
  // Ends what was begun, in the simplest case.
  void send_until(const ferryx_trace_event& event, uint64_t flow);
  void call(const ferryx_trace_event& event);
  void stack(const ferryx_trace_event& event);
  void add_unfinished_mark();
  void work(const ferryx_trace_event& event);
  void work_members(const ferryx_trace_event& event);
  void item_list(const ferryx_trace_event& event);
  void counter(const ferryx_trace_event& event);
  void instant(const ferryx_trace_event& event);
  void range(const ferryx_trace_event& event);
  void open_range(const ferryx_trace_event& event);
  void close_range(const ferryx_trace_event& event);
  void global(std::string_view name, int64_t time);

  PerfettoPackets packets_;
  PerfettoTracks tracks_;
  int64_t latest_ = 0;
};

void PerfettoFormat::global(std::string_view name, int64_t time) {
  packets_.event(fields::event::kInstant, tracks_.host(), time);
  packets_.name(name);
}

void PerfettoFormat::begin(const ferryx_trace_header& header) {
  packets_.set_clock(header.clock);
  tracks_.begin(header);
  global("ferry_trace", 0);
  packets_.number("format", 1U);
  packets_.text("ferry", or_empty(header.ferry));
  packets_.text("program", or_empty(header.program));
  // A list without elements would be a name without a value.
  if (header.arguments != nullptr && *header.arguments != nullptr) {
    packets_.annotation("arguments",
                        [&](Annotation& list) { add_arguments(header.arguments, list); });
  }
  packets_.number("pid", header.pid);
  packets_.text("started", text_of_time(header.started));
  packets_.number("clock", header.clock);
  if (header.device_count > 0) {
    packets_.annotation("devices", [&](Annotation& list) {
      for (size_t i = 0; i < header.device_count; ++i)
        list.element([&](Annotation& members) { add_device(header.devices[i], members); });
    });
  }
  packets_.text("soc", or_empty(header.soc));
  packets_.text("cann", or_empty(header.cann));
  packets_.text("schedule", or_empty(header.schedule));
  packets_.annotation("check", [&](Annotation& value) { value.truth(header.check != 0); });
  packets_.annotation("items", [&](Annotation& value) { value.truth(header.has_items != 0); });
  packets_.annotation("contents",
                      [&](Annotation& value) { value.truth(header.has_contents != 0); });
  packets_.send();
}

void PerfettoFormat::add(const ferryx_trace_event& event) {
  latest_ = std::max({latest_, event.begin, event.end});
  switch (event.kind) {
    case FERRYX_TRACE_CALL:
      return call(event);
    case FERRYX_TRACE_WORK:
      return work(event);
    case FERRYX_TRACE_COUNTER:
      return counter(event);
    case FERRYX_TRACE_RANGE:
      return range(event);
    case FERRYX_TRACE_RANGE_BEGIN:
      return open_range(event);
    case FERRYX_TRACE_RANGE_END:
      return close_range(event);
    case FERRYX_TRACE_MEMORY:
    case FERRYX_TRACE_MARK:
    case FERRYX_TRACE_FINDING:
      return instant(event);
    case FERRYX_TRACE_THREAD:
      return tracks_.name_thread(event.thread, or_empty(event.name));
    case FERRYX_TRACE_DEVICE:
      return tracks_.name_device(event.device, or_empty(event.name));
    case FERRYX_TRACE_STREAM:
      return tracks_.name_stream(event.device, event.stream, or_empty(event.name));
    case FERRYX_TRACE_STACK:
      return stack(event);
    default:
      return;  // FERRYX_TRACE_EVENT_FLOW: record and wait name their marker. Others: of a newer
               // library
  }
}

void PerfettoFormat::add_unfinished(std::span<const ferryx_trace_event> events) {
  PerfettoFormat writer(packets_.bytes(), kForNow);
  writer.packets_.set_clock(packets_.clock());
  writer.tracks_.continue_process(tracks_);
  for (const ferryx_trace_event& event : events)
    writer.add(event);
}

void PerfettoFormat::head(int32_t type, const ferryx_trace_event& event, std::string_view category,
                          std::string_view name) {
  packets_.event(type, tracks_.of(event), event.begin);
  packets_.category(category);
  packets_.name(name);
}

// Sends the begin of a slice and its end, which gets the flow unless it is 0.
void PerfettoFormat::send_until(const ferryx_trace_event& event, uint64_t flow) {
  packets_.send();
  packets_.event(fields::event::kSliceEnd, tracks_.of(event), std::max(event.begin, event.end));
  if (flow != 0) packets_.flow(flow);
  packets_.send();
}

void PerfettoFormat::call(const ferryx_trace_event& event) {
  head(fields::event::kSliceBegin, event, "call", or_empty(event.name));
  if (event.result != 0) packets_.number("result", event.result);
  if (event.site != 0) packets_.address("site", event.site);
  if (event.script != nullptr) packets_.text("script", event.script);
  if (event.stream >= 0) packets_.number("stream", event.stream);
  if (event.works > 1) packets_.number("works", event.works);
  if (event.stack != 0) packets_.number("stack", event.stack);
  if (event.unfinished != 0) add_unfinished_mark();
  if (event.work != 0) {
    packets_.number("work", event.work);
    const uint64_t count = std::clamp<uint64_t>(event.works, 1, kMostFlows);
    for (uint64_t i = 0; i < count; ++i)
      packets_.flow(submit_flow(event.thread, event.work + i));
  }
  send_until(event, 0);
}

void PerfettoFormat::work(const ferryx_trace_event& event) {
  char room[128];
  head(fields::event::kSliceBegin, event, "work", name_of_work(event, room));
  work_members(event);
  if (event.item_list != nullptr) item_list(event);
  if (has_submit_arrow(event)) packets_.flow(submit_flow(event.submitter, event.work));
  uint64_t end_flow = 0;
  if (event.marker != 0 && event.work_kind == FERRYX_MARK) packets_.flow(marker_flow(event.marker));
  // Perfetto orders the ends of an arrow by time, and a wait may begin before the record.
  if (event.marker != 0 && event.work_kind == FERRYX_AWAIT) end_flow = marker_flow(event.marker);
  send_until(event, end_flow);
}

void PerfettoFormat::work_members(const ferryx_trace_event& event) {
  packets_.number("work", event.work);
  if (event.call != nullptr) packets_.text("call", event.call);
  if (event.task != FERRYX_TRACE_NONE) packets_.number("task", event.task);
  if (event.stream >= 0) packets_.number("stream", event.stream);
  packets_.number("device", std::max(event.device, 0));
  if (event.correlation != 0) packets_.number("correlation", event.correlation);
  packets_.text("kind", word_of_kind(event));
  if (event.bytes != 0) packets_.number("bytes", event.bytes);
  if (event.items > 1) packets_.number("items", event.items);
  if (event.items > 1 && event.smallest != event.largest) {
    packets_.number("smallest", event.smallest);
    packets_.number("largest", event.largest);
  }
  if (event.neighbours != 0) packets_.number("neighbours", event.neighbours);
  if (event.direction != nullptr) packets_.text("direction", event.direction);
  if (event.memory != nullptr) packets_.text("memory", event.memory);
  if (event.dst != 0) packets_.address("dst", event.dst);
  if (event.src != 0) packets_.address("src", event.src);
  if (event.width != 0) {
    packets_.number("dst_pitch", event.dst_pitch);
    packets_.number("src_pitch", event.src_pitch);
    packets_.number("width", event.width);
  }
  if (event.peer >= 0) packets_.number("peer", event.peer);
  if (event.marker != 0) packets_.number("marker", event.marker);
  packets_.annotation("submitted", [&](Annotation& value) {
    constexpr double kMicrosecond = 1000;
    value.decimal(static_cast<double>(event.submitted) / kMicrosecond);
  });
  if (const double gbps = gbps_of(event); gbps > 0) {
    packets_.annotation("gbps", [&](Annotation& value) { value.decimal(gbps); });
  }
  if (event.result != 0) packets_.number("result", event.result);
  if (event.model != FERRYX_TRACE_NONE) packets_.number("model", event.model);
  if (event.run != FERRYX_TRACE_NONE) packets_.number("run", event.run);
  if (event.hash != 0) packets_.address("hash", event.hash);
  if (event.unfinished != 0) add_unfinished_mark();
}

void PerfettoFormat::add_unfinished_mark() {
  packets_.annotation("unfinished", [](Annotation& value) { value.truth(true); });
}

void PerfettoFormat::stack(const ferryx_trace_event& event) {
  global("ferry_stack", latest_);
  packets_.number("id", event.stack);
  packets_.annotation("frames", [&](Annotation& list) {
    for (size_t i = 0; i < event.frame_count; ++i)
      list.element([&](Annotation& value) { value.address(event.frames[i]); });
  });
  packets_.send();
}

void PerfettoFormat::item_list(const ferryx_trace_event& event) {
  const ferryx_copy* const items = event.item_list;
  packets_.annotation("sizes", [&](Annotation& list) {
    for (uint64_t i = 0; i < event.items; ++i)
      list.element([&](Annotation& value) { value.number(items[i].size); });
  });
  packets_.annotation("dsts", [&](Annotation& list) {
    for (uint64_t i = 0; i < event.items; ++i)
      add_address(items[i].dst, list);
  });
  packets_.annotation("srcs", [&](Annotation& list) {
    for (uint64_t i = 0; i < event.items; ++i)
      add_address(items[i].src, list);
  });
}

void PerfettoFormat::counter(const ferryx_trace_event& event) {
  const uint64_t track = tracks_.counter(event.device, or_empty(event.name));
  packets_.event(fields::event::kCounter, track, event.begin);
  packets_.counter(event.bytes);
  packets_.send();
}

void PerfettoFormat::instant(const ferryx_trace_event& event) {
  const bool is_memory = event.kind == FERRYX_TRACE_MEMORY;
  const bool is_finding = event.kind == FERRYX_TRACE_FINDING;
  head(fields::event::kInstant, event,
       is_memory    ? "memory"
       : is_finding ? "finding"
                    : "mark",
       or_empty(event.name));
  if (is_memory) {
    packets_.address("address", event.dst);
    packets_.number("size", event.bytes);
    if (event.device >= 0) packets_.number("device", event.device);
  } else if (is_finding) {
    packets_.text("severity", or_empty(event.severity));
    packets_.text("text", or_empty(event.text));
  } else if (!or_empty(event.domain).empty()) {
    packets_.text("domain", event.domain);
  }
  packets_.send();
}

void PerfettoFormat::range(const ferryx_trace_event& event) {
  head(fields::event::kSliceBegin, event, "range", or_empty(event.name));
  if (!or_empty(event.domain).empty()) packets_.text("domain", event.domain);
  send_until(event, 0);
}

// Such a range may overlap others, so it gets a track on which nothing else is open.
void PerfettoFormat::open_range(const ferryx_trace_event& event) {
  const PerfettoTracks::OpenRange range = tracks_.open_range(event);
  packets_.event(fields::event::kSliceBegin, range.track, event.begin);
  packets_.category("range");
  packets_.name(or_empty(event.name));
  if (!or_empty(event.domain).empty()) packets_.text("domain", event.domain);
  packets_.send();
  if (!range.has_ended) return;
  packets_.event(fields::event::kSliceEnd, range.track, range.end);
  packets_.send();
}

void PerfettoFormat::close_range(const ferryx_trace_event& event) {
  const uint64_t track = tracks_.close_range(event);
  if (track == 0) return;  // its begin follows
  packets_.event(fields::event::kSliceEnd, track, event.end);
  packets_.send();
}

void PerfettoFormat::add_modules(const ferryx_trace_module* modules, size_t count) {
  if (count == 0) return;
  global("ferry_modules", latest_);
  packets_.annotation("modules", [&](Annotation& list) {
    for (size_t i = 0; i < count; ++i)
      list.element([&](Annotation& members) { add_module(modules[i], members); });
  });
  packets_.send();
}

void PerfettoFormat::end(uint64_t dropped, const char* reason) {
  global("ferry_end", latest_);
  packets_.number("dropped", dropped);
  packets_.text("reason", or_empty(reason));
  packets_.send();
}

}  // namespace

bool can_write_perfetto() {
  return true;
}

std::unique_ptr<Format> make_perfetto(Bytes& bytes) {
  return std::make_unique<PerfettoFormat>(bytes, kForGood);
}

}  // namespace ferry::plugins::trace
