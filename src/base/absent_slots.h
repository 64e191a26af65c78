// SPDX-License-Identifier: Apache-2.0
// The optional slots of a backend, absent. A backend that makes its table from the list of slots
// uses this namespace inside its own: a function that it defines hides the constant, and a slot
// that is appended to the list needs no change of backends that lack it.
#pragma once

#include "ferry/backend.h"

#include <cstddef>

namespace ferry::absent_slots {

#define FERRYX_ABSENT_REQUIRED(name)
#define FERRYX_ABSENT_OPTIONAL(name) inline constexpr std::nullptr_t name = nullptr;
#define FERRYX_SLOT(result, name, parameters, need, what) FERRYX_ABSENT_##need(name)
#include "ferry/backend_slots.def"
#undef FERRYX_ABSENT_OPTIONAL
#undef FERRYX_ABSENT_REQUIRED

}  // namespace ferry::absent_slots
