// SPDX-License-Identifier: Apache-2.0
// Stamps, marks, ranges and steps: what the program notes in a profile.
#include "api/adapters.h"
#include "api/arguments.h"
#include "api/profiling_settings.h"
#include "base/status.h"
#include "core/profile/annotations.h"
#include "core/profile/program_ranges.h"
#include "core/profile/stream_mark.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

namespace ferry::api {
namespace {

constexpr size_t kLongestMessage = 127;

class Stamp final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kStamp;

  void set_message(std::string message) {
    const std::lock_guard lock(mutex_);
    message_ = std::move(message);
  }
  std::string message() const {
    const std::lock_guard lock(mutex_);
    return message_;
  }

 private:
  mutable std::mutex mutex_;  // guards message_
  std::string message_;
};

// A step is between its start and its end, or not.
class Step final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kStep;

  std::mutex mutex;  // guards the members below, and keeps the tasks of the step in order
  bool is_open = false;
  uint64_t number = 0;  // of the latest step; unique in the process
};

Result<Ref<Stamp>> find_stamp(const void* handle) {
  if (handle == nullptr) return fail_null("stamp");
  Ref<Stamp> found = HandleTable<Stamp>::instance().find(handle);
  if (found) return found;
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "stamp", handle)
      .because(", which is not a live stamp");
}

Result<Ref<Step>> find_step(const aclprofStepInfo* handle) {
  if (handle == nullptr) return fail_null("stepInfo");
  Ref<Step> found = HandleTable<Step>::instance().find(handle);
  if (found) return found;
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "stepInfo", static_cast<const void*>(handle))
      .because(", which is not a live step");
}

Status check_attributes(const aclprofEventAttributes* attr) {
  if (attr == nullptr) return fail_null("attr");
  if (attr->messageType != ACL_PROF_MESSAGE_TYPE_TENSOR_INFO) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "attr.messageType", attr->messageType)
        .allowed("0 (tensors)");
  }
  const aclprofTensorInfo* info = attr->message.tensorInfo;
  if (info == nullptr) return fail_null("attr.message.tensorInfo");
  if (info->tensorNum > 0 && info->tensors == nullptr) {
    return fail_null("attr.message.tensorInfo.tensors");
  }
  return {};
}

Status check_tag(aclprofStepTag tag, bool is_open) {
  if (tag != ACL_STEP_START && tag != ACL_STEP_END) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "tag", tag).allowed("0 (start) or 1 (end)");
  }
  if ((tag == ACL_STEP_START) != is_open) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "tag", tag)
      .because(", but the step has %s", is_open ? "begun already" : "not begun");
}

uint64_t next_step_number() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

void* aclprofCreateStamp() {
  return HandleTable<Stamp>::instance().insert(std::make_unique<Stamp>())->handle();
}

void aclprofDestroyStamp(void* stamp) {
  if (!find_stamp(stamp).ok()) return;
  static_cast<void>(HandleTable<Stamp>::instance().remove(stamp));
}

aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen) {
  FERRY_TRY(Ref<Stamp>, found, find_stamp(stamp));
  if (msg == nullptr) return fail_null("msg");
  FERRY_RETURN_IF_ERROR(check_length("msgLen", msgLen, 0, kLongestMessage));
  (*found)->set_message(std::string(msg, strnlen(msg, msgLen)));
  return ACL_SUCCESS;
}

aclError aclprofMark(void* stamp) {
  FERRY_TRY(Ref<Stamp>, found, find_stamp(stamp));
  record_mark("", (*found)->message().c_str());
  return ACL_SUCCESS;
}

aclError aclprofPush(void* stamp) {
  FERRY_TRY(Ref<Stamp>, found, find_stamp(stamp));
  push_stamp((*found)->message());
  return ACL_SUCCESS;
}

aclError aclprofPop() {
  return pop_stamp();
}

aclError aclprofRangeStart(void* stamp, uint32_t* rangeId) {
  if (stamp == nullptr) return fail_null("stamp");
  if (rangeId == nullptr) return fail_null("rangeId");
  FERRY_TRY(Ref<Stamp>, found, find_stamp(stamp));
  FERRY_TRY(uint32_t, id, start_range("", (*found)->message().c_str()));
  *rangeId = *id;
  return ACL_SUCCESS;
}

aclError aclprofRangeStop(uint32_t rangeId) {
  return end_range("", rangeId);
}

aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream) {
  if (msg == nullptr) return fail_null("msg");
  FERRY_RETURN_IF_ERROR(check_length("msgLen", msgLen, 0, kLongestMessage));
  FERRY_RETURN_IF_ERROR(check_text("msg", msg, "msgLen", msgLen));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  Annotation mark;
  mark.set_name(msg);
  FERRY_RETURN_IF_ERROR((*found)->check_open_for_work());
  record_mark("", msg);
  return submit_mark(**found, mark);
}

aclError aclprofRangePushEx(aclprofEventAttributes* attr) {
  FERRY_RETURN_IF_ERROR(check_attributes(attr));
  push_tensors(*attr->message.tensorInfo);
  return ACL_SUCCESS;
}

aclError aclprofRangePop() {
  return pop_tensors();
}

uint64_t aclprofStr2Id(const char* message) {
  if (message != nullptr) return id_of_text(message);
  static_cast<void>(fail_null("message"));
  return UINT64_MAX;
}

aclprofStepInfo* aclprofCreateStepInfo() {
  const Ref<Step> step = HandleTable<Step>::instance().insert(std::make_unique<Step>());
  return static_cast<aclprofStepInfo*>(step->handle());
}

void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) {
  if (!find_step(stepinfo).ok()) return;
  static_cast<void>(HandleTable<Step>::instance().remove(stepinfo));
}

aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag,
                                 aclrtStream stream) {
  if (stepInfo == nullptr) return fail_null("stepInfo");
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Step>, step, find_step(stepInfo));
  const std::lock_guard lock((*step)->mutex);
  FERRY_RETURN_IF_ERROR(check_tag(tag, (*step)->is_open));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  const bool is_start = tag == ACL_STEP_START;
  if (is_start) (*step)->number = next_step_number();
  Annotation mark;
  mark.kind = is_start ? AnnotationKind::kStepStart : AnnotationKind::kStepEnd;
  mark.id = (*step)->number;
  FERRY_RETURN_IF_ERROR(submit_mark(**found, mark));
  (*step)->is_open = is_start;
  return ACL_SUCCESS;
}

aclError aclrtProfTrace(void* userdata, int32_t length, aclrtStream stream) {
  constexpr int32_t kMostBytes = 18;
  if (userdata == nullptr) return fail_null("userdata");
  if (length <= 0 || length > kMostBytes) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "length", length)
        .allowed("1 to %d", kMostBytes);
  }
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  char bytes[kMostBytes] = {};
  std::memcpy(bytes, userdata, static_cast<size_t>(length));
  uint16_t tag = 0;
  Annotation mark;
  mark.kind = AnnotationKind::kTracePoint;
  std::memcpy(&mark.id, bytes, sizeof mark.id);
  std::memcpy(&mark.model, bytes + 8, sizeof mark.model);
  std::memcpy(&tag, bytes + 16, sizeof tag);
  mark.tag = tag;
  return submit_mark(**found, mark);
}

}  // namespace ferry::api
