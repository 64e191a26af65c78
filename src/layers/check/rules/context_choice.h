// SPDX-License-Identifier: Apache-2.0
// How the calling thread got its context: the latest call that chose one, and where devices were
// reset. Protected by World's lock.
#pragma once

#include "layers/check/calls/call.h"

#include "acl/acl_base_rt.h"

#include <cstdint>

namespace ferry::layers::check {

struct ContextChoice {
  const char* function = nullptr;  // nullptr: none yet
  SiteId site = kNoSite;
  int thread = 0;                 // the kernel's thread id
  int32_t device = -1;            // of aclrtSetDevice and aclrtCreateContext
  const void* context = nullptr;  // of aclrtSetCurrentContext and aclrtCreateContext
};

// Called for every call. Calling it twice is harmless.
void note_context_choice(const Call& call, aclError code);

const ContextChoice& choice_of_this_thread();
// The latest one of any thread.
const ContextChoice& latest_choice();
// The latest reset of the device; nullptr when there was none.
const ContextChoice* latest_reset(int32_t device);

}  // namespace ferry::layers::check
