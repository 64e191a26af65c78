// SPDX-License-Identifier: Apache-2.0
// Publishing and withdrawing while another thread opens.
#include "sharing/offer_book.h"

#include <utility>

namespace ferry::sharing {
namespace {

// The thread is inside open(): it must not wait for its own end.
thread_local bool is_opening_here = false;

}  // namespace

void OfferBook::publish(const Name& name, std::shared_ptr<Offer> offer) {
  const std::lock_guard lock(mutex_);
  offers_.insert_or_assign(name, std::move(offer));
}

void OfferBook::withdraw(const Name& name) {
  std::shared_ptr<Offer> withdrawn;  // outlives the lock
  std::unique_lock lock(mutex_);
  const auto found = offers_.find(name);
  if (found == offers_.end()) return;
  withdrawn = std::move(found->second);
  offers_.erase(found);
  if (!is_opening_here) open_ended_.wait(lock, [&] { return opening_ != withdrawn.get(); });
}

std::shared_ptr<Offer> OfferBook::find(const Name& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = offers_.find(name);
  return found == offers_.end() ? nullptr : found->second;
}

std::shared_ptr<Offer> OfferBook::begin_open(const Name& name) {
  const std::lock_guard lock(mutex_);
  const auto found = offers_.find(name);
  if (found == offers_.end()) return nullptr;
  opening_ = found->second.get();
  is_opening_here = true;
  return found->second;
}

void OfferBook::end_open() {
  const std::lock_guard lock(mutex_);
  opening_ = nullptr;
  is_opening_here = false;
  open_ended_.notify_all();
}

OfferBook::Opened OfferBook::open(const Name& name, Kind kind, const Visitor& visitor) {
  const std::lock_guard turn(turn_mutex_);
  Opened opened;
  opened.offer = begin_open(name);
  if (opened.offer == nullptr) return opened;
  const std::unique_ptr<OfferBook, void (*)(OfferBook*)> end(
      this, [](OfferBook* book) { book->end_open(); });
  if (opened.offer->kind() == kind)
    opened.answer = opened.offer->open(visitor);
  else
    opened.offer = nullptr;
  return opened;
}

}  // namespace ferry::sharing
