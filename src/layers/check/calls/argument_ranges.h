// SPDX-License-Identifier: Apache-2.0
// What the arguments of a copy or fill name as memory. Addresses are taken as values; the arrays of
// a batch are read only as far as the runtime has read them itself.
#pragma once

#include "layers/check/calls/call.h"
#include "layers/check/order/history.h"

#include "acl/acl_base_rt.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferry::layers::check {

// Bytes that an argument stands for.
struct ArgumentRange {
  const char* argument = "";
  std::optional<size_t> index{};  // of an item of a batch
  Range range;                    // from the first to the last byte; ends with the address space
  uint64_t size = 0;              // of the range as it was asked for, which may be more
  AccessKind kind = AccessKind::kRead;
  // Of rows: a 2D copy; else 0.
  uint64_t width = 0;
  uint64_t pitch = 0;
  uint64_t height = 0;

  // "srcs[3]"
  std::string path() const;
  // "dst is 0x… and 4096 bytes"
  std::string sentence() const;
};

// The ranges of a call that succeeded, or that was refused after its addresses were looked at.
// Empty for other calls. The ranges of a batch come in pairs, the destination of an item first.
std::vector<ArgumentRange> ranges_of(const Call& call, aclError code);

// Whether the call is one of the four forms of a batch.
bool is_batch(const Call& call);

}  // namespace ferry::layers::check
