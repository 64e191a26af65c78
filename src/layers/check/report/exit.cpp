// SPDX-License-Identifier: Apache-2.0
// An exit() handler that receives the exit status.
#include "layers/check/report/exit.h"

#include "layers/check/report/report.h"

#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>

namespace ferry::layers::check {
namespace {

void (*finish_hook)() = nullptr;
pid_t owner = 0;

bool report_all_and_has_errors() {
  try {
    close_reports();
    return error_count() > 0;
  } catch (const std::bad_alloc&) {
    std::fputs("ferry: the summary is lost: host memory is exhausted\n", stderr);
    return false;
  }
}

void on_end(int status, void* /*unused*/) {
  if (getpid() != owner) return;
  if (finish_hook != nullptr) finish_hook();
  const bool has_errors = report_all_and_has_errors();
  if (status != 0 || !has_errors) return;
  // glibc allows a handler to call exit() again: the remaining handlers run, files are flushed, and
  // the new status counts. Ours is no longer on the list.
  std::exit(kExitFindings);
}

}  // namespace

void at_end(void (*finish)()) {
  finish_hook = finish;
  owner = getpid();
  on_exit(on_end, nullptr);
}

}  // namespace ferry::layers::check
