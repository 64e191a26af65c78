// SPDX-License-Identifier: Apache-2.0
// Opening what other processes offer. There is one connection to each process; it ends when nothing
// of that process is held any more, or with the process.
#pragma once

#include "sharing/descriptor.h"
#include "sharing/exchange.h"
#include "sharing/handle.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace ferry::sharing {

class Connection;

// An object of another process, or of this one, that stays open until this is destroyed. May be
// shared between threads once it is made.
class Hold {
 public:
  Hold() = default;
  // `opening` is the connection's number for it.
  Hold(std::shared_ptr<Connection> connection, uint64_t opening)
      : connection_(std::move(connection)), opening_(opening) {}
  ~Hold() { reset(); }
  Hold(Hold&&) noexcept = default;
  Hold& operator=(Hold&& other) noexcept {
    if (this != &other) {
      reset();
      connection_ = std::move(other.connection_);
      opening_ = other.opening_;
    }
    return *this;
  }

  explicit operator bool() const { return connection_ != nullptr; }
  // Offer::signalled in the other process. Does not wait for it; but if that process is stopped and
  // hundreds of messages wait for it, up to 10 s for room for one more. False when the process has
  // ended, or the time is over.
  bool signal() const;

 private:
  void reset();

  std::shared_ptr<Connection> connection_;  // nullptr: nothing is held
  uint64_t opening_ = 0;
};

struct Visit {
  enum class Outcome {
    kOpened,
    kUnknown,     // no process of this user offers it; `text` names any that did not answer
    kRefused,     // `code` and `text` are the owner's
    kUnreachable  // the owner does not answer, or the system refuses a socket; `text` says which
  };

  Outcome outcome = Outcome::kUnknown;
  aclError code = ACL_SUCCESS;
  std::string text;
  Facts facts{};
  Descriptor file;  // none if the owner passes none
  Hold hold;
};

// Opens the object for a device. Waits for the answer, up to 10 s, or up to 20 s if all processes
// are asked. Throws std::bad_alloc, and nothing is held then. Not while a lock is held that
// an Offer of this process takes: the object may be its own.
Visit visit(const Handle& handle, Kind kind, int32_t device);

}  // namespace ferry::sharing
