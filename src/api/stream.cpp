// SPDX-License-Identifier: Apache-2.0
// Creating, destroying, synchronising and querying streams.
#include "core/stream.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/recording.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

// The stream to destroy: never the default one.
Result<Ref<Stream>> stream_to_destroy(aclrtStream stream) {
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  const Ref<Stream> default_stream = (*found)->context().default_stream();
  if (default_stream && default_stream->handle() == stream) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "stream", stream)
        .because(", the default stream of its context, which goes with the context");
  }
  FERRY_RETURN_IF_ERROR(check_not_captured(**found));
  return found;
}

// Synchronising and querying need a context, but not the stream's own.
Result<Ref<Stream>> stream_of_any_context(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  if ((*found)->context().handle() == current_context_handle()) return found;  // the usual case
  FERRY_RETURN_IF_ERROR(current_context().status());
  return found;
}

// Earlier releases refuse to wait for streams that the host never waits for.
Status check_can_be_waited_for(const Stream& stream) {
  constexpr uint32_t kOfTheDevice = ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
  if ((stream.flags() & kOfTheDevice) == 0 || release().waits_for_any_stream) return {};
  return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1011, "stream", Value::beside(stream.handle()))
      .because(" has the flags 0x%x: CANN %s cannot wait for it", stream.flags(), release().name);
}

}  // namespace

aclError aclrtCreateStream(aclrtStream* stream) {
  return api::aclrtCreateStreamWithConfig(stream, 0, 0);
}

aclError aclrtDestroyStream(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_to_destroy(stream));
  (*found)->wait_for_idle();
  if ((*found)->close(Stream::Waiters::kLeave)) return ACL_SUCCESS;
  return find_stream(stream).status();  // another thread has destroyed it meanwhile
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_to_destroy(stream));
  if ((*found)->close(Stream::Waiters::kAbort)) return ACL_SUCCESS;
  return find_stream(stream).status();
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_any_context(stream));
  FERRY_RETURN_IF_ERROR(check_can_be_waited_for(**found));
  return (*found)->synchronize(WaitLimit::none());
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  if (timeout < -1) return check_wait_time(timeout);
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  FERRY_RETURN_IF_ERROR(check_wait_time(timeout));
  FERRY_TRY(Ref<Stream>, found, stream_of_any_context(stream));
  FERRY_RETURN_IF_ERROR(check_can_be_waited_for(**found));
  return (*found)->synchronize(WaitLimit(timeout));
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  if (status == nullptr) return fail_null("status");
  FERRY_TRY(Ref<Stream>, found, stream_of_any_context(stream));
  bool is_done = false;
  FERRY_RETURN_IF_ERROR((*found)->query(is_done));
  *status = is_done ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtStreamAbort(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return (*found)->abort();
}

aclError aclrtStreamStop(aclrtStream stream) {
  if (stream == nullptr) return fail_null_in_runtime("stream");
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  if (is_bound(**found)) {
    return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1016, "stream", Value::beside(stream))
        .because(" is bound to a model, whose tasks it cannot stop");
  }
  return (*found)->stop();
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  if (streamId == nullptr) return fail_null("streamId");
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  *streamId = (*found)->id();
  return ACL_SUCCESS;
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  if (priority == nullptr) return fail_null("priority");
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  *priority = (*found)->priority();
  return ACL_SUCCESS;
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  if (flags == nullptr) return fail_null("flags");
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  *flags = (*found)->flags();
  return ACL_SUCCESS;
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  FERRY_RETURN_IF_ERROR(current_context().status());
  if (leastPriority != nullptr) *leastPriority = static_cast<int32_t>(kLeastUrgentPriority);
  if (greatestPriority != nullptr) *greatestPriority = 0;
  return ACL_SUCCESS;
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  if (streamCount == nullptr) return fail_null("streamCount");
  FERRY_TRY(Ref<Context>, context, current_context());
  *streamCount = (*context)->device().streams().available();
  return ACL_SUCCESS;
}

}  // namespace ferry::api
