// SPDX-License-Identifier: Apache-2.0
// An offer that counts its calls and passes a file on; for both processes of a test.
#pragma once

#include "sharing/descriptor.h"
#include "sharing/exchange.h"
#include "sharing/handle.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>

namespace ferry::sharing {

class TestOffer : public Offer {
 public:
  explicit TestOffer(Kind kind) : kind_(kind) {}

  Kind kind() const override { return kind_; }

  Answer open(const Visitor& visitor) override {
    if (on_open) on_open();
    const std::lock_guard lock(mutex_);
    last_visitor_ = visitor;
    if (answer.code == ACL_SUCCESS) ++opened_;
    changed_.notify_all();
    return answer;
  }
  void closed() override {
    const std::lock_guard lock(mutex_);
    ++closed_;
    changed_.notify_all();
  }
  void signalled() override {
    const std::lock_guard lock(mutex_);
    ++signalled_;
    changed_.notify_all();
  }

  // These wait until there were so many calls in all.
  void wait_opened(int count) { wait(opened_, count); }
  void wait_closed(int count) { wait(closed_, count); }
  void wait_signalled(int count) { wait(signalled_, count); }
  int closed_count() {
    const std::lock_guard lock(mutex_);
    return closed_;
  }
  int opened_count() {
    const std::lock_guard lock(mutex_);
    return opened_;
  }
  Visitor last_visitor() {
    const std::lock_guard lock(mutex_);
    return last_visitor_;
  }

  // Passes on a file with this text.
  void pass_text(const std::string& text) {
    file_ = Descriptor::made_by([] { return memfd_create("ferry-test", MFD_CLOEXEC); });
    answer.file = file_.number();
    if (write(answer.file, text.data(), text.size()) < 0) answer.file = -1;
  }
  int file() const { return file_.number(); }

  // Set before it is published.
  Answer answer;
  std::function<void()> on_open;

 private:
  void wait(const int& counter, int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return counter >= count; });
  }

  const Kind kind_;
  Descriptor file_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Visitor last_visitor_;
  int opened_ = 0;
  int closed_ = 0;
  int signalled_ = 0;
};

// Publishes the offer; the handle leads to it.
inline Handle publish(const std::shared_ptr<TestOffer>& offer, bool is_short = false) {
  Handle handle;
  Result<Name> name = is_short ? make_short_name() : make_name();
  handle.name = *name;
  Result<Address> address = Exchange::instance().address();
  handle.address = *address;
  Exchange::instance().publish(handle.name, offer);
  return handle;
}

inline std::string key_of(const Handle& handle) {
  std::array<char, kKeySize> key{};
  write_key(handle, key);
  return key.data();
}

// The text in a file, from its beginning.
inline std::string text_in(int file) {
  std::array<char, 64> bytes{};
  const ssize_t size = pread(file, bytes.data(), bytes.size(), 0);
  return size < 0 ? "unreadable" : std::string(bytes.data(), static_cast<size_t>(size));
}

}  // namespace ferry::sharing
