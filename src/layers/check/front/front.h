// SPDX-License-Identifier: Apache-2.0
// The checker's front: a backend that passes everything on to another one and tells World about it.
#pragma once

#include "ferry/backend.h"

namespace ferry::layers::check {

// The backend with the checker in front. Both live forever.
const ferryx_backend* put_check_in_front(const ferryx_backend* backend);

}  // namespace ferry::layers::check
