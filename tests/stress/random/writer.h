// SPDX-License-Identifier: Apache-2.0
// Prints operations as C++: one call for a message, or a whole program as a test.
#pragma once

#include "model.h"

#include <string>

namespace stress {

std::string text_of(const Operation& op, const Prediction& prediction);

// A source file with one GoogleTest test that runs the program and expects what the model predicts.
// `comment` says how it was found; each of its lines starts with "// ".
std::string write_test(const Program& program, const std::vector<Prediction>& predictions,
                       const std::string& comment);

}  // namespace stress
