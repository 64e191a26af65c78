// SPDX-License-Identifier: Apache-2.0
// What a name of a trace means, and whether a file can be written there.
#pragma once

#include <string>

namespace ferry::plugins::trace {

struct Place {
  std::string file;    // to write
  std::string folder;  // to create first; "" when a file was named
  bool is_compressed = false;
  bool is_perfetto = false;
};

Place place_of(const std::string& path);

// "", or what is wrong, as the rest of a sentence about the path. Creates nothing.
std::string what_is_wrong_with(const std::string& path);

// Creates the folder when there is one to create.
std::string prepare(const Place& place);

}  // namespace ferry::plugins::trace
