// SPDX-License-Identifier: Apache-2.0
// Checks of arguments that several chapters share.
#pragma once

#include "base/status.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry::api {

// Milliseconds a synchronisation may take: 107000 unless -1 or more than 0.
Status check_wait_time(int32_t milliseconds);

// The stream a submission goes to: 107017 for a bad handle, 107002 without a context, 107003 when
// the stream belongs to another one.
Result<Ref<Stream>> stream_of_current_context(aclrtStream stream);

// 107017 when the handle is neither NULL nor that of a live stream. Empty for NULL.
Result<Ref<Stream>> stream_if_given(aclrtStream stream);

}  // namespace ferry::api
