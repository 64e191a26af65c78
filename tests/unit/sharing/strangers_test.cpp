// SPDX-License-Identifier: Apache-2.0
// Peers that are not what they should be: other users, and bytes that are no message.
#include "sharing/channel.h"
#include "sharing/endpoint.h"
#include "sharing/exchange.h"
#include "sharing/visit.h"
#include "tests/unit/sharing/helper.h"
#include "tests/unit/sharing/test_offer.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace ferry::sharing {
namespace {

std::string socket_name(unsigned user, const Address& address) {
  std::ostringstream text;
  text << "ferry1/" << user << '/' << address.process << '-' << std::hex;
  text.width(16);
  text.fill('0');
  text << address.token;
  return text.str();
}

// Becomes ready when the other side answers or ends the connection.
bool is_ended(int socket) {
  wait_for_socket(socket, POLLIN, Clock::time_point::max());
  Reply reply;
  return receive_message(socket, reply) == Transfer::kEnded;
}

class SharingStrangers : public testing::Test {
 protected:
  void SetUp() override { handle_ = publish(offer_); }
  void TearDown() override {
    EXPECT_EQ(visit(handle_, Kind::kMemory, 0).outcome, Visit::Outcome::kOpened);
    Exchange::instance().withdraw(handle_.name);
  }

  Descriptor connect() { return connect_to(handle_.address, Clock::time_point::max()); }
  Request open_request() const {
    Request request;
    request.type = Request::Type::kOpen;
    request.opening = 1;
    request.name = handle_.name;
    request.kind = Kind::kMemory;
    return request;
  }
  // What the answering thread does with a message that is no request.
  void expect_disconnected(const void* bytes, size_t size, int file = -1) {
    const Descriptor socket = connect();
    ASSERT_TRUE(socket);
    ASSERT_EQ(send_bytes(socket.number(), bytes, size, file), Transfer::kDone);
    EXPECT_TRUE(is_ended(socket.number()));
  }

  std::shared_ptr<TestOffer> offer_ = std::make_shared<TestOffer>(Kind::kMemory);
  Handle handle_;
};

TEST_F(SharingStrangers, MessagesOfAnotherSizeEndTheConnection) {
  Request request = open_request();
  std::vector<char> bytes(4096);
  std::memcpy(bytes.data(), &request, sizeof request);
  for (const size_t size : {1ul, sizeof request - 1, sizeof request + 1, bytes.size()})
    expect_disconnected(bytes.data(), size);
  expect_disconnected(bytes.data(), 0);
}

TEST_F(SharingStrangers, OtherMagicVersionAndTypesEndTheConnection) {
  Request request = open_request();
  request.magic ^= 1;
  expect_disconnected(&request, sizeof request);
  request = open_request();
  ++request.version;
  expect_disconnected(&request, sizeof request);
  for (const int type : {0, 5, 65535}) {
    request = open_request();
    request.type = static_cast<Request::Type>(type);
    expect_disconnected(&request, sizeof request);
  }
}

TEST_F(SharingStrangers, RandomBytesEndTheConnection) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    std::vector<char> bytes(1 + random() % 200);
    for (char& byte : bytes)
      byte = static_cast<char>(random());
    expect_disconnected(bytes.data(), bytes.size());
  }
}

TEST_F(SharingStrangers, DescriptorsThatNobodyAskedForAreNotTaken) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  Request request = open_request();
  request.type = Request::Type::kFind;
  const Descriptor socket = connect();
  ASSERT_EQ(send_message(socket.number(), request), Transfer::kDone);
  Reply reply;
  wait_for_socket(socket.number(), POLLIN, Clock::time_point::max());
  ASSERT_EQ(receive_message(socket.number(), reply), Transfer::kDone);
  const auto before = count();
  constexpr int kMessages = 20;
  for (int i = 0; i < kMessages; ++i) {
    ASSERT_EQ(send_message(socket.number(), request, STDERR_FILENO), Transfer::kDone);
    wait_for_socket(socket.number(), POLLIN, Clock::time_point::max());
    ASSERT_EQ(receive_message(socket.number(), reply), Transfer::kDone);
    EXPECT_EQ(reply.outcome, Reply::Outcome::kYes);
  }
  // Connections of earlier tests may end, and the latest descriptor may be about to be closed.
  EXPECT_LT(count(), before + kMessages / 2);
}

