// SPDX-License-Identifier: Apache-2.0
// The functions of the composition root for the rest of src/api.
#pragma once

namespace ferry {

// Registers the backends and adds the layers that the configuration asks for, once.
void ensure_put_together();

// The layer that counts calls and makes them fail. A program can switch it on at any time.
void switch_injection_on();
bool is_injection_on();

// The layer that records calls. A trace switches it on; it stays outside of all others.
void switch_trace_layer_on();

// The layer that can hold calls while a snapshot is taken. The first snapshot call switches it on.
void switch_snapshots_on();

}  // namespace ferry
