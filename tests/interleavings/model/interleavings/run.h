// SPDX-License-Identifier: Apache-2.0
// The run in progress: one interleaving, from the first step of its threads to the last. Threads of
// a run are Relacy's fibers, so what is not a sync type needs no lock.
#pragma once

#include <cstdint>
#include <functional>

namespace ferry::cpu::sync {
class Condition;
class Mutex;
}  // namespace ferry::cpu::sync

namespace ferry::interleavings {

// Ends a copy thread that has nothing to do any more. Engine::serve never returns.
struct EndOfRun {};

struct Run {
  uint64_t number = 0;                // of this run, counted from 1
  std::function<void()> copy_thread;  // what Engine::start wanted to be run
  bool is_over = false;               // the program's threads have ended
  // Where the copy thread sleeps; nullptr while it is awake.
  cpu::sync::Condition* sleeps_on = nullptr;
  cpu::sync::Mutex* sleeps_with = nullptr;
};

Run& run();
// Starts another run; all its threads have yet to begin.
void begin_run();
// The program's threads have ended: the copy thread ends instead of sleeping.
void end_run();

}  // namespace ferry::interleavings
