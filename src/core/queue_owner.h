// SPDX-License-Identifier: Apache-2.0
// What the cookie of a backend's queue refers to: a stream, or a lane of a model.
#pragma once

#include "ferry/backend.h"

#include <atomic>

namespace ferry {

class FailureState;

class QueueOwner {
 public:
  QueueOwner(const QueueOwner&) = delete;
  QueueOwner& operator=(const QueueOwner&) = delete;

  // Work of the queue has failed; called by the backend.
  virtual ferryx_after_fault take_fault(const ferryx_fault& fault) = 0;
  // Whether the queue is to drop its work: the context has stopped, or the owner asks for it.
  bool is_stopped() const;

 protected:
  explicit QueueOwner(const FailureState& of_context) : of_context_(of_context) {}
  ~QueueOwner() = default;

  void set_stopped(bool stopped) { is_stopped_.store(stopped, std::memory_order_release); }

 private:
  const FailureState& of_context_;
  std::atomic<bool> is_stopped_{false};
};

}  // namespace ferry
