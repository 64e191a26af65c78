// SPDX-License-Identifier: Apache-2.0
// Work as a task of World: which bytes it reads and writes.
#pragma once

#include "layers/check/world/task.h"

#include "ferry/backend.h"

#include <memory>

namespace ferry::layers::check {

// Of copies, rows, described and indirect copies, and fills. Addresses that lie in device memory
// are read when the task starts.
std::shared_ptr<Task> task_of(const ferryx_work& work);

}  // namespace ferry::layers::check
