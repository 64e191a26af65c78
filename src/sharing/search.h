// SPDX-License-Identifier: Apache-2.0
// Finding the process that offers an object when only the name is known: all processes of this user
// are asked at the same time, so that one that does not answer keeps nobody waiting.
#pragma once

#include "sharing/channel.h"
#include "sharing/handle.h"

#include <string>

namespace ferry::sharing {

struct Search {
  enum class Outcome {
    kFound,
    kUnknown,  // all have answered that they do not offer it
    kUnclear   // some could not be asked, or have not answered; `text` says why
  };

  Outcome outcome = Outcome::kUnknown;
  Address address;
  std::string text;
};

// Throws std::bad_alloc.
Search find_owner(const Name& name, Kind kind, Clock::time_point deadline);

}  // namespace ferry::sharing
