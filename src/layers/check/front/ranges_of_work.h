// SPDX-License-Identifier: Apache-2.0
// Turns work into a task of World: which bytes it reads and writes.
#pragma once

#include "layers/check/world/task.h"

#include "ferry/backend.h"

#include <memory>

namespace ferry::layers::check {

// For copies, rows, described and indirect copies, fills, reductions, and kernels that declare what
// they use; other work has no ranges. Addresses that are stored in device memory are read when the
// task starts.
std::shared_ptr<Task> task_of(const ferryx_work& work);

}  // namespace ferry::layers::check
