// SPDX-License-Identifier: Apache-2.0
// An exit() handler that sets a flag. It runs before the destructors of objects constructed before
// the runtime started, which is when host functions would find their objects destroyed.
#include "base/process.h"

#include <atomic>
#include <cstdlib>

namespace ferry {
namespace {

std::atomic<bool> exiting{false};
void (*at_exit_handler)() = nullptr;  // written once, before exit() can call it

}  // namespace

bool watch_for_exit(void (*at_exit)()) {
  at_exit_handler = at_exit;
  return std::atexit([] {
           exiting.store(true);
           at_exit_handler();
         }) == 0;
}

bool is_exiting() {
  return exiting.load();
}

}  // namespace ferry
