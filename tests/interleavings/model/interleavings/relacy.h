// SPDX-License-Identifier: Apache-2.0
// The parts of Relacy that are used. relacy/relacy.hpp would also replace words of the language and
// functions of the library by macros.
#pragma once

// The order matters: these headers rely on earlier ones.
// clang-format off
#include <relacy/base.hpp>
#include <relacy/context.hpp>
#include <relacy/context_base_impl.hpp>
#include <relacy/atomic.hpp>
#include <relacy/var.hpp>
#include <relacy/test_suite.hpp>
#include <relacy/stdlib/mutex.hpp>
#include <relacy/stdlib/condition_variable.hpp>
#include <relacy/stdlib/semaphore.hpp>
#include <relacy/stdlib/event.hpp>
// clang-format on
#undef $

#include <cstring>
#include <source_location>

namespace ferry::interleavings {

using Place = std::source_location;

// A place in the source as Relacy prints it: only the name of the file.
inline rl::debug_info shown(const Place& at) {
  const char* const slash = std::strrchr(at.file_name(), '/');
  return {at.function_name(), slash == nullptr ? at.file_name() : slash + 1, at.line()};
}

}  // namespace ferry::interleavings
