// SPDX-License-Identifier: Apache-2.0
// The executable mappings of the process, for the look-up of call sites.
#pragma once

#include "layers/trace/sink.h"

#include <cstdint>
#include <set>
#include <string>

namespace ferry::layers::trace {

// Remembers what it has written.
class Modules {
 public:
  // Writes the mappings that are new since the last time. Returns as Sink does.
  std::string write_new(Sink& sink);

 private:
  uint64_t loads_ = 0;          // of libraries, when they were written last
  std::set<uint64_t> written_;  // their begins
};

}  // namespace ferry::layers::trace
