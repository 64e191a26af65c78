// SPDX-License-Identifier: Apache-2.0
// A scenario: an engine with one copy thread, and what one or two threads of the program do. Relacy
// runs it once for each interleaving.
#pragma once

#include "backends/cpu/engine.h"
#include "interleavings/run.h"
#include "stage.h"

namespace ferry::interleavings {

// Derived classes have program(index), which is what one thread of the program does, and close(),
// which the last of these threads calls to destroy the queues.
template <class Derived, unsigned kPrograms, ferryx_schedule kSchedule>
class Scenario : public rl::test_suite<Derived, static_cast<int>(kPrograms) + 1> {
 public:
  Scenario() { engine_.start(); }

  void thread(unsigned index) {
    if (index == kPrograms) return serve();
    self().program(index);
    const bool is_last = programs_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    if (!is_last) return;
    self().close();
    end_run();
  }

 protected:
  cpu::Engine& engine() { return engine_; }

 private:
  // Members are constructed in this order: a run begins before all that belongs to it.
  struct Begin {
    Begin() { begin_run(); }
  };
  struct Watch : cpu::ValueWatch {
    Watch() { watch_of_run = this; }
  };

  Derived& self() { return static_cast<Derived&>(*this); }
  static void serve() {
    try {
      run().copy_thread();
    } catch (const EndOfRun&) {
      return;
    }
  }

  Begin begin_;
  Watch watch_;
  cpu::Engine engine_{{.device = 0, .threads = 1, .parallelism = 2, .schedule = kSchedule}};
  cpu::sync::Atomic<unsigned> programs_{kPrograms};
};

}  // namespace ferry::interleavings
