// SPDX-License-Identifier: Apache-2.0
// Makes a failing program small: it removes operations, threads, items and bytes as long as the
// program still fails.
#pragma once

#include "isolated.h"

namespace stress {

// The program must fail. A program with valid arguments stays one. Candidates that the model does
// not decide are skipped; each other one is run up to `tries` times, in processes of their own, for
// failures that need luck.
Program shrink(Program program, Arguments arguments, int tries);

}  // namespace stress
