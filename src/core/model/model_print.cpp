// SPDX-License-Identifier: Apache-2.0
// Models as text: lines of the log, and events of a Chrome trace. Times of the trace are invented:
// they show the order inside a stream, not what a run takes.
#include "base/log.h"
#include "base/work.h"
#include "core/copy.h"
#include "core/event.h"
#include "core/kernel/kernel_launch.h"
#include "core/model/lane.h"
#include "core/model/model_parts.h"
#include "core/model/task_group.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace ferry {
namespace {

using Form = RecordedTask::Form;

const char* name_of_type(const RecordedTask& task) {
  switch (task.type) {
    case ACL_MODEL_RI_TASK_KERNEL:
      return "KERNEL";
    case ACL_MODEL_RI_TASK_EVENT_RECORD:
      return "EVENT_RECORD";
    case ACL_MODEL_RI_TASK_EVENT_WAIT:
      return "EVENT_WAIT";
    case ACL_MODEL_RI_TASK_EVENT_RESET:
      return "EVENT_RESET";
    case ACL_MODEL_RI_TASK_VALUE_WRITE:
      return "VALUE_WRITE";
    case ACL_MODEL_RI_TASK_VALUE_WAIT:
      return "VALUE_WAIT";
    default:
      break;
  }
  switch (task.work->kind) {
    case FERRYX_COPIES:
    case FERRYX_COLUMNS:
    case FERRYX_ROWS:
    case FERRYX_DESCRIBED:
    case FERRYX_INDIRECT:
      return "MEMCPY";
    case FERRYX_FILL:
      return "MEMSET";
    case FERRYX_SET_FLAG:
      return "NOTIFY_RECORD";
    case FERRYX_TAKE_FLAG:
      return "NOTIFY_WAIT";
    case FERRYX_REDUCE:
      return "REDUCE";
    case FERRYX_KERNEL:
      return "RANDOM";
    default:
      return task.form == Form::kNothing ? "NOP" : "HOST_FUNCTION";
  }
}

// What stands behind the name: the id of an event, the address of a value.
std::string detail_of(const RecordedTask& task) {
  char text[32] = "";
  if (task.event) {
    std::snprintf(text, sizeof text, "_%u", task.event->id());
  } else if (task.work->kind == FERRYX_WRITE_VALUE || task.work->kind == FERRYX_AWAIT_VALUE) {
    std::snprintf(text, sizeof text, "_%p", task.work->as.value.address);
  }
  return text;
}

std::string name_of_task(const RecordedTask& task) {
  if (task.launch != nullptr) return task.launch->launch()->function().name();
  return name_of_type(task) + detail_of(task);
}

int step_of(const RecordedTask& task) {
  const bool is_record =
      task.type == ACL_MODEL_RI_TASK_EVENT_RECORD || task.work->kind == FERRYX_SET_FLAG;
  const bool is_wait = task.type == ACL_MODEL_RI_TASK_EVENT_WAIT ||
                       task.type == ACL_MODEL_RI_TASK_VALUE_WAIT ||
                       task.work->kind == FERRYX_TAKE_FLAG;
  if (task.form == Form::kNothing) return 1;
  if (is_record) return 5;
  return is_wait ? 15 : 10;
}

// A string of JSON, with its quotes.
std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      json += code;
    } else {
      json += c;
    }
  }
  return json + '"';
}

// The argument block as it is now, in words; a program may have put it into device memory. Empty
// when it cannot be read.
std::vector<uint64_t> words_of(const Model& model, const KernelLaunch& launch) {
  std::vector<uint64_t> words((launch.size() + sizeof(uint64_t) - 1) / sizeof(uint64_t));
  if (!launch.has_device_arguments()) {
    std::memcpy(words.data(), launch.bytes().data(), launch.size());
  } else if (!copy_now(model.context().device(), words.data(), launch.address(), launch.size())
                  .ok()) {
    words.clear();
  }
  return words;
}

std::string kernel_members(const Model& model, const RecordedTask& task, Detail detail) {
  const std::shared_ptr<const KernelLaunch> launch = task.launch->launch();
  Result<aclrtLaunchKernelAttrValue> mode =
      attribute_of_kernel(task, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE);
  std::string json = ", \"Numblocks\": " + std::to_string(launch->shape().blocks) +
                     ", \"Schem Mode\": " + std::to_string(mode->schemMode);
  if (detail == Detail::kBrief) return json;
  json += ", \"Kernel Args\": [";
  const char* separator = "";
  for (const uint64_t word : words_of(model, *launch)) {
    char text[32];
    std::snprintf(text, sizeof text, "%s\"0x%016" PRIx64 "\"", separator, word);
    json += text;
    separator = ", ";
  }
  return json + "], \"Kernel Args Size\": " + std::to_string(launch->size());
}

std::string arguments_of(const Model& model, const Lane& lane, const RecordedTask& task,
                         Detail detail) {
  std::string json = "{\"Model Id\": " + std::to_string(model.id()) +
                     ", \"Stream Id\": " + std::to_string(lane.id()) +
                     ", \"Task Id\": " + std::to_string(task.sequence) +
                     ", \"Task Type\": " + quoted(name_of_type(task));
  if (!task.extend_info.empty()) json += ", \"ExtendInfo\": " + quoted(task.extend_info);
  if (task.activated >= 0) json += ", \"Active Stream Id\": " + std::to_string(task.activated);
  if (task.launch != nullptr) json += kernel_members(model, task, detail);
  return json + "}";
}

std::string event_of(const Model& model, const Lane& lane, const RecordedTask& task, int start,
                     Detail detail) {
  const int step = step_of(task);
  return "{\"name\": " + quoted(name_of_task(task)) + ", \"pid\": \"" + std::to_string(getpid()) +
         " aclGraph\", \"tid\": \"stream" + std::to_string(lane.id()) +
         "\", \"ts\": " + std::to_string(start) + ", \"dur\": " + std::to_string(step - 1) +
         ".5, \"ph\": \"X\", \"args\": " + arguments_of(model, lane, task, detail) + "}";
}

}  // namespace

void log_model(Model& model) {
  if (!is_logged(LogLevel::kInfo)) return;
  for (const auto& lane : model.group().lanes()) {
    for (const RecordedTask& task : lane->tasks) {
      if (task.is_removed) continue;
      write_log(LogLevel::kInfo, "model %u: device %d, stream %d, task %u: %s, recorded by %s",
                model.id(), model.context().device().id(), lane->id(), task.sequence,
                name_of_task(task).c_str(), task.work->origin.call);
    }
  }
  for (const Ref<TaskGroup>& group : model.groups) {
    write_log(LogLevel::kInfo, "model %u: task group %p, stream %d: %zu kernels", model.id(),
              group->handle(), group->stream_id, group->kernels.size());
  }
}

std::string model_as_json(Model& model, Detail detail) {
  const std::lock_guard lock(model.parts_mutex);
  std::string json = "[";
  for (const auto& lane : model.group().lanes()) {
    int start = 0;
    for (const RecordedTask& task : lane->tasks) {
      if (task.is_removed) continue;
      json += json.size() == 1 ? "\n" : ",\n";
      json += event_of(model, *lane, task, start, detail);
      start += step_of(task);
    }
  }
  return json + "\n]\n";
}

}  // namespace ferry
