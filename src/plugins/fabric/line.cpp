// SPDX-License-Identifier: Apache-2.0
// Sending without waiting, and answers that threads wait for.
#include "plugins/fabric/line.h"

#include "plugins/fabric/engine.h"

#include <sys/socket.h>

#include <cerrno>
#include <chrono>

namespace ferry::fabric {
namespace {

// A peer that has not taken so much is stopped, or does not read.
constexpr size_t kMostUnsent = size_t{4} << 20;

}  // namespace

bool Line::send(Frame type, View payload) {
  const Bytes frame = make_frame(type, payload);
  const std::lock_guard lock(mutex_);
  if (has_ended_) return false;
  unsent_.insert(unsent_.end(), frame.begin(), frame.end());
  return flush_locked() && unsent_.size() <= kMostUnsent;
}

bool Line::flush() {
  const std::lock_guard lock(mutex_);
  return has_ended_ || flush_locked();
}

bool Line::flush_locked() {
  size_t done = 0;
  while (done < unsent_.size()) {
    const ssize_t count = ::send(socket_.number(), unsent_.data() + done, unsent_.size() - done,
                                 MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      done += static_cast<size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      break;
    }
  }
  const bool is_good = done == unsent_.size() || errno == EAGAIN || errno == EWOULDBLOCK;
  unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<ptrdiff_t>(done));
  return is_good;
}

bool Line::has_unsent() const {
  const std::lock_guard lock(mutex_);
  return !has_ended_ && !unsent_.empty();
}

void Line::end(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  has_ended_ = true;
  why_ = why;
  shutdown(socket_.number(), SHUT_RDWR);
  answered_.notify_all();
}

bool Line::has_ended() const {
  const std::lock_guard lock(mutex_);
  return has_ended_;
}

uint64_t Line::expect() {
  const std::lock_guard lock(mutex_);
  expected_[++last_request_] = {};
  return last_request_;
}

bool Line::await(uint64_t request, int64_t deadline, OpenedFrame& opened, std::string& why) {
  std::unique_lock lock(mutex_);
  Expected& expected = expected_[request];
  while (!expected.is_there && !has_ended_) {
    const int64_t left = deadline - now();
    if (left <= 0) break;
    answered_.wait_for(lock, std::chrono::nanoseconds(left));
  }
  const bool is_there = expected.is_there;
  if (is_there) {
    opened = std::move(expected.opened);
  } else {
    why = has_ended_ ? why_ : "it has not answered in time; it may be stopped";
  }
  expected_.erase(request);
  return is_there;
}

bool Line::answer(OpenedFrame opened) {
  const std::lock_guard lock(mutex_);
  const auto found = expected_.find(opened.id);
  if (found == expected_.end()) return false;
  found->second = {.is_there = true, .opened = std::move(opened)};
  answered_.notify_all();
  return true;
}

}  // namespace ferry::fabric
