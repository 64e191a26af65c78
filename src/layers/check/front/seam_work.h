// SPDX-License-Identifier: Apache-2.0
// What the backend is asked to do, as tasks of the world: which bytes are read and written.
#pragma once

#include "layers/check/world/task.h"

#include "ferry/backend.h"

#include <memory>

namespace ferry::layers::check {

std::shared_ptr<Task> work_of(const ferryx_copies& copies);
std::shared_ptr<Task> work_of(const ferryx_copy_2d& copy);
std::shared_ptr<Task> work_of(const ferryx_fill& fill);
// Their addresses stand in device memory and are looked up when the task starts.
std::shared_ptr<Task> work_of(const ferryx_indirect_copy& copy);
std::shared_ptr<Task> work_of_descriptor(const void* descriptor);

}  // namespace ferry::layers::check
