// SPDX-License-Identifier: Apache-2.0
// Copies of rows with a pitch.
#pragma once

#include "base/status.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry {

struct Copy2dRequest {
  void* dst = nullptr;
  uint64_t dst_pitch = 0;
  const void* src = nullptr;
  uint64_t src_pitch = 0;
  uint64_t width = 0;
  uint64_t height = 0;
};

Status copy_2d_now(const Copy2dRequest& request);

// `given` is empty for the default stream of the calling thread's context.
Status copy_2d_async(const Copy2dRequest& request, aclrtMemcpyKind kind, Ref<Stream> given);

}  // namespace ferry
