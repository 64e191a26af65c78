// SPDX-License-Identifier: Apache-2.0
// The kinds of things that a process can leak, and whether a run has leaked one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ferry::tools::soak {

enum class Unit { kBytes, kCount };

struct Kind {
  const char* name;
  Unit unit;
  // A run without a leak stays below these: allocators keep some memory and fragment it, a loaded
  // machine needs more threads at the same time, and each has mappings.
  double noise;
  double noise_per_round;
};

// The index of each kind.
constexpr size_t kHostMemory = 0;
constexpr size_t kDeviceMemory = 1;
constexpr size_t kDescriptors = 2;
constexpr size_t kThreads = 3;
constexpr size_t kMappings = 4;

constexpr std::array<Kind, 5> kKinds{{{"host memory", Unit::kBytes, 2 << 20, 16},
                                      {"device memory", Unit::kBytes, 0, 0},
                                      {"file descriptors", Unit::kCount, 4, 0},
                                      {"threads", Unit::kCount, 16, 0},
                                      {"mappings", Unit::kCount, 64, 0}}};

/// What a process holds at a moment: one number per kind.
using Holdings = std::array<int64_t, kKinds.size()>;

/// "45.2 MiB" or "12".
std::string amount_text(const Kind& kind, double amount);

struct Sample {
  uint64_t round = 0;  // the last one before the sample was taken
  Holdings holdings{};
};

/// How one kind has developed over a run.
struct Growth {
  double before = 0;     // the median of the first quarter of the samples
  double after = 0;      // that of the last quarter
  double per_round = 0;  // between the middles of the two
  bool is_leak = false;
};

/// Compares the medians of the four quarters of the samples. A leak makes each greater than the one
/// before, and the last greater than the first by more than the noise. What is allocated once, or
/// comes and goes, is no leak. Fewer than four samples show nothing.
Growth growth_of(size_t kind, const std::vector<Sample>& samples);

}  // namespace ferry::tools::soak
