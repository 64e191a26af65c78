// SPDX-License-Identifier: Apache-2.0
// Checks and keeps registrations.
#include "core/kernel/stand_in.h"

#include "base/config.h"

#include <algorithm>
#include <cstring>

namespace ferry {
namespace {

constexpr size_t kLongestName = 1023;
constexpr uint32_t kKnownFlags = FERRY_KERNEL_CPU | FERRY_KERNEL_SYNC_WORD |
                                 FERRY_KERNEL_OVERFLOW_WORD | FERRY_KERNEL_HAS_ENTRY |
                                 FERRY_KERNEL_SIMT;

Status check_identity(const ferryKernel& kernel) {
  if (kernel.structSize < sizeof kernel) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "structSize", kernel.structSize)
        .allowed("%zu or more", sizeof kernel);
  }
  if (kernel.name == nullptr) return fail_null("name");
  if (kernel.function == nullptr) return fail_null("function");
  const size_t length = strnlen(kernel.name, kLongestName + 1);
  if (length == 0 || length > kLongestName) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "name")
        .because(" is %s, allowed are 1 to %zu characters", length == 0 ? "empty" : "too long",
                 kLongestName);
  }
  if ((kernel.flags & ~kKnownFlags) == 0) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", Value::hex(kernel.flags))
      .allowed("the bits 0x%x", kKnownFlags);
}

Status check_parameters(const ferryKernel& kernel) {
  if (kernel.parameters == nullptr) {
    if (kernel.parameterCount == 0) return {};
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "parameters").because(" is NULL");
  }
  if (kernel.parameterCount > kMostParameters) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "parameterCount", kernel.parameterCount)
        .allowed("0 to %zu", kMostParameters);
  }
  for (size_t i = 0; i < kernel.parameterCount; ++i) {
    const ferryKernelParameter& one = kernel.parameters[i];
    if (one.size == 0 || one.offset > kMostArgumentBytes ||
        one.size > kMostArgumentBytes - one.offset) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, Argument("parameters", i, "size"), one.size)
          .because(" at offset %zu, allowed is 1 or more, ending at %zu or before", one.offset,
                   kMostArgumentBytes);
    }
    for (size_t j = 0; j < i; ++j) {
      const ferryKernelParameter& other = kernel.parameters[j];
      if (one.offset >= other.offset + other.size || other.offset >= one.offset + one.size) {
        continue;
      }
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, Argument("parameters", i, "offset"),
                    one.offset)
          .because(", which overlaps parameters[%zu]", j);
    }
  }
  return {};
}

Status check_variables(const ferryKernel& kernel) {
  if (kernel.variables == nullptr && kernel.variableCount > 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "variables").because(" is NULL");
  }
  for (size_t i = 0; i < kernel.variableCount; ++i) {
    const ferryKernelVariable& one = kernel.variables[i];
    if (one.size == 0) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, Argument("variables", i, "size"), 0)
          .allowed("1 or more");
    }
    if (one.name == nullptr && one.symbol == nullptr) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0009, Argument("variables", i))
          .because(" has neither a name nor a symbol");
    }
  }
  return {};
}

bool is_same_variable(const DeviceVariable& known, const ferryKernelVariable& other) {
  const bool has_name = other.name != nullptr && !known.name.empty() && known.name == other.name;
  return has_name || (other.symbol != nullptr && known.symbol == other.symbol);
}

std::shared_ptr<const StandIn> make_stand_in(const ferryKernel& kernel) {
  auto made = std::make_shared<StandIn>();
  made->name = kernel.name;
  made->flags = kernel.flags;
  made->function = kernel.function;
  made->data = kernel.data;
  if (kernel.parameters != nullptr) {
    made->parameters.emplace(kernel.parameters, kernel.parameters + kernel.parameterCount);
  }
  made->declare = kernel.declare;
  made->symbol = kernel.symbol;
  made->entry = kernel.entry;
  made->type = kernel.type;
  return made;
}

}  // namespace

StandIns& StandIns::instance() {
  static auto* all = new StandIns;
  return *all;
}

