// SPDX-License-Identifier: Apache-2.0
// aclmdlRIGetStreams: one stream per stream that took part in the capture.
#include "support/models.h"

namespace conformance::aclmdlRIGetStreams_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIGetStreams = WithStream;

TEST_F(AclmdlRIGetStreams, ChecksInOrder) {
  const Model model = capture(stream_, [] {});
  uint32_t count = 0;
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIGetStreams(nullptr, nullptr, &count));
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIGetStreams(model, nullptr, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIGetStreams(dead_model(stream_), nullptr, &count));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIGetStreams(model, nullptr, &count)); });
  const OtherContext other;
  const streams::Inside inside(other);
  EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIGetStreams(model, nullptr, &count));
}

TEST_F(AclmdlRIGetStreams, CountsAndFillsTheArray) {
  const Forked forked(stream_);
  uint32_t count = 0;
  EXPECT_OK(aclmdlRIGetStreams(forked.model, nullptr, &count));
  EXPECT_EQ(2u, count);
  aclrtStream streams[4] = {&count, &count, &count, &count};
  count = 1;
  EXPECT_FAILS_WITH(107039, aclmdlRIGetStreams(forked.model, streams, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(&count, streams[1]);
  count = 4;
  EXPECT_OK(aclmdlRIGetStreams(forked.model, streams, &count));
  EXPECT_EQ(2u, count);
  EXPECT_NE(streams[0], streams[1]);
  EXPECT_EQ(nullptr, streams[2]);
  EXPECT_EQ(nullptr, streams[3]);
  EXPECT_NE(stream_, streams[0]);
  EXPECT_FAILS_WITH(kBadHandle, aclrtSynchronizeStream(streams[0]));
}

}  // namespace
}  // namespace conformance::aclmdlRIGetStreams_test
