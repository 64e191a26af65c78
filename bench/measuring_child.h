// SPDX-License-Identifier: Apache-2.0
// Child processes that measure on request, with the checker on or off: a running process cannot
// switch it.
#pragma once

#include "bench/race.h"

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::bench {

/// What a child copies between pinned memory and its device.
struct Job {
  // kBothWays: one by one on one stream, and the other way on another at the same time.
  // kTwiceUnwaited: one by one, twice; only the submission is measured.
  enum class Way { kOneByOne, kBatch, kBothWays, kTwiceUnwaited };
  Way way;
  bool is_to_device;
  size_t count;  // number of blocks; scattered when there are several
  size_t block_bytes;

  bool operator==(const Job&) const = default;
};

/// Used by one thread.
class MeasuringChild {
 public:
  struct Variable {
    const char* name;
    const char* value;  // nullptr: not set
  };

  /// Must be called before this process uses the library. The child waits for requests.
  MeasuringChild(std::string name, const std::vector<Variable>& environment);
  ~MeasuringChild();
  MeasuringChild(const MeasuringChild&) = delete;
  MeasuringChild& operator=(const MeasuringChild&) = delete;

  const std::string& name() const { return name_; }

  /// Runs one round in the child. Throws when a call failed, a byte was wrong, or the checker
  /// reported an error, which a correct copy never causes.
  Round measure(const Job& job, const Length& length);

 private:
  std::string name_;
  pid_t process_ = -1;
  int channel_ = -1;
};

}  // namespace ferry::bench
