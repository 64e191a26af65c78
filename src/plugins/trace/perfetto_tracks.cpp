// SPDX-License-Identifier: Apache-2.0
#include "plugins/trace/perfetto_tracks.h"

#include "plugins/trace/utf8.h"
#include "plugins/trace/words.h"

#include <algorithm>

namespace ferry::plugins::trace {
namespace {

using protozero::pbf_writer;

// A track's number says what it is.
enum class Kind : uint64_t { kHost = 1, kThread, kDevice, kStream, kCounter, kRange };

constexpr uint64_t track_of(Kind kind, uint64_t number) {
  constexpr int kShift = 60;
  return static_cast<uint64_t>(kind) << kShift | number;
}

uint64_t stream_number(int32_t device, int32_t stream) {
  return static_cast<uint64_t>(std::max(device, 0)) << 32 | lane_of_stream(stream);
}

void add_text(pbf_writer& writer, uint32_t field, std::string_view text) {
  std::string room;
  const std::string_view cleaned = clean(text, room);
  writer.add_string(field, cleaned.data(), cleaned.size());
}

std::string process_descriptor(uint64_t id, std::string_view name) {
  std::string data;
  pbf_writer writer(data);
  writer.add_int32(fields::process::kPid, static_cast<int32_t>(id));
  add_text(writer, fields::process::kName, name);
  return data;
}

std::string clock_snapshot(const ferryx_trace_header& header) {
  std::string data;
  pbf_writer writer(data);
  const auto add = [&](uint32_t id, uint64_t time) {
    pbf_writer clock(writer, fields::clock_snapshot::kClocks);
    clock.add_uint32(fields::clock::kId, id);
    clock.add_uint64(fields::clock::kTimestamp, time);
  };
  add(fields::clock::kBoottime, header.clock);
  add(fields::clock::kMonotonic, header.clock);
  add(fields::clock::kRealtime, static_cast<uint64_t>(header.started));
  return data;
}

}  // namespace

void PerfettoTracks::describe(uint64_t track, uint32_t field, const std::string& descriptor) {
  std::string data;
  pbf_writer writer(data);
  writer.add_uint64(fields::track::kUuid, track);
  writer.add_message(field, descriptor);
  packets_.send_message(fields::packet::kTrackDescriptor, data);
  described_.insert(track);
}

void PerfettoTracks::describe_thread(uint64_t track, uint64_t process, uint64_t thread,
                                     std::string_view name) {
  std::string data;
  pbf_writer writer(data);
  writer.add_int32(fields::thread::kPid, static_cast<int32_t>(process));
  writer.add_int32(fields::thread::kTid, static_cast<int32_t>(thread));
  if (!name.empty()) add_text(writer, fields::thread::kName, name);
  describe(track, fields::track::kThread, data);
}

uint64_t PerfettoTracks::host() const {
  return track_of(Kind::kHost, process_);
}

void PerfettoTracks::begin(const ferryx_trace_header& header) {
  process_ = header.pid;
  packets_.send_message(fields::packet::kClockSnapshot, clock_snapshot(header));
  std::string data = process_descriptor(process_, name_of_host(header));
  pbf_writer writer(data);
  for (const char* const* one = header.arguments; one != nullptr && *one != nullptr; ++one) {
    add_text(writer, fields::process::kCommandLine, *one);
  }
  describe(host(), fields::track::kProcess, data);
  for (size_t i = 0; i < header.device_count; ++i) {
    name_device(header.devices[i].id, name_of_device(header.devices[i]));
  }
}

void PerfettoTracks::name_device(int32_t id, std::string_view name) {
  const uint64_t process = process_of_device(id);
  const uint64_t track = track_of(Kind::kDevice, process);
  if (described_.count(track) != 0) return;
  describe(track, fields::track::kProcess, process_descriptor(process, name));
}

uint64_t PerfettoTracks::device(int32_t id) {
  name_device(id, "device " + std::to_string(id));
  return track_of(Kind::kDevice, process_of_device(id));
}

void PerfettoTracks::name_thread(uint64_t thread, std::string_view name) {
  describe_thread(track_of(Kind::kThread, thread), process_, thread, name);
}

void PerfettoTracks::name_stream(int32_t device_id, int32_t stream, std::string_view name) {
  device(device_id);
  describe_thread(track_of(Kind::kStream, stream_number(device_id, stream)),
                  process_of_device(device_id), lane_of_stream(stream),
                  name.empty() ? name_of_stream(stream) : std::string(name));
}

uint64_t PerfettoTracks::of(const ferryx_trace_event& event) {
  const bool is_thread = is_on_host(event);
  const uint64_t track = is_thread
                             ? track_of(Kind::kThread, event.thread)
                             : track_of(Kind::kStream, stream_number(event.device, event.stream));
  if (track == last_) return track;
  last_ = track;
  if (described_.count(track) != 0) return track;
  if (is_thread) {
    name_thread(event.thread, "");
  } else {
    name_stream(event.device, event.stream, "");
  }
  return track;
}

uint64_t PerfettoTracks::counter(int32_t device_id, std::string_view name) {
  size_t index = 0;
  while (index < counters_.size() && counters_[index] != name)
    ++index;
  if (index == counters_.size()) counters_.emplace_back(name);
  const uint64_t number = static_cast<uint64_t>(process_of_device(device_id)) << 8 | index;
  const uint64_t track = track_of(Kind::kCounter, number);
  if (described_.count(track) != 0) return track;
  std::string unit;
  pbf_writer(unit).add_enum(fields::counter::kUnit, fields::counter::kBytes);
  std::string data;
  pbf_writer writer(data);
  writer.add_uint64(fields::track::kUuid, track);
  writer.add_uint64(fields::track::kParent, device(device_id));
  add_text(writer, fields::track::kName, name);
  writer.add_message(fields::track::kCounter, unit);
  packets_.send_message(fields::packet::kTrackDescriptor, data);
  described_.insert(track);
  return track;
}

PerfettoTracks::RangeTrack& PerfettoTracks::track_for_range(uint64_t parent, int64_t begin) {
  const auto fits = [&](const RangeTrack& one) {
    return one.is_free && one.parent == parent && one.free_from <= begin;
  };
  const auto found = std::find_if(range_tracks_.begin(), range_tracks_.end(), fits);
  if (found != range_tracks_.end()) return *found;
  const uint64_t track = track_of(Kind::kRange, range_tracks_.size() + 1);
  std::string data;
  pbf_writer writer(data);
  writer.add_uint64(fields::track::kUuid, track);
  writer.add_uint64(fields::track::kParent, parent);
  add_text(writer, fields::track::kName, "ranges");
  packets_.send_message(fields::packet::kTrackDescriptor, data);
  return range_tracks_.emplace_back(RangeTrack{.track = track, .parent = parent});
}

PerfettoTracks::OpenRange PerfettoTracks::open_range(const ferryx_trace_event& event) {
  const uint64_t parent = is_on_host(event) ? host() : device(event.device);
  RangeTrack& track = track_for_range(parent, event.begin);
  const auto early = early_ends_.find(range_of(event));
  if (early == early_ends_.end()) {
    track.is_free = false;
    open_ranges_.insert_or_assign(range_of(event),
                                  static_cast<size_t>(&track - range_tracks_.data()));
    return {.track = track.track};
  }
  const int64_t end = std::max(early->second, event.begin);
  early_ends_.erase(early);
  track.is_free = true;
  track.free_from = end;
  return {.track = track.track, .has_ended = true, .end = end};
}

uint64_t PerfettoTracks::close_range(const ferryx_trace_event& event) {
  const auto open = open_ranges_.find(range_of(event));
  if (open == open_ranges_.end()) {
    early_ends_.insert_or_assign(range_of(event), event.end);
    return 0;
  }
  RangeTrack& track = range_tracks_[open->second];
  open_ranges_.erase(open);
  track.is_free = true;
  track.free_from = event.end;
  return track.track;
}

}  // namespace ferry::plugins::trace
