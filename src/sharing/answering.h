// SPDX-License-Identifier: Apache-2.0
// The thread that answers the visitors of this process: their connections, and what each holds.
#pragma once

#include "sharing/channel.h"
#include "sharing/descriptor.h"
#include "sharing/offer_book.h"

#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ferry::sharing {

// Belongs to its thread. A lack of memory or descriptors costs one request or delays a connection;
// it ends neither the thread nor other connections.
class Answering {
 public:
  Answering(Descriptor listener, OfferBook& book);

  // Does not return.
  [[noreturn]] void run();

 private:
  struct Client {
    Descriptor socket;
    pid_t process = 0;
    std::map<uint64_t, std::shared_ptr<Offer>> held;  // by the visitor's number of the opening
  };

  void poll_once();
  void accept_one();
  // These are false when the connection must end.
  bool serve(Client& client);
  bool answer(Client& client, const Request& request);
  bool open(Client& client, const Request& request);
  bool find(Client& client, const Request& request);
  bool signal(Client& client, const Request& request);
  bool let_go(Client& client, const Request& request);
  void disconnect(size_t index);

  const Descriptor listener_;
  OfferBook& book_;
  std::vector<std::unique_ptr<Client>> clients_;
  // The listener, then the clients in their order. Invariant: the capacity suffices for all.
  std::vector<pollfd> polled_;
  bool accepts_later_ = false;  // the last accept failed for want of something
};

}  // namespace ferry::sharing
