// SPDX-License-Identifier: Apache-2.0
// The objects that this process offers, by name, and the one that is being opened.
#pragma once

#include "sharing/exchange.h"
#include "sharing/handle.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>

namespace ferry::sharing {

// May be shared between threads; never destroyed. No function of an Offer, its destructor among
// them, is called under the lock.
class OfferBook {
 public:
  void publish(const Name& name, std::shared_ptr<Offer> offer);
  // Waits while another thread is inside open() of it.
  void withdraw(const Name& name);
  std::shared_ptr<Offer> find(const Name& name) const;

  // Offer::open of the object with this name and kind. One thread at a time: others wait.
  struct Opened {
    std::shared_ptr<Offer> offer;  // nullptr: unknown
    Answer answer;
  };
  Opened open(const Name& name, Kind kind, const Visitor& visitor);

 private:
  std::shared_ptr<Offer> begin_open(const Name& name);
  void end_open();

  std::mutex turn_mutex_;     // held during open(): the answering thread and the fabric's
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable open_ended_;
  std::map<Name, std::shared_ptr<Offer>> offers_;
  const Offer* opening_ = nullptr;  // inside open()
};

}  // namespace ferry::sharing
