// SPDX-License-Identifier: Apache-2.0
// Describes the faults that kernels report.
#include "backends/cuda/queue/fault.h"

#include <cinttypes>
#include <cstdio>

namespace ferry::cuda {
namespace {

const char* side_of(uint32_t code) {
  switch (static_cast<Fault>(code)) {
    case Fault::kDescriptor:
      return "desc";
    case Fault::kSrc:
      return "src";
    default:
      return "dst";
  }
}

}  // namespace

std::string describe(const FaultSlot& fault) {
  if (fault.code == static_cast<uint32_t>(Fault::kNone)) return {};
  char text[160];
  std::snprintf(text, sizeof text, "%s is 0x%" PRIx64 " and %" PRIu64 " bytes, which %s",
                side_of(fault.code), fault.address, fault.size,
                fault.is_inside != 0 ? "leaves its allocation" : "is not in any live allocation");
  return text;
}

}  // namespace ferry::cuda
