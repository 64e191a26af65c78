// SPDX-License-Identifier: Apache-2.0
// The socket and the thread of this process, made with the first offer.
#include "sharing/exchange.h"

#include "base/error.h"
#include "base/thread.h"
#include "sharing/answering.h"
#include "sharing/endpoint.h"
#include "sharing/far_hosts.h"
#include "sharing/offer_book.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

namespace ferry::sharing {

struct Exchange::State {
  OfferBook book;
  std::mutex mutex;  // guards the address, and that only one thread makes the socket
  Address address;   // process 0: there is no socket yet
};

Exchange::Exchange() : state_(*new State) {}

Exchange& Exchange::instance() {
  static auto* instance = new Exchange;
  return *instance;
}

Result<Address> Exchange::address() {
  const std::lock_guard lock(state_.mutex);
  if (state_.address.process != 0) return state_.address;
  FERRY_TRY(Name, token, make_short_name());
  const Address address{static_cast<uint32_t>(getpid()), token->low};
  Descriptor listener = listen_at(address);
  if (!listener)
    return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, kEE9999,
                "a socket for other processes cannot be made: %s; raise the limit of open files "
                "(ulimit -n), or close some",
                std::strerror(errno));
  auto answering = std::make_unique<Answering>(std::move(listener), state_.book);
  FERRY_RETURN_IF_ERROR(start_thread("ferry-sharing", [&thread = *answering] { thread.run(); }));
  static_cast<void>(answering.release());  // the thread never ends
  return state_.address = address;
}

Result<Handle> Exchange::handle(const Name& name) {
  FERRY_TRY(Address, own, address());
  const FarHosts* const hosts = far_hosts();
  return Handle{
      .address = *own, .name = name, .place = hosts != nullptr ? hosts->own_place() : Place()};
}

Exchange::Opened Exchange::open(const Name& name, Kind kind, const Visitor& visitor) {
  OfferBook::Opened opened = state_.book.open(name, kind, visitor);
  return {.offer = std::move(opened.offer), .answer = std::move(opened.answer)};
}

void Exchange::publish(const Name& name, std::shared_ptr<Offer> offer) {
  state_.book.publish(name, std::move(offer));
}

void Exchange::withdraw(const Name& name) {
  state_.book.withdraw(name);
}

std::shared_ptr<Offer> Exchange::find(const Name& name) const {
  return state_.book.find(name);
}

}  // namespace ferry::sharing
