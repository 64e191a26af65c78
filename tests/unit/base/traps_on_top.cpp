// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/base/traps_on_top.h"

#include "base/fault_trap.h"

namespace ferry {
namespace {

struct Handlers {
  struct sigaction segv {};
  struct sigaction bus {};
};

Handlers installed_first() {
  install_fault_traps();
  Handlers handlers;
  sigaction(SIGSEGV, nullptr, &handlers.segv);
  sigaction(SIGBUS, nullptr, &handlers.bus);
  return handlers;
}

// Made before the first test runs.
const Handlers handlers_of_traps = installed_first();

}  // namespace

TrapsOnTop::TrapsOnTop() {
  sigaction(SIGSEGV, &handlers_of_traps.segv, &segv_before_);
  sigaction(SIGBUS, &handlers_of_traps.bus, &bus_before_);
}

TrapsOnTop::~TrapsOnTop() {
  sigaction(SIGSEGV, &segv_before_, nullptr);
  sigaction(SIGBUS, &bus_before_, nullptr);
}

}  // namespace ferry
