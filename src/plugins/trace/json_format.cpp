// SPDX-License-Identifier: Apache-2.0
// Chrome Trace Event JSON, in its array form: one event per line.
#include "plugins/trace/format.h"
#include "plugins/trace/json_text.h"
#include "plugins/trace/words.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace ferry::plugins::trace {
namespace {

struct Lane {
  uint64_t process = 0;
  uint64_t thread = 0;
};

struct RangeText {
  std::string name;
  std::string domain;
};

class JsonFormat : public Format {
 public:
  explicit JsonFormat(Bytes& bytes) : bytes_(bytes), text_(bytes) {}
  void begin(const ferryx_trace_header& header) override;
  void add(const ferryx_trace_event& event) override;
  void add_unfinished(std::span<const ferryx_trace_event> events) override;
  void add_modules(const ferryx_trace_module* modules, size_t count) override;
  void end(uint64_t dropped, const char* reason) override;

 private:
  Lane lane_of(const ferryx_trace_event& event) const;
  // Begins a line, up to where `args` or other members can follow.
  void head(std::string_view phase, std::string_view category, std::string_view name, Lane lane);
  void at(int64_t time) { text_.raw(",\"ts\":").time(time); }
  void close() {
    text_.raw("},\n");
    ++events_;
  }
  void metadata(std::string_view what, Lane lane, std::string_view name);
  void sort_index(uint64_t process, uint64_t index);
  void name_device(int32_t id, std::string_view name);
  void name_new_stream(const ferryx_trace_event& event);

  void slice(const ferryx_trace_event& event, std::string_view category, std::string_view name);
  void call(const ferryx_trace_event& event);
  void work(const ferryx_trace_event& event);
  void work_members(const ferryx_trace_event& event, JsonMembers& args);
  void item_list(const ferryx_trace_event& event, JsonMembers& args);
  void stack(const ferryx_trace_event& event);
  void arrow(std::string_view category, uint64_t id, Lane from, int64_t from_time, Lane to,
             int64_t to_time);
  void counter(const ferryx_trace_event& event);
  void memory(const ferryx_trace_event& event);
  void range(const ferryx_trace_event& event);
  void range_end(const ferryx_trace_event& event, bool is_begin);
  void instant(const ferryx_trace_event& event);
  void domain(std::string_view domain);

