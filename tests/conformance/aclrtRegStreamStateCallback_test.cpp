// SPDX-License-Identifier: Apache-2.0
// aclrtRegStreamStateCallback: a function that is called when streams are created and destroyed.
#include "support/state_calls.h"

namespace conformance::aclrtRegStreamStateCallback_test {
namespace {

using state_calls::NotedStreams;
using streams::kBadArgument;
using streams::kBadValue;
using streams::Stream;

using AclrtRegStreamStateCallback = WithDevice;

void ignore(aclrtStream /*stream*/, aclrtStreamState /*state*/, void* /*args*/) {}

TEST_F(AclrtRegStreamStateCallback, TellsWhenAStreamIsCreatedAndDestroyed) {
  NotedStreams noted("streams");
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  ASSERT_EQ(1u, noted.calls.size());
  EXPECT_EQ(stream, noted.calls[0].object);
  EXPECT_EQ(ACL_RT_STREAM_STATE_CREATE_POST, noted.calls[0].state);
  EXPECT_OK(aclrtDestroyStream(stream));
  ASSERT_EQ(2u, noted.calls.size());
  EXPECT_EQ(stream, noted.calls[1].object);
  EXPECT_EQ(ACL_RT_STREAM_STATE_DESTROY_PRE, noted.calls[1].state);
}

TEST_F(AclrtRegStreamStateCallback, IsCalledInTheThreadThatCreatesAndDestroys) {
  NotedStreams noted("streams");
  const aclrtContext context = streams::current_context();
  aclrtStream stream = nullptr;
  std::thread::id creator;
  streams::start_in(context, [&] {
    creator = std::this_thread::get_id();
    ASSERT_OK(aclrtCreateStream(&stream));
  }).join();
  EXPECT_OK(aclrtDestroyStreamForce(stream));
  ASSERT_EQ(2u, noted.calls.size());
  EXPECT_EQ(creator, noted.calls[0].thread);
  EXPECT_EQ(std::this_thread::get_id(), noted.calls[1].thread);
}

TEST_F(AclrtRegStreamStateCallback, TellsOfTheDefaultStreamOfAContext) {
  NotedStreams noted("streams");
  {
    const streams::OtherContext other;
    const streams::Inside inside(other);
    aclrtStream default_stream = nullptr;
    EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
    ASSERT_EQ(1u, noted.calls.size());
    EXPECT_EQ(default_stream, noted.calls[0].object);
  }
  ASSERT_EQ(2u, noted.calls.size());
  EXPECT_EQ(ACL_RT_STREAM_STATE_DESTROY_PRE, noted.calls[1].state);
  EXPECT_EQ(noted.calls[0].object, noted.calls[1].object);
}

TEST(AclrtRegStreamStateCallbackDevice, TellsOfTheDefaultStreamOfADevice) {
  NotedStreams noted("streams");
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(1u, noted.calls.size());
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(1u, noted.calls.size()) << "the same context";
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(1u, noted.calls.size());
  EXPECT_OK(aclrtResetDevice(0));
  ASSERT_EQ(2u, noted.calls.size());
  EXPECT_EQ(noted.calls[0].object, noted.calls[1].object);
}

// The handle works in both callbacks, and no lock is held: they call the API.
TEST_F(AclrtRegStreamStateCallback, MayUseTheStream) {
  std::vector<aclError> codes;
  const auto use = [](aclrtStream stream, aclrtStreamState /*state*/, void* codes_of_test) {
    int32_t id = -1;
    static_cast<std::vector<aclError>*>(codes_of_test)->push_back(aclrtStreamGetId(stream, &id));
    EXPECT_OK(aclrtRegStreamStateCallback("another", nullptr, nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtResetDevice(0));
  };
  EXPECT_OK(aclrtRegStreamStateCallback("using", use, &codes));
  { const Stream stream; }
  EXPECT_OK(aclrtRegStreamStateCallback("using", nullptr, nullptr));
  EXPECT_EQ(std::vector<aclError>(2, ACL_SUCCESS), codes);
}

TEST_F(AclrtRegStreamStateCallback, CallsAllThatAreRegistered) {
  NotedStreams first("first");
  NotedStreams second("second");
  { const Stream stream; }
  EXPECT_EQ(2u, first.calls.size());
  EXPECT_EQ(2u, second.calls.size());
}

TEST_F(AclrtRegStreamStateCallback, IsNotCalledOnceRemoved) {
  NotedStreams noted("streams");
  noted.remove();
  { const Stream stream; }
  EXPECT_TRUE(noted.calls.empty());
}

TEST_F(AclrtRegStreamStateCallback, RefusesANameInUse) {
  NotedStreams noted("streams");
  EXPECT_FAILS(kBadValue, "EE1017", aclrtRegStreamStateCallback("streams", ignore, nullptr));
  noted.remove();
  EXPECT_OK(aclrtRegStreamStateCallback("streams", ignore, nullptr));
}

TEST(AclrtRegStreamStateCallbackArguments, RemovesUnknownNames) {
  EXPECT_OK(aclrtRegStreamStateCallback("nobody", nullptr, nullptr));
}

TEST(AclrtRegStreamStateCallbackArguments, NeedsAName) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtRegStreamStateCallback(nullptr, ignore, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtRegStreamStateCallback(nullptr, nullptr, nullptr));
}

}  // namespace
}  // namespace conformance::aclrtRegStreamStateCallback_test
