// SPDX-License-Identifier: Apache-2.0
// Offers between two processes, of which either may be stopped or killed at any moment.
#include "sharing/connection.h"
#include "sharing/endpoint.h"
#include "sharing/exchange.h"
#include "sharing/search.h"
#include "sharing/visit.h"
#include "tests/unit/sharing/helper.h"
#include "tests/unit/sharing/test_offer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <memory>
#include <string>
#include <thread>

namespace ferry::sharing {
namespace {

const std::string kMemoryKind = " 2";
const std::string kNotifyKind = " 4";

Handle offer_of(Helper& helper, const std::string& kind) {
  const std::string key = helper.ask("offer" + kind);
  const auto handle = read_key(key.c_str());
  EXPECT_TRUE(handle.has_value()) << key;
  return handle.value_or(Handle{});
}

TEST(SharingBetweenProcesses, AVisitorNeedsNothingButTheKey) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  offer->answer.facts[0] = std::byte{11};
  offer->pass_text("bytes of the owner");
  const Handle handle = publish(offer);
  Helper helper;
  EXPECT_EQ(helper.ask("visit " + key_of(handle) + kMemoryKind), "opened 11 bytes of the owner");
  EXPECT_EQ(offer->last_visitor().process, helper.process());
  EXPECT_FALSE(offer->last_visitor().is_self);
  EXPECT_EQ(offer->last_visitor().device, 5);
  EXPECT_EQ(text_in(offer->file()), "seens of the owner");  // one file, and the visitor wrote to it
  EXPECT_EQ(helper.ask("visit " + key_of(handle) + kNotifyKind), "unknown");
  EXPECT_EQ(helper.ask("signal"), "sent");
  offer->wait_signalled(1);
  EXPECT_EQ(helper.ask("drop"), "done");
  offer->wait_closed(1);
  Exchange::instance().withdraw(handle.name);
  EXPECT_EQ(helper.ask("visit " + key_of(handle) + kMemoryKind), "unknown");
}

TEST(SharingBetweenProcesses, AVisitorIsToldWhyItIsRefused) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  offer->answer.code = 507899;
  offer->answer.text = "not on the list";
  const Handle handle = publish(offer);
  Helper helper;
  EXPECT_EQ(helper.ask("visit " + key_of(handle) + kMemoryKind), "refused 507899 not on the list");
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingBetweenProcesses, AKilledVisitorHasLetGo) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  const Handle handle = publish(offer);
  Helper helper;
  helper.ask("visit " + key_of(handle) + kMemoryKind);
  helper.ask("visit " + key_of(handle) + kMemoryKind);
  helper.kill();
  offer->wait_closed(2);
  EXPECT_EQ(offer->opened_count(), 2);
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingBetweenProcesses, TheChildOfAKilledVisitorHoldsNothing) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  const Handle handle = publish(offer);
  Helper helper;
  helper.ask("visit " + key_of(handle) + kMemoryKind);
  const pid_t child = std::stoi(helper.ask("fork"));
  helper.kill();
  offer->wait_closed(1);
  EXPECT_EQ(kill(child, SIGKILL), 0);  // it has lived until now
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingBetweenProcesses, AKilledOwnerIsUnknown) {
  Helper helper;
  const Handle handle = offer_of(helper, kNotifyKind);
  const Visit before = visit(handle, Kind::kNotify, 0);
  ASSERT_EQ(before.outcome, Visit::Outcome::kOpened) << before.text;
  EXPECT_TRUE(before.hold.signal());
  EXPECT_EQ(helper.ask("wait_signalled 1"), "reached");
  helper.kill();
  EXPECT_EQ(visit(handle, Kind::kNotify, 0).outcome, Visit::Outcome::kUnknown);
  EXPECT_FALSE(before.hold.signal());
  EXPECT_EQ(text_in(before.file.number()), "of the helper");  // the bytes stay
}

TEST(SharingBetweenProcesses, AnOwnerKilledBeforeTheFirstVisitIsUnknown) {
  Helper helper;
  const Handle handle = offer_of(helper, kNotifyKind);
  helper.kill();
  EXPECT_EQ(visit(handle, Kind::kNotify, 0).outcome, Visit::Outcome::kUnknown);
  EXPECT_EQ(visit({{}, handle.name}, Kind::kNotify, 0).outcome, Visit::Outcome::kUnknown);
}

