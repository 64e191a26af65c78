// SPDX-License-Identifier: Apache-2.0
// Callouts and functions of models: their argument is released after one execution, so every run
// gets a copy of the one that was recorded.
#pragma once

#include "base/status.h"
#include "base/work.h"
#include "core/model/run_ref.h"
#include "core/stream.h"

#include "ferry/backend.h"

#include <memory>
#include <new>
#include <utility>

namespace ferry {

// Arguments with a member `RunRef run` learn which run they belong to.
template <class Argument>
std::unique_ptr<Argument> copy_for_run(const Argument& recorded, void* model) noexcept {
  const RunRef run = RunRef::current(model);
  try {
    auto copy = std::make_unique<Argument>(recorded);
    if constexpr (requires { copy->set_run(run); }) copy->set_run(run);
    return copy;
  } catch (const std::bad_alloc&) {
    run.fail(ACL_ERROR_RT_MEMORY_ALLOCATION, FixedText("host memory is exhausted in a run"));
    return nullptr;
  }
}

template <class Argument>
struct RepeatedCallout {
  static void start(void* self, ferryx_callout* callout) {
    if (callout == nullptr) return;  // the argument stays for the next run
    const auto& own = *static_cast<const RepeatedCallout*>(self);
    if (auto copy = copy_for_run(own.argument, own.model)) {
      own.start_copy(copy.release(), callout);
    } else {
      callout->done(callout);
    }
  }

  ferryx_callout_start start_copy;
  Argument argument;
  void* model;
};

template <class Argument>
Status record_callout(Stream& stream, ferryx_callout_start start, Argument argument) {
  using Repeated = RepeatedCallout<Argument>;
  auto repeated =
      std::make_shared<Repeated>(Repeated{start, std::move(argument), RunRef::model_of(stream)});
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = Repeated::start, .argument = repeated.get()});
  return stream.record(work, {.keeps = std::move(repeated)});
}

template <class Argument>
struct RepeatedFunction {
  static void run(void* self, int runs) {
    if (runs == 0) return;
    const auto& own = *static_cast<const RepeatedFunction*>(self);
    if (auto copy = copy_for_run(own.argument, own.model)) own.run_copy(copy.release(), 1);
  }

  ferryx_device_function run_copy;
  Argument argument;
  void* model;
};

template <class Argument>
Status record_function(Stream& stream, ferryx_device_function run, Argument argument) {
  using Repeated = RepeatedFunction<Argument>;
  auto repeated =
      std::make_shared<Repeated>(Repeated{run, std::move(argument), RunRef::model_of(stream)});
  ferryx_work work = make_work(FERRYX_FUNCTION, &ferryx_payload::function,
                               {.run = Repeated::run, .argument = repeated.get()});
  return stream.record(work, {.keeps = std::move(repeated)});
}

}  // namespace ferry
