// SPDX-License-Identifier: Apache-2.0
// Children of this process that measure what they are asked to, with the checker on or off: a
// process that runs cannot switch it.
#pragma once

#include "bench/race.h"

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::bench {

/// What a child copies between pinned memory and its device.
struct Job {
  enum class Way { kOneByOne, kBatch };
  Way way;
  bool is_to_device;
  size_t count;  // of blocks; scattered when there are several
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

  /// To be made before this process uses the library. The child waits until it is asked.
  MeasuringChild(std::string name, const std::vector<Variable>& environment);
  ~MeasuringChild();
  MeasuringChild(const MeasuringChild&) = delete;
  MeasuringChild& operator=(const MeasuringChild&) = delete;

  const std::string& name() const { return name_; }

  /// One round in the child. Throws when a call failed, a byte was wrong, or the checker, which has
  /// no reason to, reports an error.
  Round measure(const Job& job, const Length& length);

 private:
  std::string name_;
  pid_t process_ = -1;
  int channel_ = -1;
};

}  // namespace ferry::bench