TEST_F(SharingStrangers, AnOpeningCannotBeUsedTwice) {
  const Descriptor socket = connect();
  const Request request = open_request();
  ASSERT_EQ(send_message(socket.number(), request), Transfer::kDone);
  ASSERT_FALSE(is_ended(socket.number()));
  ASSERT_EQ(send_message(socket.number(), request), Transfer::kDone);
  EXPECT_TRUE(is_ended(socket.number()));
  offer_->wait_closed(1);
  EXPECT_EQ(offer_->opened_count(), 1);
}

TEST_F(SharingStrangers, WhatIsNotHeldCannotBeSignalled) {
  Request request = open_request();
  request.type = Request::Type::kSignal;
  expect_disconnected(&request, sizeof request);
}

TEST_F(SharingStrangers, AVisitorThatReadsNoReplyIsDisconnected) {
  const Descriptor socket = connect();
  Request request = open_request();
  request.type = Request::Type::kFind;
  Transfer sent = Transfer::kDone;
  while (sent == Transfer::kDone) {
    sent = send_message(socket.number(), request);
    if (sent != Transfer::kBusy) continue;
    wait_for_socket(socket.number(), POLLOUT, Clock::time_point::max());
    sent = Transfer::kDone;
  }
  EXPECT_EQ(sent, Transfer::kEnded);
}

TEST_F(SharingStrangers, OnlyOneSpellingOfANameCounts) {
  const Address address{77, 0xabc};
  const std::string name = socket_name(geteuid(), address);
  EXPECT_EQ(parse_socket_name(name), address);
  EXPECT_FALSE(parse_socket_name(name + "0"));
  EXPECT_FALSE(parse_socket_name(name + " "));
  EXPECT_FALSE(parse_socket_name(" " + name));
  EXPECT_FALSE(parse_socket_name(socket_name(geteuid() + 1, address)));
  EXPECT_FALSE(parse_socket_name(socket_name(geteuid(), {0, 1})));
  std::string other = name;
  other[name.size() - 1] = 'C';
  EXPECT_FALSE(parse_socket_name(other));
  EXPECT_FALSE(parse_socket_name("ferry1/" + std::string(300, '0')));
  EXPECT_FALSE(parse_socket_name(""));
  const auto all = list_sockets();
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(std::ranges::count(*all, handle_.address), 1);
}

TEST_F(SharingStrangers, AnotherUserGetsNothing) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can start a process of another user";
  Helper helper;
  std::ostringstream knock;
  knock << "knock " << socket_name(geteuid(), handle_.address) << std::hex << ' '
        << handle_.name.high << ' ' << handle_.name.low;
  EXPECT_EQ(helper.ask(knock.str()), "answered");  // it works for our user
  ASSERT_EQ(helper.ask("become 65534"), "done");
  EXPECT_EQ(helper.ask(knock.str()), "ended");
  EXPECT_EQ(helper.ask("visit " + key_of(handle_) + " 2"), "unknown");
  EXPECT_EQ(offer_->opened_count(), 1);
}

TEST_F(SharingStrangers, AnotherUserIsSentNothing) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can start a process of another user";
  Helper helper;
  ASSERT_EQ(helper.ask("become 65534"), "done");
  const Address address{static_cast<uint32_t>(helper.process()), 0x1234};
  ASSERT_EQ(helper.ask("pose " + socket_name(geteuid(), address)), "done");
  helper.tell("taken");
  EXPECT_EQ(visit({address, handle_.name}, Kind::kMemory, 0).outcome, Visit::Outcome::kUnknown);
  EXPECT_EQ(helper.answer(), "0");  // the end of the connection, without a byte
}

}  // namespace
}  // namespace ferry::sharing
