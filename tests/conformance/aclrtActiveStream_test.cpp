// SPDX-License-Identifier: Apache-2.0
// aclrtActiveStream: a bound stream starts another one.
#include "support/built_models.h"

namespace conformance::aclrtActiveStream_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclrtActiveStream = WithStream;

TEST_F(AclrtActiveStream, ChecksInOrder) {
  BoundStream stream;
  BoundStream other_stream;
  BoundStream unbound;
  Building model;
  Building other_model;
  model.bind(stream);
  other_model.bind(other_stream);
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtActiveStream(nullptr, stream));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtActiveStream(stream, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclrtActiveStream(wrong.dead_stream(), stream));
  EXPECT_FAILS_WITH(kBadHandle, aclrtActiveStream(stream, wrong.dead_stream()));
  EXPECT_FAILS_WITH(kBound, aclrtActiveStream(unbound, stream));
  EXPECT_FAILS_WITH(kBound, aclrtActiveStream(stream, unbound));
  EXPECT_FAILS_WITH(kBound, aclrtActiveStream(other_stream, stream));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclrtActiveStream(stream, stream)); });
}

TEST_F(AclrtActiveStream, BothGoOn) {
  BoundStream head;
  BoundStream second;
  const Event event = Event::ex();
  Mark first;
  Mark other;
  Building model;
  model.bind(head, kHead);
  model.bind(second, kActivated);
  EXPECT_OK(aclrtActiveStream(second, head));
  EXPECT_OK(first.queue(head));
  EXPECT_OK(other.queue(second));
  EXPECT_OK(aclrtRecordEvent(event, second));
  EXPECT_OK(aclrtStreamWaitEvent(head, event));
  model.finish(head);
  for (int i = 0; i < 5; ++i) {
    first.clear();
    other.clear();
    model.run();
    EXPECT_TRUE(first.is_reached());
    EXPECT_TRUE(other.is_reached());
  }
}

}  // namespace
}  // namespace conformance::aclrtActiveStream_test
