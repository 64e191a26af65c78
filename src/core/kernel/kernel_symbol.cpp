// SPDX-License-Identifier: Apache-2.0
// Functions by an address on the host: what the program has bound, and the symbols of stand-ins.
#include "base/config.h"
#include "base/fixed_text.h"
#include "core/kernel/binary.h"
#include "core/runtime.h"

#include <map>
#include <mutex>
#include <string>

namespace ferry {
namespace {

// May be shared between threads; never destroyed.
struct SymbolBook {
  static SymbolBook& instance() {
    static auto* book = new SymbolBook;
    return *book;
  }

  std::mutex mutex;                        // guards `functions`
  std::map<const void*, void*> functions;  // handles; a function dies with its binary
};

// The name under which the kernel of a symbol is found; "" when nobody knows it.
std::string name_of_symbol(const void* symbol) {
  if (const auto found = StandIns::instance().find_by_symbol(symbol)) return found->name;
  const bool is_address = reinterpret_cast<uintptr_t>(symbol) >> 48 == 0;  // not a dead handle
  if (!config().kernels.skips_unknown || !is_address) return {};
  return FixedText("symbol %p", symbol).c_str();
}

}  // namespace

void bind_symbol(const void* symbol, const Ref<KernelFunction>& function) {
  SymbolBook& book = SymbolBook::instance();
  const std::lock_guard lock(book.mutex);
  book.functions[symbol] = function->handle();
}

Ref<KernelFunction> find_function_of_symbol(const void* symbol) {
  SymbolBook& book = SymbolBook::instance();
  const std::lock_guard lock(book.mutex);
  const auto bound = book.functions.find(symbol);
  const std::string name = name_of_symbol(symbol);
  if (bound != book.functions.end()) {
    Ref<KernelFunction> function = HandleTable<KernelFunction>::instance().find(bound->second);
    // A function without a binary follows the registration of its symbol.
    if (function && (function->binary() != nullptr || function->name() == name)) return function;
    if (function) HandleTable<KernelFunction>::instance().remove(bound->second);
    book.functions.erase(bound);
  }
  if (name.empty()) return {};
  void*& entry = book.functions[symbol];  // first: nothing may fail once the function exists
  Ref<KernelFunction> made = KernelFunction::create(name, {}, 0);
  entry = made->handle();
  return made;
}

Result<Ref<KernelFunction>> find_function_or_symbol(const void* either, const char* argument) {
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  if (Ref<KernelFunction> found = HandleTable<KernelFunction>::instance().find(either))
    return found;
  if (Ref<KernelFunction> found = find_function_of_symbol(either)) return found;
  return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, either, "function or symbol");
}

}  // namespace ferry
