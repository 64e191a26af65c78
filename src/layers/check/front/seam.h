// SPDX-License-Identifier: Apache-2.0
// The layer's ears at the seam: a backend that passes everything on to another one and tells the
// world about it.
#pragma once

#include "ferry/backend.h"

namespace ferry::layers::check {

// The backend with the layer in front; nullptr when there are too many. Both live for ever.
const ferryx_backend* listen_to(const ferryx_backend* backend);

}  // namespace ferry::layers::check
