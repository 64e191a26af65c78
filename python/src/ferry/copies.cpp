// SPDX-License-Identifier: Apache-2.0
// Single copies, blocking and on a stream. Batches are in batch.cpp.
#include "copies.h"

#include "../acl/lock.h"
#include "counters.h"
#include "errors.h"
#include "pins.h"

#include "acl/acl.h"

#include <string>

namespace nb = nanobind;

namespace ferry::python {
namespace {

struct Pair {
  Side dst;
  Side src;
};

Pair resolve(Pins& pins, nb::handle dst, nb::handle src) {
  pins.prepare(2);
  const Pair pair{pins.add(dst, {Role::kTarget}), pins.add(src, {Role::kSource})};
  require_same_size(pair.dst, pair.src, Place::kNoItem);
  ++counters().copies;
  counters().bytes += pair.src.nbytes;
  return pair;
}

void copy(nb::handle dst, nb::handle src) {
  Pins pins;
  const Pair pair = resolve(pins, dst, src);
  Outcome outcome;
  {
    const Unlocked unlocked;
    outcome =
        outcome_of("aclrtMemcpy", aclrtMemcpy(pair.dst.address, pair.dst.nbytes, pair.src.address,
                                              pair.src.nbytes, ACL_MEMCPY_DEFAULT));
  }
  if (!outcome.is_success()) raise(outcome);
}

void copy_async(Pins& pins, nb::handle dst, nb::handle src, uintptr_t stream_handle,
                uintptr_t event_handle) {
  auto* const stream = reinterpret_cast<aclrtStream>(stream_handle);
  auto* const event = reinterpret_cast<aclrtEvent>(event_handle);
  const Pair pair = resolve(pins, dst, src);
  Outcome outcome;
  {
    const Unlocked unlocked;
    outcome = outcome_of("aclrtMemcpyAsync",
                         aclrtMemcpyAsync(pair.dst.address, pair.dst.nbytes, pair.src.address,
                                          pair.src.nbytes, ACL_MEMCPY_DEFAULT, stream));
    if (outcome.is_success()) outcome = mark(event, stream);
  }
  if (!outcome.is_success()) raise(outcome);
  pins.set_queued();
}

size_t nbytes_of(nb::handle object) {
  Pins pins;
  pins.prepare(1);
  return pins.add(object, {Role::kSource}).nbytes;
}

void fill(nb::handle dst, int32_t value) {
  Pins pins;
  pins.prepare(1);
  const Side side = pins.add(dst, {Role::kTarget});
  Outcome outcome;
  {
    const Unlocked unlocked;
    outcome = outcome_of("aclrtMemset", aclrtMemset(side.address, side.nbytes, value, side.nbytes));
  }
  if (!outcome.is_success()) raise(outcome);
}

}  // namespace

void require_same_size(const Side& dst, const Side& src, Py_ssize_t item) {
  if (dst.nbytes == src.nbytes) return;
  const std::string where =
      item == Place::kNoItem ? std::string() : "item " + std::to_string(item) + ": ";
  raise_python(PyExc_ValueError, where + "dst has " + std::to_string(dst.nbytes) +
                                     " bytes and src has " + std::to_string(src.nbytes) +
                                     "; slice the larger one");
}

Outcome mark(aclrtEvent event, aclrtStream stream) {
  Outcome outcome = outcome_of("aclrtRecordEvent", aclrtRecordEvent(event, stream));
  // Without the event nothing tells when the memory may be released: wait now.
  if (!outcome.is_success()) static_cast<void>(aclrtSynchronizeStream(stream));
  return outcome;
}

void add_copies(nb::module_& module) {
  module.def("copy", copy, nb::arg("dst").none(), nb::arg("src").none());
  module.def("copy_async", copy_async, nb::arg("pins"), nb::arg("dst").none(),
             nb::arg("src").none(), nb::arg("stream"), nb::arg("event"));
  module.def("nbytes", nbytes_of, nb::arg("object").none());
  module.def("fill", fill, nb::arg("dst").none(), nb::arg("value"));
}

}  // namespace ferry::python
