// SPDX-License-Identifier: Apache-2.0
// Traces: what they learn of the runtime and of the checker, and the functions of ferry/ferry.h.
#include "api/trace.h"

#include "api/exported.h"
#include "api/init.h"
#include "base/error_state.h"
#include "base/script_place.h"
#include "base/status.h"
#include "core/context.h"
#include "core/profile/annotations.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "core/work_watcher.h"
#include "layers/check/report/report.h"
#include "layers/trace/notes.h"
#include "layers/trace/plugin_sink.h"
#include "layers/trace/services.h"
#include "layers/trace/session.h"
#include "layers/trace/tap.h"

#include "ferry/ferry.h"

#include <cstdio>
#include <string>
#include <vector>

namespace ferry {
namespace {

namespace trace = layers::trace;

// Says nothing about a handle that is wrong: the call does.
int32_t stream_of(void* handle) {
  if (handle != nullptr) {
    const Ref<Stream> stream = HandleTable<Stream>::instance().find(handle);
    return stream ? stream->id() : -1;
  }
  const Ref<Context> context = HandleTable<Context>::instance().find(current_context_handle());
  if (!context) return -1;
  const Ref<Stream> stream = context->default_stream();
  return stream ? stream->id() : -1;
}

// Calls `visit` with all devices, until it returns false.
template <class Visit>
void for_each_device(const Visit& visit) {
  const Runtime* const runtime = Runtime::if_started();
  if (runtime == nullptr) return;
  for (uint32_t id = 0; id < runtime->device_count(); ++id) {
    Result<Device*> device = runtime->device(id);
    if (!device.ok() || !visit(**device)) return;
  }
}

int32_t device_of(const ferryx_device* handle) {
  int32_t id = -1;
  for_each_device([&](const Device& device) {
    if (device.handle() != handle) return true;
    id = device.id();
    return false;
  });
  return id;
}

bool find_memory(const void* address, ferryx_memory* found) {
  Runtime* const runtime = Runtime::if_started();
  return runtime != nullptr && runtime->memory().find(address, *found);
}

std::vector<trace::DeviceFacts> devices() {
  std::vector<trace::DeviceFacts> all;
  for_each_device([&](const Device& device) {
    trace::DeviceFacts facts{
        .id = device.id(), .kind = device.backend().name, .name = {}, .memory = 0};
    if (ferryx_device* const open = device.handle()) {
      const ferryx_backend& backend = device.backend();
      uint64_t free_bytes = 0;
      static_cast<void>(backend.device_memory(open, &free_bytes, &facts.memory));
      const char* const name = backend.device_name != nullptr ? backend.device_name(open) : nullptr;
      if (name != nullptr) facts.name = name;
    }
    all.push_back(std::move(facts));
    return true;
  });
  return all;
}

// Steps and ranges are counted separately, and open ones must not be taken for each other.
constexpr uint64_t kStep = uint64_t{1} << 60;

bool is_step(const Annotation& annotation) {
  return annotation.kind == AnnotationKind::kStepStart ||
         annotation.kind == AnnotationKind::kStepEnd;
}

// Steps and points of aclrtProfTrace have numbers and no names.
struct FixedName {
  explicit FixedName(const Annotation& annotation) : text(annotation.name) {
    const bool is_point = annotation.kind == AnnotationKind::kTracePoint;
    if (!is_point && !is_step(annotation)) return;
    std::snprintf(room, sizeof room, is_point ? "trace point %llu" : "step %llu",
                  static_cast<unsigned long long>(annotation.id));
    text = room;
  }
  FixedName(const FixedName&) = delete;
  FixedName& operator=(const FixedName&) = delete;

