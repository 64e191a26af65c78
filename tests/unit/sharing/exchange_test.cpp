// SPDX-License-Identifier: Apache-2.0
// Offers that this process opens itself: the whole way, without another process.
#include "sharing/exchange.h"

#include "sharing/visit.h"
#include "tests/unit/sharing/test_offer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace ferry::sharing {
namespace {

TEST(SharingExchange, AnOfferOfThisProcessIsOpenedAndLetGo) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  offer->answer.facts[3] = std::byte{9};
  offer->pass_text("hello");
  const Handle handle = publish(offer);
  EXPECT_EQ(Exchange::instance().find(handle.name), offer);
  {
    const Visit result = visit(handle, Kind::kMemory, 3);
    ASSERT_EQ(result.outcome, Visit::Outcome::kOpened) << result.text;
    EXPECT_EQ(result.facts[3], std::byte{9});
    EXPECT_EQ(text_in(result.file.number()), "hello");
    EXPECT_NE(result.file.number(), offer->file());
    EXPECT_EQ(offer->last_visitor().process, getpid());
    EXPECT_TRUE(offer->last_visitor().is_self);
    EXPECT_EQ(offer->last_visitor().device, 3);
    EXPECT_TRUE(result.hold.signal());
    offer->wait_signalled(1);
    EXPECT_EQ(offer->closed_count(), 0);
  }
  offer->wait_closed(1);
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingExchange, EachOpeningEndsByItself) {
  const auto offer = std::make_shared<TestOffer>(Kind::kNotify);
  const Handle handle = publish(offer);
  Visit first = visit(handle, Kind::kNotify, 0);
  Visit second = visit(handle, Kind::kNotify, 0);
  ASSERT_EQ(second.outcome, Visit::Outcome::kOpened);
  EXPECT_FALSE(second.file);
  first.hold = Hold();
  offer->wait_closed(1);
  EXPECT_TRUE(second.hold.signal());
  offer->wait_signalled(1);
  second.hold = Hold();
  offer->wait_closed(2);
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingExchange, ANameOfAnotherKindIsUnknown) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  const Handle handle = publish(offer);
  EXPECT_EQ(visit(handle, Kind::kNotify, 0).outcome, Visit::Outcome::kUnknown);
  EXPECT_EQ(visit({{}, handle.name}, Kind::kNotify, 0).outcome, Visit::Outcome::kUnknown);
  EXPECT_EQ(offer->opened_count(), 0);
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingExchange, AShortNameIsFoundInThisProcess) {
  const auto offer = std::make_shared<TestOffer>(Kind::kPhysicalMemory);
  const Handle handle = publish(offer, true);
  const Visit result = visit({{}, handle.name}, Kind::kPhysicalMemory, 0);
  EXPECT_EQ(result.outcome, Visit::Outcome::kOpened) << result.text;
  Exchange::instance().withdraw(handle.name);
  EXPECT_EQ(visit({{}, handle.name}, Kind::kPhysicalMemory, 0).outcome, Visit::Outcome::kUnknown);
}

TEST(SharingExchange, ARefusalHasItsCodeAndText) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  offer->answer.code = 207006;
  offer->answer.text = "process 12 is not on the list";
  const Handle handle = publish(offer);
  Visit result = visit(handle, Kind::kMemory, 0);
  EXPECT_EQ(result.outcome, Visit::Outcome::kRefused);
  EXPECT_EQ(result.code, 207006);
  EXPECT_EQ(result.text, "process 12 is not on the list");
  EXPECT_FALSE(result.hold);
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingExchange, ALongTextIsCut) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  offer->answer.code = 507899;
  offer->answer.text = std::string(5000, 'x');
  const Handle handle = publish(offer);
  const Visit result = visit(handle, Kind::kMemory, 0);
  EXPECT_EQ(result.outcome, Visit::Outcome::kRefused);
  EXPECT_EQ(result.text.find_first_not_of('x'), std::string::npos);
  EXPECT_GT(result.text.size(), 200u);
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingExchange, WithoutMemoryOnlyTheRequestFails) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  std::atomic<bool> fails{true};
  offer->on_open = [&] {
    if (fails.load()) throw std::bad_alloc();
  };
  const Handle handle = publish(offer);
  const Visit refused = visit(handle, Kind::kMemory, 0);
  EXPECT_EQ(refused.outcome, Visit::Outcome::kRefused);
  EXPECT_EQ(refused.code, ACL_ERROR_RT_MEMORY_ALLOCATION);
  fails.store(false);
  EXPECT_EQ(visit(handle, Kind::kMemory, 0).outcome, Visit::Outcome::kOpened);
  offer->wait_closed(1);
  Exchange::instance().withdraw(handle.name);
}

TEST(SharingExchange, WithdrawWaitsForAnOpenUnderWay) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  std::promise<void> inside;
  std::promise<void> gate;
  std::atomic<bool> has_left{false};
  offer->on_open = [&] {
    inside.set_value();
    gate.get_future().wait();
    has_left.store(true);
  };
  const Handle handle = publish(offer);
  std::thread visiting(
      [&] { EXPECT_EQ(visit(handle, Kind::kMemory, 0).outcome, Visit::Outcome::kOpened); });
  inside.get_future().wait();
  std::thread withdrawing([&] {
    Exchange::instance().withdraw(handle.name);
    EXPECT_TRUE(has_left.load());
  });
  gate.set_value();
  withdrawing.join();
  visiting.join();
  EXPECT_EQ(visit(handle, Kind::kMemory, 0).outcome, Visit::Outcome::kUnknown);
}

TEST(SharingExchange, AnOfferMayWithdrawItself) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  Handle handle;
  offer->on_open = [&] { Exchange::instance().withdraw(handle.name); };
  handle.name = *make_name();
  handle.address = *Exchange::instance().address();
  Exchange::instance().publish(handle.name, offer);
  EXPECT_EQ(visit(handle, Kind::kMemory, 0).outcome, Visit::Outcome::kOpened);
  EXPECT_EQ(visit(handle, Kind::kMemory, 0).outcome, Visit::Outcome::kUnknown);
}

TEST(SharingExchange, WhatIsWithdrawnStaysHeld) {
  auto offer = std::make_shared<TestOffer>(Kind::kNotify);
  const Handle handle = publish(offer);
  Visit result = visit(handle, Kind::kNotify, 0);
  Exchange::instance().withdraw(handle.name);
  EXPECT_EQ(Exchange::instance().find(handle.name), nullptr);
  ASSERT_TRUE(result.hold);
  EXPECT_TRUE(result.hold.signal());
  offer->wait_signalled(1);
  result.hold = Hold();
  offer->wait_closed(1);
}

TEST(SharingExchange, ManyThreadsVisitAtTheSameTime) {
  const auto offer = std::make_shared<TestOffer>(Kind::kMemory);
  offer->pass_text("shared");
  const Handle handle = publish(offer);
  constexpr int kThreads = 4;
  constexpr int kRounds = 50;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const Visit result = visit(handle, Kind::kMemory, 0);
        ASSERT_EQ(result.outcome, Visit::Outcome::kOpened) << result.text;
        EXPECT_EQ(text_in(result.file.number()), "shared");
        EXPECT_TRUE(result.hold.signal());
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  offer->wait_signalled(kThreads * kRounds);
  offer->wait_closed(kThreads * kRounds);
  EXPECT_EQ(offer->opened_count(), kThreads * kRounds);
  Exchange::instance().withdraw(handle.name);
}

}  // namespace
}  // namespace ferry::sharing
