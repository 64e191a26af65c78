// SPDX-License-Identifier: Apache-2.0
// Finding the ledger of this user for a capacity, or making it. All processes that ask for the same
// capacity get the same ledger; it goes with the last of them.
#pragma once

#include "base/status.h"
#include "sharing/ledger.h"

#include <cstdint>
#include <memory>

namespace ferry::sharing {

// Offers the ledger to other processes from now on. May wait for other processes that start at the
// same time. 207005 with a text when the system refuses something, or when the processes that have
// the ledger do not answer within 10 s. Throws std::bad_alloc.
Result<std::shared_ptr<Ledger>> common_ledger(uint64_t capacity);

}  // namespace ferry::sharing
