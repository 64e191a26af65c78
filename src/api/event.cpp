// SPDX-License-Identifier: Apache-2.0
// Creating, recording, resetting and destroying events, and making streams wait for them.
#include "core/event.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/captured_event.h"

#include <atomic>

namespace ferry::api {
namespace {

constexpr uint32_t kCombinable =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;

Status create(aclrtEvent* event, Event::Kind kind, uint32_t flags) {
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(Ref<Event>, made, Event::create((*context)->device(), kind, flags));
  *event = (*made)->handle();
  return {};
}

// `alone`: the flags that may only be given by themselves.
Status check_flags(uint32_t flag, uint32_t alone) {
  if (flag == 0 || (flag & ~(kCombinable | alone)) != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", Value::hex(flag))
        .allowed("a combination of 0x1, 0x2 and 0x8, or one of 0x%x alone", alone);
  }
  const bool has_alone = (flag & alone) != 0;
  const bool is_single = (flag & (flag - 1)) == 0;
  if (has_alone && !is_single) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1006, "flag", Value::hex(flag))
        .because(", but 0x%x cannot be combined with others", flag & alone);
  }
  return {};
}

Status record(aclrtEvent event, aclrtStream stream) {
  FERRY_TRY(Ref<Event>, found, find_event(event));
  FERRY_TRY(Ref<Stream>, on, stream_of_current_context(stream));
  if (((*found)->flags() & ACL_EVENT_DEVICE_USE_ONLY) != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1006, "event", Value::beside(event))
        .because(" was made with ACL_EVENT_DEVICE_USE_ONLY: the host cannot record it");
  }
  return (*found)->record(**on);
}

Status wait(aclrtStream stream, aclrtEvent event, int64_t timeout) {
  FERRY_TRY(Ref<Event>, found, find_event(event));
  FERRY_TRY(Ref<Stream>, given, stream_if_given(stream));
  FERRY_RETURN_IF_ERROR((*found)->check_awaitable(*given));
  FERRY_TRY(Ref<Stream>, waiting, stream_of_current_context(stream));
  return (*found)->make_stream_wait(**waiting, timeout);
}

// Seconds of the API to nanoseconds; 0 is forever.
int64_t wait_of_seconds(uint32_t seconds) {
  return seconds == 0 ? FERRYX_FOREVER : int64_t{seconds} * 1'000'000'000;
}

constexpr uint32_t kExternal = ACL_EVENT_RECORD_EXTERNAL;
static_assert(ACL_EVENT_WAIT_EXTERNAL == kExternal);

// The event of a call with a flag, and whether the flag is valid for it. All records of an event
// have the same flag, and so have all waits: the first call decides, even if it fails later.
Result<Ref<Event>> event_with_flag(aclrtEvent event, uint32_t flag,
                                   std::atomic<int> Event::*first) {
  if (event == nullptr) return fail_null_in_runtime("event");
  if (flag > 1) return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", flag).allowed("0 or 1");
  FERRY_TRY(Ref<Event>, found, find_event(event));
  if (flag == kExternal) {
    if (((*found)->flags() & ACL_EVENT_DEVICE_USE_ONLY) != 0) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1006, "event", Value::beside(event))
          .because(" was made with ACL_EVENT_DEVICE_USE_ONLY");
    }
    if ((*found)->kind() != Event::Kind::kEx || (*found)->flags() != ACL_EVENT_SYNC) {
      return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "event", Value::beside(event))
          .because(
              " cannot be external: make it with aclrtCreateEventExWithFlag and "
              "ACL_EVENT_SYNC alone");
    }
  }
  int before = -1;
  const int own = static_cast<int>(flag);
  if (!((**found).*first).compare_exchange_strong(before, own) && before != own) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "flag", flag)
        .because(", but an earlier call with this event had the flag %d", before);
  }
  return found;
}

}  // namespace

aclError aclrtCreateEvent(aclrtEvent* event) {
  if (event == nullptr) return fail_null("event");
  return create(event, Event::Kind::kPlain, 0);
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  if (event == nullptr) return fail_null("event");
  FERRY_RETURN_IF_ERROR(check_flags(flag, ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL));
  return create(event, Event::Kind::kFlagged, flag);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  if (event == nullptr) return fail_null("event");
  FERRY_RETURN_IF_ERROR(check_flags(flag, ACL_EVENT_IPC));
  return create(event, Event::Kind::kEx, flag);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  FERRY_RETURN_IF_ERROR(find_event(event).status());
  if (HandleTable<Event>::instance().remove(event)) return ACL_SUCCESS;
  return find_event(event).status();  // another thread has destroyed it meanwhile
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return record(event, stream);
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  FERRY_TRY(Ref<Event>, found, event_with_flag(event, flag, &Event::record_flag));
  if (flag != kExternal) return record(event, stream);
  FERRY_TRY(Ref<Stream>, on, stream_of_current_context(stream));
  return use_external_event(**found, **on, ExternalUse::kRecord);
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  FERRY_TRY(Ref<Event>, found, find_event(event));
  FERRY_TRY(Ref<Stream>, on, stream_of_current_context(stream));
  if ((*found)->kind() == Event::Kind::kEx) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "event", Value::beside(event))
        .because(" was made by aclrtCreateEventExWithFlag and cannot be reset");
  }
  return (*found)->reset(**on);
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return wait(stream, event, default_wait());
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  if (timeout < 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEH0007, "timeout", timeout)
        .allowed("0 (for ever) or more (seconds)");
  }
  if (event == nullptr) return fail_null("event", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  return wait(stream, event, wait_of_seconds(static_cast<uint32_t>(timeout)));
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
                                      uint32_t flag) {
  FERRY_TRY(Ref<Event>, found, event_with_flag(event, flag, &Event::wait_flag));
  if (flag != kExternal) return wait(stream, event, wait_of_seconds(timeout));
  if (timeout != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "timeout", timeout)
        .allowed("0 (for ever) with the flag EXTERNAL");
  }
  FERRY_TRY(Ref<Stream>, on, stream_of_current_context(stream));
  return use_external_event(**found, **on, ExternalUse::kWait);
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  FERRY_RETURN_IF_ERROR(current_context().status());
  set_default_wait_seconds(timeout);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
