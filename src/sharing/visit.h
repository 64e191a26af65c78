// SPDX-License-Identifier: Apache-2.0
// Opening what other processes offer. There is one connection to each process; it ends when nothing
// of that process is held any more, or with the process.
#pragma once

#include "sharing/descriptor.h"
#include "sharing/exchange.h"
#include "sharing/handle.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry::sharing {

// The answer of an object of another host.
struct Told {
  bool is_lost = false;  // there is none
  std::string text;      // why
  std::vector<std::byte> answer;
};
using Answered = std::function<void(const Told& told)>;

// What a Hold keeps open. May be shared between threads.
class Holder {
 public:
  virtual ~Holder() = default;
  // Waits for room until the deadline. False when the other process has ended, or there is no room.
  virtual bool signal(uint64_t opening, std::chrono::steady_clock::time_point deadline) = 0;
  // Whether signal() never waits for room.
  virtual bool signals_at_once() const { return false; }
  // Only for objects of other hosts. `answered` is called once, perhaps before this returns, on a
  // thread that must go on soon.
  virtual void ask(std::span<const std::byte> /*question*/, Answered answered) {
    answered({.is_lost = true, .text = "it is on this host", .answer = {}});
  }
  // Waits until the number, which is changed atomically, is not 0. False when the deadline is
  // first.
  virtual bool wait_for(const uint32_t& /*number*/,
                        std::chrono::steady_clock::time_point /*deadline*/) {
    return true;
  }
  // Never waits.
  virtual void let_go(uint64_t opening) = 0;
  // What is held cannot be used any more. Objects of this host can, even if their owner has ended.
  virtual bool is_lost() const { return false; }
};

// An object of another process, or of this one, that stays open until this is destroyed. May be
// shared between threads once it is made.
class Hold {
 public:
  Hold() = default;
  // `opening` is the holder's number for it.
  Hold(std::shared_ptr<Holder> holder, uint64_t opening)
      : holder_(std::move(holder)), opening_(opening) {}
  ~Hold() { reset(); }
  Hold(Hold&&) noexcept = default;
  Hold& operator=(Hold&& other) noexcept {
    if (this != &other) {
      reset();
      holder_ = std::move(other.holder_);
      opening_ = other.opening_;
    }
    return *this;
  }

  explicit operator bool() const { return holder_ != nullptr; }
  // Offer::signalled in the other process. Does not wait for it; but if that process is stopped and
  // hundreds of messages wait for it, up to 10 s for room for one more. False when the process has
  // ended, or the time is over.
  bool signal() const;
  bool signals_at_once() const { return holder_ != nullptr && holder_->signals_at_once(); }
  // As in Holder. ask() waits for the answer; a host that does not answer in time is lost.
  Told ask(std::span<const std::byte> question) const;
  void ask_later(std::span<const std::byte> question, Answered answered) const;
  bool wait_for(const uint32_t& number, std::chrono::steady_clock::time_point deadline) const;
  // The other host is lost: opening the object again may succeed.
  bool is_lost() const { return holder_ != nullptr && holder_->is_lost(); }

 private:
  void reset();

  std::shared_ptr<Holder> holder_;  // nullptr: nothing is held
  uint64_t opening_ = 0;
};

struct Visit {
  enum class Outcome {
    kOpened,
    kUnknown,      // no process of this user offers it; `text` names any that did not answer
    kRefused,      // `code` and `text` are the owner's
    kUnreachable,  // the owner does not answer, or the system refuses a socket; `text` says which
    kForeign       // the owner is on another host, and this process knows no other hosts
  };

  Outcome outcome = Outcome::kUnknown;
  aclError code = ACL_SUCCESS;
  std::string text;
  Facts facts{};
  Descriptor file;         // none if the owner passes none
  bool is_far = false;     // the owner is on another host, or is reached as if it were
  void* remote = nullptr;  // memory of another host, as ferryx_shared.remote; lives with the hold
  uint64_t remote_size = 0;
  Hold hold;
};

// Opens the object for a device. Waits for the answer, up to 10 s, or up to 20 s if all processes
// are asked. Throws std::bad_alloc, and nothing is held then. Not while a lock is held that
// an Offer of this process takes: the object may be its own.
// `origin`: on which host the handle was made, where it tells.
Visit visit(const Handle& handle, Kind kind, int32_t device,
            FabricOrigin origin = FabricOrigin::kThisHost);

}  // namespace ferry::sharing