  Bytes& bytes_;
  JsonText text_;
  uint64_t process_ = 0;
  uint64_t events_ = 0;
  std::unordered_set<int32_t> named_devices_;
  std::unordered_set<uint64_t> named_streams_;
  uint64_t last_stream_ = UINT64_MAX;  // of named_streams_: most events repeat it
  std::unordered_map<uint64_t, RangeText> open_ranges_;
};

Lane JsonFormat::lane_of(const ferryx_trace_event& event) const {
  if (is_on_host(event)) return {process_, event.thread};
  return {process_of_device(event.device), lane_of_stream(event.stream)};
}

void JsonFormat::head(std::string_view phase, std::string_view category, std::string_view name,
                      Lane lane) {
  text_.raw("{\"ph\":\"").raw(phase);
  if (!category.empty()) text_.raw("\",\"cat\":\"").raw(category);
  text_.raw("\",\"name\":").quoted(name);
  text_.raw(",\"pid\":").number(lane.process).raw(",\"tid\":").number(lane.thread);
}

void JsonFormat::metadata(std::string_view what, Lane lane, std::string_view name) {
  head("M", "", what, lane);
  text_.raw(",\"args\":{\"name\":").quoted(name).raw("}");
  close();
}

void JsonFormat::sort_index(uint64_t process, uint64_t index) {
  head("M", "", "process_sort_index", {process, 0});
  text_.raw(",\"args\":{\"sort_index\":").number(index).raw("}");
  close();
}

void JsonFormat::name_device(int32_t id, std::string_view name) {
  if (!named_devices_.insert(id).second) return;
  const uint64_t process = process_of_device(id);
  metadata("process_name", {process, 0}, name);
  sort_index(process, 1 + static_cast<uint64_t>(std::max(id, 0)));
}

void JsonFormat::begin(const ferryx_trace_header& header) {
  process_ = header.pid;
  text_.raw("[\n");
  head("M", "", "ferry_trace", {process_, 0});
  at(0);
  text_.raw(",\"args\":");
  JsonMembers args(text_);
  args.number("format", 1U);
  args.text("ferry", or_empty(header.ferry));
  args.text("program", or_empty(header.program));
  args.key("arguments").raw("[");
  for (const char* const* one = header.arguments; one != nullptr && *one != nullptr; ++one) {
    text_.raw(one != header.arguments ? "," : "").quoted(*one);
  }
  text_.raw("]");
  args.number("pid", header.pid);
  args.text("started", text_of_time(header.started));
  args.number("clock", header.clock);
  args.key("devices").raw("[");
  for (size_t i = 0; i < header.device_count; ++i) {
    const ferryx_trace_device& device = header.devices[i];
    if (i > 0) text_.raw(",");
    JsonMembers members(text_);
    members.number("id", device.id);
    members.text("kind", or_empty(device.kind));
    members.text("name", or_empty(device.name));
    members.number("memory", device.memory);
    members.close();
  }
  text_.raw("]");
  args.text("soc", or_empty(header.soc));
  args.text("cann", or_empty(header.cann));
  args.text("schedule", or_empty(header.schedule));
  args.truth("check", header.check != 0);
  args.truth("items", header.has_items != 0);
  args.truth("contents", header.has_contents != 0);
  args.close();
  close();
  metadata("process_name", {process_, 0}, name_of_host(header));
  sort_index(process_, 0);
  for (size_t i = 0; i < header.device_count; ++i) {
    name_device(header.devices[i].id, name_of_device(header.devices[i]));
  }
}

void JsonFormat::name_new_stream(const ferryx_trace_event& event) {
  if (is_on_host(event) || event.stream < 0) return;
  const uint64_t stream =
      static_cast<uint64_t>(process_of_device(event.device)) << 32 | lane_of_stream(event.stream);
  if (stream == last_stream_) return;
  last_stream_ = stream;
  if (!named_streams_.insert(stream).second) return;
  name_device(event.device, "device " + std::to_string(event.device));
  const bool is_named = event.kind == FERRYX_TRACE_STREAM && event.name != nullptr;
  metadata("thread_name", lane_of(event), is_named ? event.name : name_of_stream(event.stream));
}

void JsonFormat::add(const ferryx_trace_event& event) {
  if (event.kind != FERRYX_TRACE_COUNTER) name_new_stream(event);
  switch (event.kind) {
    case FERRYX_TRACE_CALL:
      return call(event);
    case FERRYX_TRACE_WORK:
      return work(event);
    case FERRYX_TRACE_EVENT_FLOW: {
      constexpr uint64_t kEventArrows = uint64_t{1} << 40;
      return arrow("event", kEventArrows + event.work, lane_of(event), event.begin,
                   {process_of_device(event.other_device), lane_of_stream(event.other_stream)},
                   event.end);
    }
    case FERRYX_TRACE_COUNTER:
      return counter(event);
    case FERRYX_TRACE_MEMORY:
      return memory(event);
    case FERRYX_TRACE_RANGE:
      return range(event);
    case FERRYX_TRACE_RANGE_BEGIN:
    case FERRYX_TRACE_RANGE_END:
      return range_end(event, event.kind == FERRYX_TRACE_RANGE_BEGIN);
    case FERRYX_TRACE_MARK:
    case FERRYX_TRACE_FINDING:
      return instant(event);
    case FERRYX_TRACE_THREAD:
      return metadata("thread_name", lane_of(event), or_empty(event.name));
    case FERRYX_TRACE_DEVICE:
      return name_device(event.device, or_empty(event.name));
    case FERRYX_TRACE_STACK:
      return stack(event);
    default:
      return;  // FERRYX_TRACE_STREAM: done. Others: of a newer library
  }
}

// By a writer that has not named any lane, so that none is taken for named afterwards.
void JsonFormat::add_unfinished(std::span<const ferryx_trace_event> events) {
  JsonFormat writer(bytes_);
  writer.process_ = process_;
  for (const ferryx_trace_event& event : events)
    writer.add(event);
}

void JsonFormat::slice(const ferryx_trace_event& event, std::string_view category,
                       std::string_view name) {
  head("X", category, name, lane_of(event));
  at(event.begin);
  text_.raw(",\"dur\":").time(std::max<int64_t>(event.end - event.begin, 0)).raw(",\"args\":");
}

void JsonFormat::call(const ferryx_trace_event& event) {
  slice(event, "call", or_empty(event.name));
  JsonMembers args(text_);
  if (event.result != 0) args.number("result", event.result);
  if (event.site != 0) args.address("site", event.site);
  if (event.script != nullptr) args.text("script", event.script);
  if (event.stream >= 0) args.number("stream", event.stream);
  if (event.work != 0) args.number("work", event.work);
  if (event.works > 1) args.number("works", event.works);
  if (event.stack != 0) args.number("stack", event.stack);
  if (event.unfinished != 0) args.truth("unfinished", true);
  args.close();
  close();
}

void JsonFormat::stack(const ferryx_trace_event& event) {
  head("M", "", "ferry_stack", {process_, 0});
  text_.raw(",\"args\":");
  JsonMembers args(text_);
  args.number("id", event.stack);
  args.key("frames").raw("[");
  for (size_t i = 0; i < event.frame_count; ++i)
    text_.raw(i > 0 ? "," : "").address(event.frames[i]);
  text_.raw("]");
  args.close();
  close();
}

void JsonFormat::work(const ferryx_trace_event& event) {
  char room[128];
  slice(event, "work", name_of_work(event, room));
  JsonMembers args(text_);
  work_members(event, args);
  if (event.item_list != nullptr) item_list(event, args);
  args.close();
  close();
  if (!has_submit_arrow(event)) return;
  arrow("submit", event.work, {process_, event.submitter}, event.submitted, lane_of(event),
        event.begin);
}

void JsonFormat::work_members(const ferryx_trace_event& event, JsonMembers& args) {
  const bool is_batch = event.items > 1;
  args.number("work", event.work);
  if (event.call != nullptr) args.text("call", event.call);
  if (event.task != FERRYX_TRACE_NONE) args.number("task", event.task);
  if (event.stream >= 0) args.number("stream", event.stream);
  args.number("device", std::max(event.device, 0));
  if (event.correlation != 0) args.number("correlation", event.correlation);
  args.text("kind", word_of_kind(event));
  if (event.bytes != 0) args.number("bytes", event.bytes);
  if (is_batch) args.number("items", event.items);
  if (is_batch && event.smallest != event.largest) {
    args.number("smallest", event.smallest);
    args.number("largest", event.largest);
  }
  if (event.neighbours != 0) args.number("neighbours", event.neighbours);
  if (event.direction != nullptr) args.text("direction", event.direction);
  if (event.memory != nullptr) args.text("memory", event.memory);
  if (event.dst != 0) args.address("dst", event.dst);
  if (event.src != 0) args.address("src", event.src);
  if (event.width != 0) {
    args.number("dst_pitch", event.dst_pitch);
    args.number("src_pitch", event.src_pitch);
    args.number("width", event.width);
  }
  if (event.peer >= 0) args.number("peer", event.peer);
  if (event.marker != 0) args.number("marker", event.marker);
  args.key("submitted").time(event.submitted);
  if (const double gbps = gbps_of(event); gbps > 0) args.key("gbps").decimal(gbps);
  if (event.result != 0) args.number("result", event.result);
  if (event.model != FERRYX_TRACE_NONE) args.number("model", event.model);
  if (event.run != FERRYX_TRACE_NONE) args.number("run", event.run);
  if (event.hash != 0) args.address("hash", event.hash);
  if (event.unfinished != 0) args.truth("unfinished", true);
}

void JsonFormat::item_list(const ferryx_trace_event& event, JsonMembers& args) {
  const ferryx_copy* items = event.item_list;
  args.key("sizes").raw("[");
  for (uint64_t i = 0; i < event.items; ++i)
    text_.raw(i > 0 ? "," : "").number(items[i].size);
  text_.raw("]");
  args.key("dsts").raw("[");
  for (uint64_t i = 0; i < event.items; ++i) {
    text_.raw(i > 0 ? "," : "").address(reinterpret_cast<uintptr_t>(items[i].dst));
  }
  text_.raw("]");
  args.key("srcs").raw("[");
  for (uint64_t i = 0; i < event.items; ++i) {
    text_.raw(i > 0 ? "," : "").address(reinterpret_cast<uintptr_t>(items[i].src));
  }
  text_.raw("]");
}

void JsonFormat::arrow(std::string_view category, uint64_t id, Lane from, int64_t from_time,
                       Lane to, int64_t to_time) {
  head("s", category, category, from);
  at(from_time);
  text_.raw(",\"id\":").number(id);
  close();
  head("f", category, category, to);
  at(to_time);
  text_.raw(",\"id\":").number(id).raw(",\"bp\":\"e\"");
  close();
}

void JsonFormat::counter(const ferryx_trace_event& event) {
  name_device(event.device, "device " + std::to_string(event.device));
  head("C", "", or_empty(event.name), {process_of_device(event.device), 0});
  at(event.begin);
  text_.raw(",\"args\":{\"bytes\":").number(event.bytes).raw("}");
  close();
}

void JsonFormat::memory(const ferryx_trace_event& event) {
  head("i", "memory", or_empty(event.name), lane_of(event));
  at(event.begin);
  text_.raw(",\"s\":\"t\",\"args\":");
  JsonMembers args(text_);
  args.address("address", event.dst);
  args.number("size", event.bytes);
  if (event.device >= 0) args.number("device", event.device);
  args.close();
  close();
}

// Closes `args` of a range or mark.
void JsonFormat::domain(std::string_view domain) {
  JsonMembers args(text_);
  if (!domain.empty()) args.text("domain", domain);
  args.close();
}

void JsonFormat::range(const ferryx_trace_event& event) {
  slice(event, "range", or_empty(event.name));
  domain(or_empty(event.domain));
  close();
}

void JsonFormat::range_end(const ferryx_trace_event& event, bool is_begin) {
  // Viewers want the texts at both ends.
  RangeText text{std::string(or_empty(event.name)), std::string(or_empty(event.domain))};
  if (is_begin) {
    open_ranges_.insert_or_assign(range_of(event), text);
  } else {
    const auto open = open_ranges_.find(range_of(event));
    if (open == open_ranges_.end()) return;  // its begin did not fit the ring
    text = std::move(open->second);
    open_ranges_.erase(open);
  }
  head(is_begin ? "b" : "e", "range", text.name, lane_of(event));
  at(is_begin ? event.begin : event.end);
  text_.raw(",\"id\":").address(range_of(event)).raw(",\"args\":");
  domain(text.domain);
  close();
}

void JsonFormat::instant(const ferryx_trace_event& event) {
  const bool is_finding = event.kind == FERRYX_TRACE_FINDING;
  head("i", is_finding ? "finding" : "mark", or_empty(event.name), lane_of(event));
  at(event.begin);
  text_.raw(",\"s\":\"t\",\"args\":");
  if (is_finding) {
    JsonMembers args(text_);
    args.text("severity", or_empty(event.severity));
    args.text("text", or_empty(event.text));
    args.close();
  } else {
    domain(or_empty(event.domain));
  }
  close();
}

void JsonFormat::add_modules(const ferryx_trace_module* modules, size_t count) {
  head("M", "", "ferry_modules", {process_, 0});
  text_.raw(",\"args\":{\"modules\":[");
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text_.raw(",");
    JsonMembers members(text_);
    members.text("path", or_empty(modules[i].path));
    members.text("build_id", or_empty(modules[i].build_id));
    members.address("begin", modules[i].begin);
    members.address("end", modules[i].end);
    members.address("offset", modules[i].offset);
    members.close();
  }
  text_.raw("]}");
  close();
}

void JsonFormat::end(uint64_t dropped, const char* reason) {
  const uint64_t events = events_;
  head("M", "", "ferry_end", {process_, 0});
  text_.raw(",\"args\":");
  JsonMembers args(text_);
  args.number("events", events);
  args.number("dropped", dropped);
  args.text("reason", or_empty(reason));
  args.close();
  text_.raw("}\n]\n");
}

}  // namespace

std::unique_ptr<Format> make_json(Bytes& bytes) {
  return std::make_unique<JsonFormat>(bytes);
}

}  // namespace ferry::plugins::trace
