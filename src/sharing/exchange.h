// SPDX-License-Identifier: Apache-2.0
// What this process offers to others. A Unix socket in the abstract namespace, one per process and
// made with the first offer, is all there is to find it: nothing is left behind however the process
// ends. One thread answers; it is started with the first offer.
#pragma once

#include "base/status.h"
#include "sharing/handle.h"

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace ferry::sharing {

// A process of the same user that asks for an object. Other users are never answered.
struct Visitor {
  pid_t process = 0;     // as this process sees it
  bool is_self = false;  // this process itself
  int32_t device = -1;   // for which device, in the visitor's own numbers
};

// What a visitor is told: a structure that the code of the kind knows, copied byte by byte.
using Facts = std::array<std::byte, 96>;

struct Answer {
  aclError code = ACL_SUCCESS;
  std::string text;  // why not: a sentence without the function's name
  Facts facts{};
  int file = -1;        // passed on; stays open as long as the offer lives
  uint64_t offset = 0;  // of memory in the file
  uint64_t size = 0;    // of memory; 0: it is something else
};

// One object under a name. Called by the answering thread, one call at a time, without its locks. A
// call must not wait for visitors. It may be destroyed on the answering thread.
class Offer {
 public:
  virtual ~Offer() = default;
  virtual Kind kind() const = 0;
  // The visitor holds the object from now on, if the code is 0.
  virtual Answer open(const Visitor& visitor) = 0;
  // A visitor has let go of it, or has ended. Once per successful open.
  virtual void closed() = 0;
  // A visitor that holds it asks for it: the signal of a notify.
  virtual void signalled() {}
  // A visitor of another host, which has this number in this process, asks something that only the
  // kind of object understands. `answer` is called once, then or later. Must return soon.
  using Answering = std::function<void(std::span<const std::byte> answer)>;
  virtual void asked(uint64_t /*visitor*/, std::span<const std::byte> /*question*/,
                     const Answering& answer) {
    answer({});
  }
  // That visitor asks no more. Before closed().
  virtual void left(uint64_t /*visitor*/) {}
};

// May be shared between threads; never destroyed.
class Exchange {
 public:
  static Exchange& instance();

  // Where other processes find this one. Makes the socket and starts the thread on first use:
  // 207005 with a text when the system refuses. Throws std::bad_alloc.
  Result<Address> address();

  // From now on other processes can open it. After address() has succeeded. Throws std::bad_alloc.
  void publish(const Name& name, std::shared_ptr<Offer> offer);
  // From now on no process can open it. Those that hold it still do. Returns when no call of open()
  // is under way, unless the answering thread itself asks.
  void withdraw(const Name& name);
  // The object with a name of this process; nullptr when there is none.
  std::shared_ptr<Offer> find(const Name& name) const;

  // A handle for other processes: with the addresses of this one. As address().
  Result<Handle> handle(const Name& name);

  // What the answering thread does for a visitor of this host, for one of another host. `answer`
  // has a code if the object was opened, or refuses; nullptr: unknown.
  struct Opened {
    std::shared_ptr<Offer> offer;
    Answer answer;
  };
  Opened open(const Name& name, Kind kind, const Visitor& visitor);

 private:
  struct State;
  Exchange();
  State& state_;
};

}  // namespace ferry::sharing
