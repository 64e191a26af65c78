// SPDX-License-Identifier: Apache-2.0
// Words and numbers that all formats use.
#pragma once

#include "layers/trace/trace_plugin.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::plugins::trace {

constexpr uint32_t kDevices = 1U << 30;  // process numbers of devices start here

inline std::string_view or_empty(const char* text) {
  return text != nullptr ? text : "";
}

inline bool is_on_host(const ferryx_trace_event& event) {
  return event.thread != 0;
}

// Number of a device among the processes.
inline uint32_t process_of_device(int32_t device) {
  return kDevices + static_cast<uint32_t>(device < 0 ? 0 : device);
}

// Number of a stream among the threads of its device.
inline uint32_t lane_of_stream(int32_t stream) {
  constexpr uint32_t kSign = 1U << 31;
  return static_cast<uint32_t>(stream) & ~kSign;  // for a negative one 2^31 + stream
}

// Number of a range that may end elsewhere. One in a stream has the number of the host's range.
inline uint64_t range_of(const ferryx_trace_event& event) {
  constexpr uint64_t kInStream = uint64_t{1} << 62;
  return is_on_host(event) ? event.id : event.id | kInStream;
}

// An arrow leads from the submitting call to the work.
inline bool has_submit_arrow(const ferryx_trace_event& event) {
  return event.kind == FERRYX_TRACE_WORK && event.submitter != 0 && !is_on_host(event) &&
         event.work != 0;
}

// A batch, even if it has but one item.
std::string_view word_of_kind(const ferryx_trace_event& work);

// What a reader wants to see: "H2D 4.0 KiB". `room` holds the text.
std::string_view name_of_work(const ferryx_trace_event& work, char (&room)[128]);

// "host: PROGRAM", "device 0 (cpu)", "stream 3"
std::string name_of_host(const ferryx_trace_header& header);
std::string name_of_device(const ferryx_trace_device& device);
std::string name_of_stream(int32_t stream);

// 2026-11-18T21:15:43.123456Z
std::string text_of_time(int64_t nanoseconds_since_1970);

// Billions of bytes per second; 0 when there is nothing to say.
double gbps_of(const ferryx_trace_event& work);

}  // namespace ferry::plugins::trace
