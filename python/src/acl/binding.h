// SPDX-License-Identifier: Apache-2.0
// Wraps C functions for Python by their types: pointers, handles and enums are ints, outputs are
// returned in a tuple with the code last. Functions that do not fit this form are written by hand
// in the file of their chapter.
#ifndef FERRY_PYTHON_ACL_BINDING_H
#define FERRY_PYTHON_ACL_BINDING_H

#include "lock.h"
#include "number.h"

#include "acl/acl.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ferry::python {

// ---- values ----

template <typename T>
auto number_type() {
  if constexpr (std::is_pointer_v<T>) {
    return Address{};
  } else if constexpr (std::is_enum_v<T>) {
    return Number<int32_t>{};
  } else {
    return Number<std::remove_cv_t<T>>{};
  }
}

// The Python argument for a parameter of type T.
template <typename T>
using Argument = decltype(number_type<T>());

template <typename T>
T to_c(Argument<T> argument) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(argument.value);
  } else {
    return static_cast<T>(argument.value);
  }
}

template <typename T>
T* pointer_of(Address address) {
  return static_cast<T*>(reinterpret_cast<void*>(address.value));
}

template <typename T>
auto to_python(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<uintptr_t>(value);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<std::underlying_type_t<T>>(value);
  } else {
    return value;
  }
}

// ---- calls ----

// Whether a call releases the interpreter lock. Only calls that read something small and never wait
// keep it: not even for a lock of the library that a callback could hold.
enum class Gil { kReleased, kKept };

template <Gil gil, typename Call>
auto call(const Call& function) {
  if constexpr (gil == Gil::kReleased) {
    const Unlocked unlocked;
    return function();
  } else {
    return function();
  }
}

template <typename Call>
auto unlocked(const Call& function) {
  return call<Gil::kReleased>(function);
}

// ---- functions ----

// `signature` has the form "(size: int, policy: int, /) -> tuple[int, int]".
template <typename Function, typename... Extra>
void define(nb::module_& module, const char* name, const char* signature, const char* text,
            Function&& function, const Extra&... extra) {
  const std::string whole = std::string("def ") + name + signature;
  module.def(name, std::forward<Function>(function), nb::sig(whole.c_str()), text, extra...);
}

// A function without arguments accepts and ignores any number of them, because programs pass some.
template <typename Function>
void define_without_arguments(nb::module_& module, const char* name, const char* result,
                              const char* text, const Function& function) {
  const std::string signature = std::string("(*args: object) -> ") + result;
  define(module, name, signature.c_str(), text, [function](const nb::args&) { return function(); });
}

namespace detail {

template <auto function, Gil gil, typename Result, typename... Parameters>
void bind_plain(nb::module_& module, const char* name, const char* signature, const char* text,
                Result (*)(Parameters...)) {
  if constexpr (sizeof...(Parameters) == 0) {
    define_without_arguments(module, name, signature, text,
                             [] { return to_python(call<gil>([] { return function(); })); });
  } else {
    define(module, name, signature, text, [](Argument<Parameters>... arguments) {
      return to_python(call<gil>([&] { return function(to_c<Parameters>(arguments)...); }));
    });
  }
}

template <auto function, Gil gil, typename Parameters, typename Inputs, typename Outputs>
struct WithOutputs;

// `inputs` and `outputs` are positions among the parameters.
template <auto function, Gil gil, typename Parameters, size_t... inputs, size_t... outputs>
struct WithOutputs<function, gil, Parameters, std::index_sequence<inputs...>,
                   std::index_sequence<outputs...>> {
  template <size_t place>
  using Parameter = std::tuple_element_t<place, Parameters>;
  using Values = std::tuple<std::remove_pointer_t<Parameter<outputs>>...>;

  static aclError call_c(Values& values, Argument<Parameter<inputs>>... arguments) {
    return std::apply(
        [&](auto&... value) {
          if constexpr (std::get<0>(std::tuple(outputs...)) == 0) {
            return function(&value..., to_c<Parameter<inputs>>(arguments)...);
          } else {
            return function(to_c<Parameter<inputs>>(arguments)..., &value...);
          }
        },
        values);
  }

  static auto run(Argument<Parameter<inputs>>... arguments) {
    Values values{};
    const aclError code = call<gil>([&] { return call_c(values, arguments...); });
    return std::apply([&](auto... value) { return std::make_tuple(to_python(value)..., code); },
                      values);
  }
};

template <auto function, Gil gil, typename Parameters, typename Inputs, typename Outputs>
void bind_outputs(nb::module_& module, const char* name, const char* signature, const char* text,
                  Inputs, Outputs) {
  using Function = WithOutputs<function, gil, Parameters, Inputs, Outputs>;
  if constexpr (Inputs::size() == 0) {
    define_without_arguments(module, name, signature, text, [] { return Function::run(); });
  } else {
    define(module, name, signature, text, &Function::run);
  }
}

template <size_t offset, size_t... numbers>
constexpr auto shifted(std::index_sequence<numbers...>) {
  return std::index_sequence<(offset + numbers)...>{};
}

template <auto function, Gil gil, size_t count, typename... Parameters>
void bind_outputs_first(nb::module_& module, const char* name, const char* signature,
                        const char* text, aclError (*)(Parameters...)) {
  bind_outputs<function, gil, std::tuple<Parameters...>>(
      module, name, signature, text,
      shifted<count>(std::make_index_sequence<sizeof...(Parameters) - count>{}),
      std::make_index_sequence<count>{});
}

template <auto function, Gil gil, size_t count, typename... Parameters>
void bind_outputs_last(nb::module_& module, const char* name, const char* signature,
                       const char* text, aclError (*)(Parameters...)) {
  constexpr size_t kInputs = sizeof...(Parameters) - count;
  bind_outputs<function, gil, std::tuple<Parameters...>>(
      module, name, signature, text, std::make_index_sequence<kInputs>{},
      shifted<kInputs>(std::make_index_sequence<count>{}));
}

}  // namespace detail

// For functions without arguments, `signature` is the result type alone.

// All parameters are inputs; the result is what the C function returns.
template <auto function, Gil gil = Gil::kReleased>
void bind(nb::module_& module, const char* name, const char* signature, const char* text) {
  detail::bind_plain<function, gil>(module, name, signature, text, function);
}

// The first `count` parameters are outputs.
template <auto function, Gil gil = Gil::kReleased, size_t count = 1>
void bind_outputs_first(nb::module_& module, const char* name, const char* signature,
                        const char* text) {
  detail::bind_outputs_first<function, gil, count>(module, name, signature, text, function);
}

// The last `count` parameters are outputs.
template <auto function, Gil gil = Gil::kReleased, size_t count = 1>
void bind_outputs_last(nb::module_& module, const char* name, const char* signature,
                       const char* text) {
  detail::bind_outputs_last<function, gil, count>(module, name, signature, text, function);
}

}  // namespace ferry::python

#endif