  char room[48];
  const char* text;
};

void note_annotation(const Annotation& annotation) {
  trace::NoteKind kind{};
  switch (annotation.kind) {
    case AnnotationKind::kMark:
    case AnnotationKind::kTracePoint:
      kind = trace::NoteKind::kMark;
      break;
    case AnnotationKind::kRangeStart:
    case AnnotationKind::kStepStart:
      kind = trace::NoteKind::kRangeStart;
      break;
    case AnnotationKind::kRangeEnd:
    case AnnotationKind::kStepEnd:
      kind = trace::NoteKind::kRangeEnd;
      break;
    case AnnotationKind::kPush:
      kind = trace::NoteKind::kPush;
      break;
    case AnnotationKind::kPop:
      kind = trace::NoteKind::kPop;
      break;
  }
  const FixedName name(annotation);
  trace::note_annotation({.kind = kind,
                          .thread = annotation.thread,
                          .stream = annotation.stream,
                          .id = is_step(annotation) ? annotation.id | kStep : annotation.id,
                          .time = annotation.time,
                          .name = name.text,
                          .domain = annotation.domain});
}

void note_finding(const layers::check::RuleInfo& rule, const char* sentence) {
  trace::note_finding(rule.name, layers::check::name_of(rule.severity), sentence);
}

constexpr WorkWatcher kWatcher{
    .queue_is_there =
        [](const QueueFacts& queue) {
          trace::queue_is_there(queue.backend, queue.queue, queue.device, queue.stream);
        },
    .queue_ends = [](const QueueFacts& queue) { trace::queue_ends(queue.backend, queue.queue); },
    .run_is = [](uint32_t model, uint64_t run) { trace::run_is(model, run); },
    .work_failed =
        [](const ferryx_fault& fault) {
          trace::work_failed(fault.work->origin.correlation, fault.code);
        }};

// Queues are watched before work is recorded, and until none is any more: a work that is recorded
// has a lane, and its end is reported.
void set_tap(bool on) {
  if (on) {
    set_work_watcher(&kWatcher);
    Runtime::set_tap(trace::tap_over);
  } else {
    Runtime::set_tap(nullptr);
    set_work_watcher(nullptr);
  }
  wants_script_places.store(on, std::memory_order_relaxed);
  set_annotation_sink(on ? note_annotation : nullptr);
  layers::check::set_finding_sink(on ? note_finding : nullptr);
}

}  // namespace

void connect_trace() {
  trace::set_services({.stream_of = stream_of,
                       .device_of = device_of,
                       .find_memory = find_memory,
                       .devices = devices,
                       .set_tap = set_tap});
}

bool is_tracing() {
  return trace::is_running();
}

namespace {

std::string taken_text(const Status& status) {
  if (status.ok()) return "";
  const char* const text = take_recent_text();
  return text != nullptr ? text : "failed";
}

}  // namespace

std::string try_to_start_trace(const std::string& path) {
  std::string wrong = trace::check_path(path);
  if (!wrong.empty()) return wrong;
  connect_trace();
  switch_trace_layer_on();
  return taken_text(trace::start(path, {}, trace::Creation::kNow));
}

std::string try_to_stop_trace() {
  return taken_text(trace::stop());
}

namespace api {
namespace {

Status start_trace(const char* path, const char* options) {
  if (path == nullptr) return fail_null("path");
  if (*path == '\0') {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "path", Value::quoted(path))
        .allowed("the name of a file, or of a folder with / at its end");
  }
  TraceOptions parsed;
  if (options != nullptr && !parse_trace_options(options, parsed)) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "options", Value::quoted(options))
        .allowed("%s", kAllowedTraceOptions);
  }
  connect_trace();
  switch_trace_layer_on();
  return trace::start(path, parsed, trace::Creation::kNow);
}

}  // namespace
}  // namespace api
}  // namespace ferry

using namespace ferry;       // NOLINT(google-build-using-namespace): C functions have no namespace
using namespace ferry::api;  // NOLINT(google-build-using-namespace)

aclError ferryTraceStart(const char* path, const char* options) {
  return exported("ferryTraceStart", [&] { return start_trace(path, options); });
}

aclError ferryTraceFlush(void) {
  return exported("ferryTraceFlush", [] { return layers::trace::flush(); });
}

aclError ferryTraceStop(void) {
  return exported("ferryTraceStop", [] { return layers::trace::stop(); });
}
