// SPDX-License-Identifier: Apache-2.0
// Runs the program once per call that can fail, each time in a new child process in which that call
// fails, and a second round in which nothing fails. The child must then hold what a child holds in
// which nothing failed at all.
#include "attempt.h"
#include "child.h"
#include "failing_calls.h"

#include <getopt.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace {

constexpr char kUsage[] =
    "usage: ferry_failures [--call malloc|mmap|mprotect|memfd_create|pthread_create|cuda]\n"
    "                      [--function NAME] [--at N] [--width W] [--from F] [--step S]\n"
    "                      [--last L] [--opening] [--clean] [--seconds T]\n"
    "       ferry_failures --address-space [--at N] [--step S] [--clean | --careful]\n"
    "                      [--seconds T]\n"
    "  --function NAME  only calls of this function of the CUDA driver count\n"
    "  --at N           lets only the N-th call fail; tries only the N-th size\n"
    "  --width W        lets W calls in a row fail\n"
    "  --from F         starts with the F-th call\n"
    "  --step S         tries every S-th call, every S-th size\n"
    "  --last L         ends with the L-th call\n"
    "  --opening        calls fail while the device is opened, and only then\n"
    "  --clean          the program makes no mistakes that the checker reports\n"
    "  --seconds T      a child that takes longer hangs; 60 by default\n"
    "  --address-space  runs the program with more and more address space, in sizes of 4 MiB,\n"
    "                   until no call fails\n"
    "  --careful        the program ends with the first call that fails, and makes no mistakes\n"
    "The variables of the library, such as FERRY_CHECK, apply.\n";

constexpr const char* kCalls[] = {"malloc",       "mmap",           "mprotect",
                                  "memfd_create", "pthread_create", "cuda"};

}  // namespace

int main(int count, char** arguments) {
  failures::Sweep sweep;
  bool sweeps_address_space = false;
  const option options[] = {{"call", required_argument, nullptr, 'c'},
                            {"at", required_argument, nullptr, 'a'},
                            {"width", required_argument, nullptr, 'w'},
                            {"step", required_argument, nullptr, 's'},
                            {"seconds", required_argument, nullptr, 't'},
                            {"clean", no_argument, nullptr, 'l'},
                            {"address-space", no_argument, nullptr, 'v'},
                            {"last", required_argument, nullptr, 'e'},
                            {"careful", no_argument, nullptr, 'f'},
                            {"from", required_argument, nullptr, 'b'},
                            {"function", required_argument, nullptr, 'd'},
                            {"opening", no_argument, nullptr, 'o'},
                            {nullptr, 0, nullptr, 0}};
  for (int key = 0; (key = getopt_long(count, arguments, "", options, nullptr)) != -1;) {
    const uint64_t number = optarg == nullptr ? 0 : std::strtoull(optarg, nullptr, 10);
    if (key == 'c') {
      const auto* found = std::find_if(std::begin(kCalls), std::end(kCalls), [](const char* name) {
        return std::strcmp(name, optarg) == 0;
      });
      if (found == std::end(kCalls)) return std::fputs(kUsage, stderr), 2;
      sweep.call = static_cast<int>(found - kCalls);
      sweep.name = *found;
    } else if (key == 'a') {
      sweep.only = number;
    } else if (key == 'w') {
      sweep.width = number;
    } else if (key == 's') {
      sweep.step = number;
    } else if (key == 'b') {
      sweep.from = number;
    } else if (key == 'd') {
      sweep.function = optarg;
    } else if (key == 'o') {
      sweep.opens_only = true;
    } else if (key == 't') {
      failures::time_limit = number;
    } else if (key == 'l') {
      failures::outcome.misuses = false;
    } else if (key == 'f') {
      failures::outcome.misuses = false;
      failures::outcome.is_careful = true;
    } else if (key == 'e') {
      sweep.last = number;
    } else if (key == 'v') {
      sweeps_address_space = true;
    } else {
      return std::fputs(kUsage, stderr), 2;
    }
  }
  setenv("FERRY_DEVICES", "cpu:2", 0);
  setenv("FERRY_MEMORY", "64M", 0);
  setenv("FERRY_THREADS", "2", 0);
  setenv("FERRY_SCHEDULE", "lazy", 0);
  return sweeps_address_space ? failures::sweep_address_space(sweep) : failures::sweep_calls(sweep);
}
