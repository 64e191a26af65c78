// SPDX-License-Identifier: Apache-2.0
// What the composition root offers to the rest of src/api.
#pragma once

namespace ferry {

// Registers the backends and pushes the layers the configuration asks for, once.
void ensure_put_together();

// The layer that counts calls and makes them fail, for programs that ask for it while they run.
void switch_injection_on();
bool is_injection_on();

}  // namespace ferry
