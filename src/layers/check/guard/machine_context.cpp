// SPDX-License-Identifier: Apache-2.0
// x86-64 saves the page fault's error code with the registers; aarch64 keeps the exception syndrome
// in a list of records behind them.
#include "layers/check/guard/machine_context.h"

#include <ucontext.h>

#include <cstddef>
#include <cstring>

namespace ferry::layers::check {

#if defined(__x86_64__)

uintptr_t interrupted_instruction(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return static_cast<uintptr_t>(machine.gregs[REG_RIP]);
}

FaultAccess fault_access(const void* context) {
  constexpr greg_t kWriteBit = 2;
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return (machine.gregs[REG_ERR] & kWriteBit) != 0 ? FaultAccess::kWrite : FaultAccess::kRead;
}

#elif defined(__aarch64__)

uintptr_t interrupted_instruction(const void* context) {
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
}

FaultAccess fault_access(const void* context) {
  constexpr uint32_t kSyndromeMagic = 0x45535201;
  constexpr uint64_t kWriteBit = 1 << 6;
  struct Head {
    uint32_t magic;
    uint32_t size;
  };
  const auto& records = static_cast<const ucontext_t*>(context)->uc_mcontext.__reserved;
  Head head{};
  for (size_t at = 0; at + sizeof head + sizeof(uint64_t) <= sizeof records; at += head.size) {
    std::memcpy(&head, records + at, sizeof head);
    if (head.magic == kSyndromeMagic) {
      uint64_t syndrome = 0;
      std::memcpy(&syndrome, records + at + sizeof head, sizeof syndrome);
      return (syndrome & kWriteBit) != 0 ? FaultAccess::kWrite : FaultAccess::kRead;
    }
    if (head.magic == 0 || head.size == 0) break;
  }
  return FaultAccess::kUnknown;
}

#else

uintptr_t interrupted_instruction(const void* /*context*/) {
  return 0;
}

FaultAccess fault_access(const void* /*context*/) {
  return FaultAccess::kUnknown;
}

#endif

}  // namespace ferry::layers::check
