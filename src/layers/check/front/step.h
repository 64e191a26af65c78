// SPDX-License-Identifier: Apache-2.0
// Something that World is told when the queue comes to it, or when it is dropped.
#pragma once

namespace ferry::layers::check {

class Step {
 public:
  virtual ~Step() = default;
  virtual void reached() = 0;
  virtual void dropped() = 0;
};

}  // namespace ferry::layers::check
