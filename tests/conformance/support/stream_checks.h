// SPDX-License-Identifier: Apache-2.0
// What every function that takes a stream of the calling thread's context refuses. Header only.
#pragma once

#include "support/streams.h"

namespace conformance {

// `call` takes a stream and returns the code of the function; all else is valid.
template <class Call>
void expect_stream_is_checked(const char* function, aclrtStream stream, Call call) {
  const auto refuses = [&](aclError code, const char* message, aclrtStream given) {
    return fails_as("", "", function, code, message, call(given));
  };
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_TRUE(refuses(streams::kBadHandle, "EE1017", handle));
  on_new_thread([&] {
    EXPECT_TRUE(refuses(streams::kBadHandle, "EE1017", wrong.dead_stream()));
    EXPECT_TRUE(refuses(streams::kNoContext, "EE1018", stream));
    EXPECT_TRUE(refuses(streams::kNoContext, "EE1018", nullptr));
  });
  const streams::OtherContext other;
  const streams::Inside inside(other);
  EXPECT_TRUE(refuses(streams::kOtherContext, "EE1010", stream));
  clear_errors();
}

}  // namespace conformance
