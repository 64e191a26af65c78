// SPDX-License-Identifier: Apache-2.0
// One copy: during the call, or queued on a stream. The direction comes from the two addresses.
#pragma once

#include "base/status.h"
#include "core/location.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry {

struct CopyRequest {
  void* dst = nullptr;
  const void* src = nullptr;
  uint64_t size = 0;
};

// Copies on the calling thread, which needs a context. 107030 when a capture forbids it.
Status copy_now(const CopyRequest& request);
// The same for what the runtime itself writes, whatever is captured.
Status copy_for_the_runtime(const CopyRequest& request);

// Queues the copy; or, when the host side is pageable, waits for the stream and copies. `given` is
// empty for the default stream of the calling thread's context.
Status copy_async(const CopyRequest& request, aclrtMemcpyKind kind, Ref<Stream> given);

// ---- shared with the other forms of copies ----

ferryx_copy make_copy(const CopyRequest& request, const Location& dst, const Location& src);

// 107000 when `kind` contradicts the addresses. Checked only when one side is pageable.
Status check_kind(aclrtMemcpyKind kind, const Location& dst, const Location& src);

// 107000 on a stream that is recorded in a model; 107041 when a capture forbids calls that wait.
Status check_pageable_allowed(const Stream& stream);
// An asynchronous copy of pageable memory first waits for all earlier work of the stream. An error
// of that work is returned by the call.
Status wait_before_pageable_copy(Stream& stream);

// check_backend for all items. Looks their addresses up again, but only with several backends.
Status check_backends(const Device& device, const ferryx_copies& copies, Use use);

// Copies during the call. All addresses must be resolved.
Status execute_copies(const Device& device, const ferryx_copies& copies);
// The same for one range of live memory.
Status copy_now(const Device& device, void* dst, const void* src, size_t size);

// Submits to a stream that must belong to the calling thread's context.
Status submit_copies(Stream& stream, const ferryx_copies& copies, uint64_t epoch);
// The same for a backend that takes columns.
Status submit_columns(Stream& stream, const ferryx_columns& columns, uint64_t epoch);

uint64_t memory_epoch();

}  // namespace ferry
