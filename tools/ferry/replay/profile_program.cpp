// SPDX-License-Identifier: Apache-2.0
// ferry_profile FILE: measures a profile with any implementation of AscendCL that it is linked or
// started with, such as CANN's on a machine with an NPU.
#include "replay/measure_profile.h"

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: ferry_profile FILE\n", stderr);
    return 2;
  }
  ferry::tools::replay::Profile profile;
  const std::string wrong = ferry::tools::replay::measure_profile_to(argv[1], {}, profile);
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "ferry_profile: %s\n", wrong.c_str());
  return 1;
}
