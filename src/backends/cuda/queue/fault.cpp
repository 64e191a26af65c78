// SPDX-License-Identifier: Apache-2.0
// Describes the faults that kernels report.
#include "backends/cuda/queue/fault.h"

#include <cinttypes>
#include <cstdio>

namespace ferry::cuda {
namespace {

const char* side_of(Fault fault) {
  if (fault == Fault::kDescriptor) return "desc";
  return fault == Fault::kSrc ? "src" : "dst";
}

}  // namespace

std::string describe(const FaultSlot& fault) {
  const auto code = static_cast<Fault>(fault.code);
  if (code == Fault::kNone) return {};
  char text[160];
  std::snprintf(text, sizeof text, "%s is 0x%" PRIx64 " and %" PRIu64 " bytes, which %s",
                side_of(code), fault.address, fault.size,
                fault.is_inside != 0 ? "leaves its allocation" : "is not in any live allocation");
  return text;
}

}  // namespace ferry::cuda
