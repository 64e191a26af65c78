// SPDX-License-Identifier: Apache-2.0
// A run of a model as functions of the program see it: they may outlive it, and the model too.
#pragma once

#include "base/fixed_text.h"

#include "acl/acl_base_rt.h"

#include <cstdint>

namespace ferry {

class Stream;

struct RunRef {
  void* model = nullptr;  // handle; nullptr: not part of a run
  uint64_t number = 0;

  // The run under way in the model that the stream is recorded in is unknown before it runs; its
  // model is not.
  static void* model_of(const Stream& stream);
  // The same model with the run that is under way. For tasks of that run.
  static RunRef current(void* model);
  // The run fails: its launching stream keeps the failure, and the rest of it is dropped.
  void fail(aclError code, const FixedText& text) const;
};

}  // namespace ferry
