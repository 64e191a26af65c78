// SPDX-License-Identifier: Apache-2.0
// The tracks of a Perfetto trace. Each is described in the file before its first event.
#pragma once

#include "layers/trace/trace_plugin.h"
#include "plugins/trace/perfetto_packets.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ferry::plugins::trace {

class PerfettoTracks {
 public:
  explicit PerfettoTracks(PerfettoPackets& packets) : packets_(packets) {}
  void begin(const ferryx_trace_header& header);
  // Tracks of the same process, none of them described yet.
  void continue_process(const PerfettoTracks& tracks) { process_ = tracks.process_; }
  uint64_t host() const;
  // Of the thread or stream of an event.
  uint64_t of(const ferryx_trace_event& event);
  uint64_t counter(int32_t device, std::string_view name);

  void name_thread(uint64_t thread, std::string_view name);
  void name_device(int32_t device, std::string_view name);
  void name_stream(int32_t device, int32_t stream, std::string_view name);

  // Ranges that may end on another thread. Threads are recorded separately, so that the end of a
  // range may come first.
  struct OpenRange {
    uint64_t track = 0;
    bool has_ended = false;
    int64_t end = 0;
  };
  OpenRange open_range(const ferryx_trace_event& event);
  uint64_t close_range(const ferryx_trace_event& event);  // 0: it has not begun yet

 private:
  struct RangeTrack {
    uint64_t track = 0;
    uint64_t parent = 0;
    int64_t free_from = 0;  // end of its latest range
    bool is_free = false;
  };

  void describe(uint64_t track, uint32_t field, const std::string& descriptor);
  void describe_thread(uint64_t track, uint64_t process, uint64_t thread, std::string_view name);
  uint64_t device(int32_t device);
  RangeTrack& track_for_range(uint64_t parent, int64_t begin);

  PerfettoPackets& packets_;
  uint64_t process_ = 0;
  uint64_t last_ = 0;  // described; most events repeat it
  std::unordered_set<uint64_t> described_;
  std::vector<std::string> counters_;
  std::vector<RangeTrack> range_tracks_;
  std::unordered_map<uint64_t, size_t> open_ranges_;  // places in range_tracks_
  std::unordered_map<uint64_t, int64_t> early_ends_;
};

}  // namespace ferry::plugins::trace
