// SPDX-License-Identifier: Apache-2.0
// The symbols of one companion library that are generated from the list. Compiled once per library,
// with the macro of that library defined as FERRY_SYMBOL.
#include "companions/declarations.h"
#include "companions/support.h"

#include <atomic>
#include <type_traits>

namespace ferry::companions {
namespace {

// The function of the same name in libascendcl.so. Looked up on the first call; two threads find
// the same.
template <class Function>
[[maybe_unused]] Function* forwarded(std::atomic<Function*>& known, const char* name) {
  Function* function = known.load(std::memory_order_acquire);
  if (function != nullptr) return function;
  function = reinterpret_cast<Function*>(find_function(name));
  known.store(function, std::memory_order_release);
  return function;
}

// Refuses, but names a NULL among the pointers first. `arguments` is their text.
template <class... Pointers>
[[maybe_unused]] aclError refuse_after_null(const char* function, const char* arguments,
                                            const Pointers*... pointers) {
  const void* const all[] = {pointers..., function};
  const size_t missing = find_null(all, sizeof...(pointers));
  if (missing < sizeof...(pointers)) return fail_null_at(function, arguments, missing);
  return refuse(function);
}

template <class Return>
[[maybe_unused]] Return refused_as([[maybe_unused]] aclError code) {
  if constexpr (std::is_same_v<Return, aclError>) {
    return code;
  } else {
    return Return();
  }
}

}  // namespace
}  // namespace ferry::companions

#define FERRY_TEXT_OF(...) #__VA_ARGS__

#define FERRY_ANSWER_WRITTEN(result, name, params, last)

#define FERRY_ANSWER_FORWARDED(result, name, params, last)                            \
  result name params {                                                                \
    using Function = result params;                                                   \
    static std::atomic<Function*> known{nullptr};                                     \
    Function* const function = ferry::companions::forwarded<Function>(known, #name);  \
    if (function == nullptr) {                                                        \
      return ferry::companions::refused_as<result>(ferry::companions::refuse(#name)); \
    }                                                                                 \
    return function last;                                                             \
  }

#define FERRY_ANSWER_RENAMED(result, name, params, last) \
  result name params {                                   \
    return last;                                         \
  }

#define FERRY_ANSWER_REFUSED(result, name, params, last)                                   \
  result name params {                                                                     \
    const auto refuse = [](auto*... pointers) {                                            \
      return ferry::companions::refuse_after_null(#name, FERRY_TEXT_OF last, pointers...); \
    };                                                                                     \
    return ferry::companions::refused_as<result>(refuse last);                             \
  }

#define FERRY_ANSWER_HCCL_REFUSED(result, name, params, last) \
  result name params {                                        \
    ferry::companions::refuse(#name);                         \
    return HCCL_E_NOT_SUPPORT;                                \
  }

#define FERRY_SYMBOL(answer, ...) FERRY_ANSWER_##answer(__VA_ARGS__)

#pragma GCC diagnostic ignored "-Wunused-parameter"
extern "C" {
#include "companions/symbols.def"
}