TEST(SharingBetweenProcesses, TheChildOfAKilledOwnerKeepsNoSocket) {
  Helper helper;
  const Handle handle = offer_of(helper, kNotifyKind);
  const Visit before = visit(handle, Kind::kNotify, 0);
  ASSERT_EQ(before.outcome, Visit::Outcome::kOpened);
  const pid_t child = std::stoi(helper.ask("fork"));
  helper.kill();
  EXPECT_EQ(visit(handle, Kind::kNotify, 0).outcome, Visit::Outcome::kUnknown);
  EXPECT_FALSE(before.hold.signal());
  EXPECT_EQ(kill(child, SIGKILL), 0);
}

TEST(SharingBetweenProcesses, AnOwnerWithAChildGoesOn) {
  Helper helper;
  const Handle handle = offer_of(helper, kNotifyKind);
  const pid_t child = std::stoi(helper.ask("fork"));
  const Visit result = visit(handle, Kind::kNotify, 0);
  EXPECT_EQ(result.outcome, Visit::Outcome::kOpened);
  EXPECT_EQ(kill(child, SIGKILL), 0);
}

TEST(SharingBetweenProcesses, AStoppedOwnerIsLetGoOfAtOnce) {
  Helper helper;
  const Handle handle = offer_of(helper, kNotifyKind);
  Visit first = visit(handle, Kind::kNotify, 0);
  Visit second = visit(handle, Kind::kNotify, 0);
  ASSERT_EQ(second.outcome, Visit::Outcome::kOpened);
  helper.stop();
  EXPECT_TRUE(first.hold.signal());
  first.hold = Hold();
  second.hold = Hold();
  helper.go_on();
  EXPECT_EQ(helper.ask("wait_signalled 1"), "reached");
  EXPECT_EQ(helper.ask("wait_closed 2"), "reached");
}

TEST(SharingBetweenProcesses, AnAnswerThatComesTooLateIsLetGo) {
  Helper helper;
  const Handle handle = offer_of(helper, kNotifyKind);
  Connection connection(connect_to(handle.address, Clock::time_point::max()));
  Request request;
  request.type = Request::Type::kOpen;
  request.name = handle.name;
  request.kind = Kind::kNotify;
  Reply reply;
  Descriptor file;
  helper.stop();
  const auto soon = Clock::now() + std::chrono::milliseconds(20);
  EXPECT_EQ(connection.open(request, soon, reply, file), Connection::Asked::kLate);
  helper.go_on();
  // The next reply is its own, not the late one.
  EXPECT_EQ(connection.open(request, Clock::time_point::max(), reply, file),
            Connection::Asked::kAnswered);
  EXPECT_EQ(reply.opening, request.opening);
  EXPECT_TRUE(file);
  EXPECT_EQ(helper.ask("opened_count"), "2");
  EXPECT_EQ(helper.ask("wait_closed 1"), "reached");
  connection.let_go(request.opening);
  EXPECT_EQ(helper.ask("wait_closed 2"), "reached");
}

TEST(SharingBetweenProcesses, AStoppedOwnerWithFullBuffersLosesNothingThatWasSent) {
  Helper helper;
  const Handle handle = offer_of(helper, kNotifyKind);
  Connection connection(connect_to(handle.address, Clock::time_point::max()));
  Request request;
  request.type = Request::Type::kOpen;
  request.name = handle.name;
  request.kind = Kind::kNotify;
  Reply reply;
  Descriptor file;
  ASSERT_EQ(connection.open(request, Clock::time_point::max(), reply, file),
            Connection::Asked::kAnswered);
  const uint64_t first = request.opening;
  ASSERT_EQ(connection.open(request, Clock::time_point::max(), reply, file),
            Connection::Asked::kAnswered);
  helper.stop();
  int sent = 0;
  while (connection.signal(first, Clock::now()))
    ++sent;
  EXPECT_GT(sent, 10);
  EXPECT_FALSE(connection.has_ended());
  connection.let_go(first);  // no room: it is sent with the next message
  helper.go_on();
  EXPECT_EQ(helper.ask("wait_signalled " + std::to_string(sent)), "reached");
  EXPECT_TRUE(connection.signal(request.opening, Clock::time_point::max()));
  EXPECT_EQ(helper.ask("wait_closed 1"), "reached");
  EXPECT_EQ(helper.ask("wait_signalled " + std::to_string(sent + 1)), "reached");
}

