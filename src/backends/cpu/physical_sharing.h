// SPDX-License-Identifier: Apache-2.0
// Physical memory of several processes. Memory of a device moves into a file of its own before
// another process gets it, or the host may write to it at any moment. Addresses and contents stay.
#pragma once

#include "backends/cpu/mappings.h"
#include "backends/cpu/physical_memory.h"

#include "ferry/backend.h"

namespace ferry::cpu {

// Fills what other processes need to map the memory. 207001 without a file, 507899 while it cannot
// move.
int export_physical(ferryx_physical& physical, ferryx_shared& shared);
// Memory of another process: not counted. 507899 when its file cannot be relied on.
int import_physical(const ferryx_shared& shared, ferryx_physical** physical);

// Code of the host is about to get access to a mapping. The memory moves now, since it cannot move
// later; or it stays, and cannot be exported while the mapping lives. With the lock of the mappings
// held.
int prepare_for_host(Mappings& mappings, Mapping& mapping);

}  // namespace ferry::cpu
