// SPDX-License-Identifier: Apache-2.0
// Tests of other files put handlers of faults above those of traps, which are installed once.
#pragma once

#include <csignal>

namespace ferry {

// While it exists, faults reach the handlers of traps first.
class TrapsOnTop {
 public:
  TrapsOnTop();
  ~TrapsOnTop();
  TrapsOnTop(const TrapsOnTop&) = delete;
  TrapsOnTop& operator=(const TrapsOnTop&) = delete;

 private:
  struct sigaction segv_before_ {};
  struct sigaction bus_before_ {};
};

}  // namespace ferry