TEST(SharingBetweenProcesses, ShortNamesAreFoundAmongSeveralProcesses) {
  const auto own = std::make_shared<TestOffer>(Kind::kMemory);
  const Handle own_handle = publish(own, true);
  Helper first;
  Helper second;
  Helper third;
  const std::string a = first.ask("offer_short" + kMemoryKind);
  const std::string b = second.ask("offer_short" + kMemoryKind);
  EXPECT_EQ(third.ask("visit_short " + a + kMemoryKind), "opened 42 of the helper");
  EXPECT_EQ(third.ask("visit_short " + b + kMemoryKind), "opened 42 of the helper");
  EXPECT_EQ(first.ask("visit_short " + b + kMemoryKind), "opened 42 seenhe helper");
  EXPECT_EQ(first.ask("opened_count"), "1");
  EXPECT_EQ(second.ask("opened_count"), "2");
  EXPECT_EQ(third.ask("visit_short " + b + kNotifyKind), "unknown");
  EXPECT_EQ(third.ask("visit_short 1" + kMemoryKind), "unknown");
  Handle handle;
  handle.name.low = std::stoull(a, nullptr, 16);
  EXPECT_EQ(visit(handle, Kind::kMemory, 0).outcome, Visit::Outcome::kOpened);
  first.ask("withdraw");
  EXPECT_EQ(visit(handle, Kind::kMemory, 0).outcome, Visit::Outcome::kUnknown);
  Exchange::instance().withdraw(own_handle.name);
}

TEST(SharingBetweenProcesses, AStoppedProcessHidesNoOther) {
  Helper stopped;
  Helper owner;
  const Handle beside = offer_of(stopped, kMemoryKind);
  const Handle handle = offer_of(owner, kMemoryKind);
  stopped.stop();
  EXPECT_EQ(visit({{}, handle.name}, Kind::kMemory, 0).outcome, Visit::Outcome::kOpened);
  const auto soon = Clock::now() + std::chrono::milliseconds(20);
  const Search search = find_owner(beside.name, Kind::kMemory, soon);
  EXPECT_EQ(search.outcome, Search::Outcome::kUnclear);
  EXPECT_NE(search.text.find(std::to_string(stopped.process())), std::string::npos);
}

TEST(SharingBetweenProcesses, AnOwnerWithoutFilesAcceptsLater) {
  Helper helper;
  const Handle handle = offer_of(helper, kMemoryKind);
  EXPECT_EQ(helper.ask("limit_files"), "done");
  std::thread visiting([&] {
    const Visit result = visit(handle, Kind::kMemory, 0);
    EXPECT_EQ(result.outcome, Visit::Outcome::kOpened) << result.text;
  });
  EXPECT_EQ(helper.ask("unlimit_files"), "done");
  visiting.join();
}

TEST(SharingBetweenProcesses, AVisitorWithoutFilesHoldsNothing) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  offer->pass_text("text");
  const Handle handle = publish(offer);
  Helper helper;
  helper.ask("visit " + key_of(handle) + kMemoryKind);
  EXPECT_EQ(helper.ask("limit_files"), "done");
  const std::string answer = helper.ask("visit " + key_of(handle) + kMemoryKind);
  EXPECT_TRUE(answer.starts_with("unreachable")) << answer;
  EXPECT_NE(answer.find("ulimit -n"), std::string::npos) << answer;
  offer->wait_closed(1);
  EXPECT_EQ(helper.ask("unlimit_files"), "done");
  EXPECT_EQ(helper.ask("visit " + key_of(handle) + kMemoryKind), "opened 0 seen");
  EXPECT_EQ(offer->closed_count(), 1);
  Exchange::instance().withdraw(handle.name);
}

}  // namespace
}  // namespace ferry::sharing
