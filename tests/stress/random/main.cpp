// SPDX-License-Identifier: Apache-2.0
// ferry_random: runs random programs, and shrinks those that differ from the model to tests.
#include "generator.h"
#include "shrinker.h"
#include "writer.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>

namespace {

constexpr uint64_t kPrograms = 200;
constexpr int kTries = 3;
constexpr auto kProgressInterval = std::chrono::seconds(30);

constexpr const char* kUsage = R"(Usage: ferry_random [options]
  --seed N       run the program of this seed
  --programs N   how many programs to run, with consecutive seeds (200, or 1 with --seed)
  --valid        no invalid arguments: a correct program
  --print        print the programs as C++ tests instead of running them
  --keep-going   go on after a program that fails
  --output DIR   where the test of a failing program is written (.)
Environment: FERRY_DEVICES=cpu:2, or two devices of another kind. FERRY_SCHEDULE as always.
)";

struct Options {
  std::optional<uint64_t> programs;
  std::optional<uint64_t> seed;
  stress::Arguments arguments = stress::Arguments::kAlsoInvalid;
  bool is_printed = false;
  bool keeps_going = false;
  std::string output = ".";
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
    if (option == "--programs") {
      options.programs = std::strtoull(value(), nullptr, 10);
    } else if (option == "--seed") {
      options.seed = std::strtoull(value(), nullptr, 10);
    } else if (option == "--valid") {
      options.arguments = stress::Arguments::kValid;
    } else if (option == "--print") {
      options.is_printed = true;
    } else if (option == "--keep-going") {
      options.keeps_going = true;
    } else if (option == "--output") {
      options.output = value();
    } else {
      return false;
    }
  }
  // A seed alone repeats one program.
  if (!options.programs) options.programs = options.seed ? 1 : kPrograms;
  if (!options.seed) options.seed = 1;
  return true;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : std::string(" ") + name + "=" + value;
}

std::string comment_for(uint64_t seed, const std::string& what) {
  return "// Reproducer of the random program with seed " + std::to_string(seed) +
         ".\n// Run with" + variable("FERRY_DEVICES") + variable("FERRY_SCHEDULE") + "\n// " +
         what + "\n";
}

void report(uint64_t seed, const Options& options) {
  const stress::Program program = stress::generate(seed, options.arguments);
  std::optional<stress::Failure> failure;
  for (int i = 0; i < kTries && !failure; ++i)
    failure = stress::run_isolated(program, *stress::predict(program));
  if (!failure) {
    std::fprintf(stderr, "seed %llu: failed, but not when it was run again by itself\n",
                 static_cast<unsigned long long>(seed));
    return;
  }
  std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed),
               failure->text.c_str());
  const stress::Program small = stress::shrink(program, options.arguments, kTries);
  const std::string path = options.output + "/reproducer_" + std::to_string(seed) + "_test.cpp";
  std::ofstream(path) << stress::write_test(small, *stress::predict(small),
                                            comment_for(seed, failure->text));
  std::fprintf(stderr, "seed %llu: shrunk from %zu to %zu operations: %s\n",
               static_cast<unsigned long long>(seed), program.size(), small.size(), path.c_str());
}

int run_all(const Options& options) {
  const uint64_t end = *options.seed + *options.programs;
  uint64_t failures = 0;
  auto reported = std::chrono::steady_clock::now();
  const auto progress = [&](uint64_t seed) {
    const auto now = std::chrono::steady_clock::now();
    if (now - reported < kProgressInterval) return;
    reported = now;
    std::printf("%llu of %llu programs, %llu failed\n",
                static_cast<unsigned long long>(seed - *options.seed),
                static_cast<unsigned long long>(*options.programs),
                static_cast<unsigned long long>(failures));
    std::fflush(stdout);
  };
  for (uint64_t seed = *options.seed; seed < end; ++seed) {
    seed = stress::run_seeds(seed, end, options.arguments, progress);
    if (seed == end) break;
    ++failures;
    report(seed, options);
    if (!options.keeps_going) break;
  }
  std::printf("%llu programs, %llu failed\n", static_cast<unsigned long long>(*options.programs),
              static_cast<unsigned long long>(failures));
  return failures == 0 ? 0 : 1;
}

void print_all(const Options& options) {
  for (uint64_t seed = *options.seed; seed < *options.seed + *options.programs; ++seed) {
    const stress::Program program = stress::generate(seed, options.arguments);
    std::fputs(
        stress::write_test(program, *stress::predict(program), comment_for(seed, "Not shrunk."))
            .c_str(),
        stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  if (options.is_printed) {
    print_all(options);
    return 0;
  }
  return run_all(options);
}
