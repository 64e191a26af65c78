// SPDX-License-Identifier: Apache-2.0
// Profiles: what was accepted can be used, and is read again as it is written.
#include "replay/profile.h"

#include "fuzz.h"

#include <string>

using namespace ferry;
using tools::replay::Profile;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Profile profile;
  if (!tools::replay::read_profile(fuzz::text_of(data, size), profile).empty()) return 0;
  const tools::replay::Lane* lane =
      profile.lane_of(tools::trace::Direction::kHostToDevice, tools::trace::Memory::kPinned);
  fuzz::require(lane != nullptr, "there is a lane");
  for (const uint64_t bytes : {uint64_t{1}, uint64_t{4096}, uint64_t{1} << 46}) {
    fuzz::require(lane->at(bytes, bytes).copy_ns >= 0, "a copy takes no negative time");
    fuzz::require(profile.overlap_at(bytes).same_way > 0, "time passes");
  }
  const std::string text = tools::replay::profile_text(profile);
  Profile again;
  fuzz::require(tools::replay::read_profile(text, again).empty(), "what is written can be read");
  return 0;
}
