// SPDX-License-Identifier: Apache-2.0
// ferry_random_memory: random sequences of calls of virtual memory against a model. A sequence that
// differs is printed as the body of a test.
#include "sequence.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using stress::virtual_memory::Difference;
using stress::virtual_memory::kDevices;
using stress::virtual_memory::kGranule;
using stress::virtual_memory::Sequence;
using stress::virtual_memory::Surroundings;

constexpr const char* kUsage = R"(Usage: ferry_random_memory [options]
  --seed N        run the sequence of this seed
  --sequences N   how many to run, with consecutive seeds (2000, or 1 with --seed)
  --calls N       the length of each (60)
Environment: FERRY_DEVICES=cpu:2 FERRY_MEMORY=64M FERRY_SOC=Ascend910_9391. FERRY_SCHEDULE as always.
)";

struct Options {
  uint64_t seed = 1;
  uint64_t sequences = 2000;
  uint64_t calls = 60;
};

bool parse(int argc, char** argv, Options& options) {
  bool has_number = false;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    const uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--seed") {
      options.seed = value;
      if (!has_number) options.sequences = 1;
    } else if (option == "--sequences") {
      options.sequences = value;
      has_number = true;
    } else if (option == "--calls") {
      options.calls = value;
    } else {
      return false;
    }
  }
  return argc % 2 == 1;
}

// The text that a crash leaves; written before each sequence, because a signal handler can do
// little.
char g_crash[100];
size_t g_crash_length = 0;

void on_crash(int signal) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, g_crash, g_crash_length);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void announce(uint64_t seed) {
  g_crash_length = static_cast<size_t>(std::snprintf(g_crash, sizeof g_crash,
                                                     "ferry_random_memory: crash in --seed %llu\n",
                                                     static_cast<unsigned long long>(seed)));
}

void must(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  std::fprintf(stderr, "%s returned %d; two devices are needed\n", what, code);
  std::exit(2);
}

Surroundings set_up() {
  Surroundings it = {};
  for (int32_t device = kDevices - 1; device >= 0; --device) {
    must(aclrtSetDevice(device), "aclrtSetDevice");
    must(aclrtGetCurrentContext(&it.contexts[device]), "aclrtGetCurrentContext");
  }
  must(aclrtCreateStream(&it.stream), "aclrtCreateStream");
  it.pinned_size = 2 * kGranule;
  void* pinned = nullptr;
  must(aclrtMallocHost(&pinned, it.pinned_size), "aclrtMallocHost");
  it.pinned = static_cast<uint8_t*>(pinned);
  size_t total = 0;
  must(aclrtGetMemInfo(ACL_HBM_MEM, &it.capacity, &total), "aclrtGetMemInfo");
  return it;
}

bool run(uint64_t seed, uint64_t calls, const Surroundings& surroundings) {
  announce(seed);
  Sequence sequence(seed, surroundings);
  try {
    sequence.run(calls);
    return true;
  } catch (const Difference& difference) {
    std::printf("// --seed %llu --calls %llu\n%s// %s\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(calls), sequence.reproducer().c_str(),
                difference.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL})
    std::signal(signal, on_crash);
  const Surroundings surroundings = set_up();
  // What is left behind by a sequence that differs would disturb the next one.
  for (uint64_t i = 0; i < options.sequences; ++i) {
    if (!run(options.seed + i, options.calls, surroundings)) return 1;
  }
  std::printf("%llu sequences, no difference\n",
              static_cast<unsigned long long>(options.sequences));
  return 0;
}
