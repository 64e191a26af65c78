// SPDX-License-Identifier: Apache-2.0
// Runs a program on the library, and compares every code and byte with the model's predictions.
#pragma once

#include "model.h"

#include <optional>
#include <string>

namespace stress {

struct Failure {
  size_t operation = 0;
  std::string text;
  size_t offset = 0;  // of the first wrong byte, in a comparison
};

// Sets all devices for the life of the process. Used by one thread.
class Executor {
 public:
  Executor();

  // Runs the program on its threads, destroys what it leaves, and returns the first difference.
  std::optional<Failure> run(const Program& program, const std::vector<Prediction>& predictions);

 private:
  std::array<aclrtContext, kDevices> default_contexts_{};
};

}  // namespace stress