// What names a kernel or a variable must not name another one.
Status StandIns::check_free(const ferryKernel& kernel) const {
  for (const auto& [name, other] : by_name_) {
    if (name == kernel.name) continue;
    if (kernel.symbol != nullptr && other->symbol == kernel.symbol) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "symbol", kernel.symbol)
          .because(", which is the symbol of kernel %s", name.c_str());
    }
    if ((kernel.flags & FERRY_KERNEL_HAS_ENTRY) != 0 && other->has(FERRY_KERNEL_HAS_ENTRY) &&
        other->entry == kernel.entry) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "entry", kernel.entry)
          .because(", which is the entry of kernel %s", name.c_str());
    }
  }
  for (size_t i = 0; i < kernel.variableCount; ++i) {
    for (const DeviceVariable& known : variables_) {
      const ferryKernelVariable& wanted = kernel.variables[i];
      if (!is_same_variable(known, wanted)) continue;
      if (known.size == wanted.size && known.symbol == wanted.symbol &&
          known.name == (wanted.name == nullptr ? "" : wanted.name)) {
        continue;
      }
      return reject(ACL_ERROR_INVALID_PARAM, kEH0009, Argument("variables", i))
          .because(" differs from the variable that was registered with this name or symbol");
    }
  }
  return {};
}

Status StandIns::add_variables(const ferryKernel& kernel) {
  for (size_t i = 0; i < kernel.variableCount; ++i) {
    const ferryKernelVariable& wanted = kernel.variables[i];
    const bool is_known =
        std::any_of(variables_.begin(), variables_.end(),
                    [&](const DeviceVariable& known) { return is_same_variable(known, wanted); });
    if (is_known) continue;
    variables_.push_back({.name = wanted.name == nullptr ? "" : wanted.name,
                          .symbol = wanted.symbol,
                          .size = wanted.size});
  }
  return {};
}

Status StandIns::add(const ferryKernel& kernel) {
  FERRY_RETURN_IF_ERROR(check_identity(kernel));
  FERRY_RETURN_IF_ERROR(check_parameters(kernel));
  FERRY_RETURN_IF_ERROR(check_variables(kernel));
  std::shared_ptr<const StandIn> made = make_stand_in(kernel);
  counts_of(made->name);
  const std::lock_guard lock(mutex_);
  FERRY_RETURN_IF_ERROR(check_free(kernel));
  FERRY_RETURN_IF_ERROR(add_variables(kernel));
  by_name_[made->name] = made;
  return {};
}

Status StandIns::remove(const char* name) {
  const std::lock_guard lock(mutex_);
  const auto found = by_name_.find(std::string_view(name));
  if (found == by_name_.end()) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "name", Value::quoted(name))
        .because(", but no stand-in has this name");
  }
  by_name_.erase(found);
  return {};
}

template <class Matches>
std::shared_ptr<const StandIn> StandIns::find_if(Matches matches) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, one] : by_name_) {
    if (matches(*one)) return one;
  }
  return nullptr;
}

std::shared_ptr<const StandIn> StandIns::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

std::shared_ptr<const StandIn> StandIns::find_by_symbol(const void* symbol) const {
  return find_if([&](const StandIn& one) { return one.symbol == symbol && symbol != nullptr; });
}

std::shared_ptr<const StandIn> StandIns::find_by_entry(uint64_t entry) const {
  return find_if(
      [&](const StandIn& one) { return one.has(FERRY_KERNEL_HAS_ENTRY) && one.entry == entry; });
}

const DeviceVariable* StandIns::find_variable(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(variables_.begin(), variables_.end(),
                                  [&](const DeviceVariable& one) { return one.name == name; });
  return found == variables_.end() ? nullptr : &*found;
}

const DeviceVariable* StandIns::find_variable_by_symbol(const void* symbol) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(variables_.begin(), variables_.end(),
                                  [&](const DeviceVariable& one) { return one.symbol == symbol; });
  return found == variables_.end() ? nullptr : &*found;
}

bool StandIns::takes_any_binary() const {
  const std::lock_guard lock(mutex_);
  return config().kernels.skips_unknown || !by_name_.empty();
}

KernelCounts& StandIns::counts_of(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(counts_.begin(), counts_.end(),
                                  [&](const KernelCounts& one) { return one.name == name; });
  if (found != counts_.end()) return *found;
  KernelCounts& made = counts_.emplace_back();
  made.name = name;
  return made;
}

const KernelCounts* StandIns::counts_at(size_t index) const {
  const std::lock_guard lock(mutex_);
  return index < counts_.size() ? &counts_[index] : nullptr;
}

Status fail_unknown_kernel(aclError code, const char* argument, const Value& value,
                           const char* remark) {
  return reject(code, kEE1017, argument, value)
      .because(
          ", but no stand-in is registered for this kernel%s: register one with "
          "ferryRegisterKernel (ferry/kernel.h), let FERRY_KERNELS name a shared object that does, "
          "or set FERRY_KERNELS=skip to skip kernels without one",
          remark);
}

}  // namespace ferry
