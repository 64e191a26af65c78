// SPDX-License-Identifier: Apache-2.0
// The fabric's front: work that uses memory of other hosts becomes a callout, which lets the plugin
// move the bytes. All other work passes through.
#pragma once

#include "ferry/backend.h"

namespace ferry::layers::fabric {

// The backend with the fabric in front. Both live forever.
const ferryx_backend* put_fabric_in_front(const ferryx_backend* backend);

}  // namespace ferry::layers::fabric
