// SPDX-License-Identifier: Apache-2.0
// What the fabric of a process has done, for people and for programs; other processes of this host
// are asked for theirs.
#pragma once

#include "base/status.h"

#include "ferry/ferry.h"

#include <string>

namespace ferry::layers::fabric {

// 207000 when this process has no fabric.
Status get_counts(ferryFabricCounts& counts);

// One paragraph: counts, then a line per peer. "" when this process has no fabric.
std::string report_own();
// A paragraph per process of this user on this host, as far as they answer. Throws std::bad_alloc.
std::string report_all();

// From now on other processes of this host can ask for the report. 207005 with a text when the
// system refuses. Throws std::bad_alloc.
Status offer_report();

}  // namespace ferry::layers::fabric
