// SPDX-License-Identifier: Apache-2.0
// The memory that the arguments of a copy or fill refer to. Addresses are taken as values; the
// arrays of a batch are read only as far as the runtime itself has read them.
#pragma once

#include "layers/check/calls/call.h"
#include "layers/check/order/history.h"

#include "acl/acl_base_rt.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferry::layers::check {

// The bytes an argument refers to.
struct ArgumentRange {
  const char* argument = "";
  std::optional<size_t> index{};  // of the item, in a batch
  Range range;                    // clamped to the end of the address space
  uint64_t size = 0;              // as requested; may exceed the size of `range`
  AccessKind kind = AccessKind::kRead;
  // Set for the rows of a 2D copy; otherwise 0.
  uint64_t width = 0;
  uint64_t pitch = 0;
  uint64_t height = 0;

  // "srcs[3]"
  std::string path() const;
  // "dst is 0x… and 4096 bytes"
  std::string sentence() const;
};

// The ranges of a call that succeeded, or that was refused after the runtime had looked up its
// addresses. Empty for other calls. The ranges of a batch come in pairs: the destination of an
// item, then its source.
std::vector<ArgumentRange> ranges_of(const Call& call, aclError code);

// Whether the call is one of the four forms of a batch.
bool is_batch(const Call& call);

}  // namespace ferry::layers::check
