// SPDX-License-Identifier: Apache-2.0
// Processes of other hosts, as far as this folder knows them: whoever connects hosts installs
// itself here, and visits that no process of this host answers are passed on to it.
#pragma once

#include "sharing/exchange.h"
#include "sharing/visit.h"

#include <cstdint>

namespace ferry::sharing {

// May be shared between threads.
class FarHosts {
 public:
  virtual ~FarHosts() = default;
  // Where other hosts find this process.
  virtual Place own_place() const = 0;
  // Whether processes of this host are visited over the fabric, too: for tests and measurements.
  virtual bool is_for_this_host() const = 0;
  // As sharing::visit(), for an object with a place.
  virtual Visit visit(const Handle& handle, Kind kind, int32_t device) = 0;
};

// nullptr: this process knows no other hosts. Installed once, before the first call returns, and
// never removed.
FarHosts* far_hosts();
void install_far_hosts(FarHosts* hosts);

}  // namespace ferry::sharing
