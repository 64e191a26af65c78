// SPDX-License-Identifier: Apache-2.0
// Captures: between begin and end, the work queued on a stream, and on those that join it, is
// recorded in a model.
#pragma once

#include "base/status.h"
#include "core/context.h"
#include "core/handle_table.h"
#include "core/model/model.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

namespace ferry {

// 107027 when the stream is in a capture already.
Status begin_capture(Stream& stream, aclmdlRICaptureMode mode);
// The same into a branch of a condition. 107026 when the branch is, or was, captured.
Status begin_capture_of_branch(Stream& stream, Model& branch, aclmdlRICaptureMode mode);

struct CaptureInfo {
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  void* model = nullptr;  // handle
};
CaptureInfo capture_info(const Stream& stream);

// Whether the stream has begun the capture of a model of its own, not of a branch.
bool is_origin_of_model(const Stream& stream);
// The model. After a failure other than 107029 and 107036 the capture is over, and nothing of it
// remains.
Result<Ref<Model>> end_capture(Stream& stream);

// Why a stream with these flags cannot be captured: 507000.
Status check_flags_for_capture(const Stream& stream);

// The checks that beginning and ending a capture have in common, behind that of the flags: 107002,
// 107003, 107005 for a stream that is bound to a model, 207000 for the default stream.
Status check_capturable(const Stream& stream);

// The context is being closed.
void discard_captures(const Context& context);

// ---- what captures forbid ----

// Sets the calling thread's own mode and returns the one before.
aclmdlRICaptureMode exchange_thread_mode(aclmdlRICaptureMode mode);
// `code` unless the modes of captures and of the calling thread allow a call that may wait for
// other work: 107030, or 107041 for asynchronous copies.
Status check_unsafe_call(aclError code);
// 107027 when a stream of the calling thread's context is in a capture.
Status check_no_capture_in_context();
// A number of the calling thread, never used again.
uint64_t number_of_thread();

}  // namespace ferry
