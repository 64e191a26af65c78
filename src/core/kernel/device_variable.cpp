// SPDX-License-Identifier: Apache-2.0
// A variable keeps its place on a device while that has a context.
#include "core/kernel/device_variable.h"

#include "core/runtime_memory.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace ferry {
namespace {

std::atomic<bool> has_places{false};  // teardown must not need memory

// May be shared between threads; never destroyed.
struct VariableBook {
  static VariableBook& instance() {
    static auto* book = new VariableBook;
    return *book;
  }

  std::mutex mutex;  // guards `places`
  std::map<std::pair<const DeviceVariable*, int32_t>, std::unique_ptr<RuntimeMemory>> places;
};

}  // namespace

Result<const DeviceVariable*> find_variable(const void* symbol) {
  if (const DeviceVariable* found = StandIns::instance().find_variable_by_symbol(symbol)) {
    return found;
  }
  return reject(ACL_ERROR_RT_INVALID_SYMBOL, kEE1017, "symbol", symbol)
      .because(
          ", which names no device variable: the stand-in of a kernel registers its variables with "
          "ferryRegisterKernelEx (ferry/kernel.h)");
}

Result<void*> address_of_variable(const DeviceVariable& variable, Device& device) {
  VariableBook& book = VariableBook::instance();
  const std::lock_guard lock(book.mutex);
  std::unique_ptr<RuntimeMemory>& place = book.places[{&variable, device.id()}];
  if (place == nullptr) {
    FERRY_TRY(std::unique_ptr<RuntimeMemory>, made, RuntimeMemory::make(device, variable.size));
    FERRY_RETURN_IF_ERROR((*made)->clear());
    place = std::move(*made);
    has_places = true;
  }
  return static_cast<void*>(place->address());
}

void forget_variables(const Device& device) {
  if (!has_places) return;
  VariableBook& book = VariableBook::instance();
  const std::lock_guard lock(book.mutex);
  std::erase_if(book.places, [&](const auto& entry) { return entry.first.second == device.id(); });
}

}  // namespace ferry
