// SPDX-License-Identifier: Apache-2.0
// aclrtStreamWaitEvent: what it refuses, and in which order.
#include "support/streams.h"

namespace conformance::aclrtStreamWaitEvent_errors_test {
namespace {

using streams::Event;
using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::OtherContext;

class AclrtStreamWaitEventErrors : public WithStream {
 protected:
  // The stream is idle: refused calls queue nothing.
  void TearDown() override {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_OK(aclrtStreamQuery(stream_, &status));
    EXPECT_EQ(ACL_STREAM_STATUS_COMPLETE, status);
    WithStream::TearDown();
  }
};

TEST_F(AclrtStreamWaitEventErrors, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamWaitEvent(stream_, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamWaitEvent(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamWaitEvent(wrong.dead_stream(), nullptr));
  on_new_thread(
      [&] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamWaitEvent(stream_, nullptr)); });
}

TEST_F(AclrtStreamWaitEventErrors, RefusesHandlesOfAnotherTypeNext) {
  streams::WrongHandles wrong;
  const Event never = Event::plain();
  const Event no_sync = Event::with_flag(ACL_EVENT_TIME_LINE);
  for (void* handle : wrong.for_event())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEvent(stream_, handle));
  for (void* handle : wrong.for_stream()) {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEvent(handle, never));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEvent(handle, no_sync));
  }
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEvent(stream_, wrong.dead_event()));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamWaitEvent(wrong.dead_stream(), never));
  });
}

TEST_F(AclrtStreamWaitEventErrors, DoesNotSupportEventsThatStreamsCannotWaitFor) {
  for (const uint32_t flag : {0x2u, 0x8u, 0xAu}) {
    const Event events[] = {Event::with_flag(flag), Event::ex(flag)};
    for (const Event& event : events) {
      EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEvent(stream_, event));
      EXPECT_OK(aclrtRecordEvent(event, stream_));
      EXPECT_OK(aclrtSynchronizeStream(stream_));
      EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEvent(stream_, event));
      on_new_thread(
          [&] { EXPECT_FAILS_WITH(kNotSupported, aclrtStreamWaitEvent(stream_, event)); });
    }
  }
}

TEST_F(AclrtStreamWaitEventErrors, RefusesAPlainEventThatWasNeverRecorded) {
  const Event event = Event::plain();
  EXPECT_FAILS(kBadValue, "EE1018", aclrtStreamWaitEvent(stream_, event));
  EXPECT_FAILS(kBadValue, "EE1018", aclrtStreamWaitEvent(nullptr, event));
  on_new_thread([&] { EXPECT_FAILS(kBadValue, "EE1018", aclrtStreamWaitEvent(stream_, event)); });
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtStreamWaitEventErrors, NeedsTheContextOfTheStream) {
  const Event flag = Event::with_flag();
  const Event plain = Event::plain();
  EXPECT_OK(aclrtRecordEvent(plain, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  for (const aclrtEvent event : {aclrtEvent{flag}, aclrtEvent{plain}}) {
    on_new_thread([&] {
      EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamWaitEvent(stream_, event));
      EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamWaitEvent(nullptr, event));
    });
    const OtherContext other;
    const Inside inside(other);
    EXPECT_FAILS(kOtherContext, "EE1010", aclrtStreamWaitEvent(stream_, event));
  }
}

TEST_F(AclrtStreamWaitEventErrors, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  const Event never = Event::plain();
  const Event ex = Event::ex();
  streams::expect_last_error_rules([&] { return aclrtStreamWaitEvent(stream_, nullptr); },
                                   [&] { return aclrtStreamWaitEvent(stream_, never); },
                                   [&] { return aclrtStreamWaitEvent(stream_, ex); });
}

}  // namespace
}  // namespace conformance::aclrtStreamWaitEvent_errors_test
