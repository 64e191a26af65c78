// SPDX-License-Identifier: Apache-2.0
// Argument checks that several chapters share.
#pragma once

#include "base/status.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry::api {

// The timeout of a synchronisation in milliseconds: 107000 unless it is -1 or positive.
Status check_wait_time(int32_t milliseconds);

// A mandatory pointer is NULL, in a function that leaves this check to the runtime: 107000.
Status fail_null_in_runtime(const Argument& argument);

// The stream to submit to: 107017 for an invalid handle, 107002 without a context, 107003 when the
// stream belongs to another context.
Result<Ref<Stream>> stream_of_current_context(aclrtStream stream);

// 107017 when the handle is neither NULL nor that of a live stream. Empty for NULL.
Result<Ref<Stream>> stream_if_given(aclrtStream stream);

}  // namespace ferry::api
