// SPDX-License-Identifier: Apache-2.0
// Batches: many pairs of Python objects in one call of the C interface, or one by one where the
// product has no batch copies.
#include "../acl/lock.h"
#include "copies.h"
#include "counters.h"
#include "errors.h"
#include "pins.h"

#include "acl/acl.h"

#include <algorithm>
#include <string>
#include <vector>

namespace nb = nanobind;

namespace ferry::python {
namespace {

// The most items aclrtMemcpyBatch accepts.
constexpr size_t kMostAtOnce = 4096;

// Codes from here on report failed work or devices, not arguments.
constexpr aclError kFirstTaskCode = 500000;

bool same_place(const aclrtMemLocation& a, const aclrtMemLocation& b) {
  return a.type == b.type && a.id == b.id;
}

// The arrays of a batch.
class Batch {
 public:
  explicit Batch(size_t most) {
    dsts_.reserve(most);
    srcs_.reserve(most);
    sizes_.reserve(most);
    positions_.reserve(most);
  }

  size_t count() const { return sizes_.size(); }
  size_t bytes() const { return bytes_; }

  // Empty items are skipped: the C interface refuses them.
  void add(const Side& dst, const Side& src, size_t position) {
    if (dst.nbytes == 0) return;
    positions_.push_back(position);
    const bool is_new_run = runs_.empty() || !same_place(runs_.back().dstLoc, dst.location) ||
                            !same_place(runs_.back().srcLoc, src.location);
    if (is_new_run) {
      runs_.push_back({dst.location, src.location, {}});
      run_starts_.push_back(count());
    }
    dsts_.push_back(dst.address);
    srcs_.push_back(src.address);
    sizes_.push_back(dst.nbytes);
    bytes_ += dst.nbytes;
  }

  // Neither function needs the interpreter lock.
  Outcome copy();
  Outcome queue(aclrtStream stream);

  bool fell_back() const { return fell_back_; }

 private:
  Outcome copy_some(size_t first, size_t count);
  Outcome copy_one_by_one(size_t first, size_t count);
  Outcome queue_one_by_one(aclrtStream stream);
  size_t position_of(size_t item) const { return positions_[item]; }

  std::vector<void*> dsts_;
  std::vector<void*> srcs_;
  std::vector<size_t> sizes_;
  std::vector<aclrtMemcpyBatchAttr> runs_;
  std::vector<size_t> run_starts_;
  std::vector<size_t> positions_;  // in the caller's list
  size_t bytes_ = 0;
  bool fell_back_ = false;
};

Outcome Batch::copy() {
  Outcome outcome;
  for (size_t first = 0; first < count() && outcome.is_success(); first += kMostAtOnce) {
    outcome = copy_some(first, std::min(kMostAtOnce, count() - first));
  }
  return outcome;
}

Outcome Batch::copy_some(size_t first, size_t count) {
  std::vector<aclrtMemcpyBatchAttr> attributes;
  std::vector<size_t> starts;
  for (size_t run = 0; run < runs_.size() && run_starts_[run] < first + count; ++run) {
    const size_t start = std::max(run_starts_[run], first) - first;
    if (!starts.empty() && starts.back() == start) {
      attributes.back() = runs_[run];
      continue;
    }
    attributes.push_back(runs_[run]);
    starts.push_back(start);
  }
  size_t failed = SIZE_MAX;
  const aclError code =
      aclrtMemcpyBatch(&dsts_[first], &sizes_[first], &srcs_[first], &sizes_[first], count,
                       attributes.data(), starts.data(), attributes.size(), &failed);
  if (code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) return copy_one_by_one(first, count);
  Outcome outcome = outcome_of("aclrtMemcpyBatch", code);
  if (failed != SIZE_MAX) outcome.index = position_of(first + failed);
  return outcome;
}

Outcome Batch::copy_one_by_one(size_t first, size_t count) {
  fell_back_ = true;
  for (size_t i = first; i < first + count; ++i) {
    Outcome outcome = outcome_of(
        "aclrtMemcpy", aclrtMemcpy(dsts_[i], sizes_[i], srcs_[i], sizes_[i], ACL_MEMCPY_DEFAULT));
    outcome.index = position_of(i);
    if (!outcome.is_success()) return outcome;
  }
  return {};
}

Outcome Batch::queue(aclrtStream stream) {
  size_t failed = SIZE_MAX;
  const aclError code =
      aclrtMemcpyBatchAsync(dsts_.data(), sizes_.data(), srcs_.data(), sizes_.data(), count(),
                            runs_.data(), run_starts_.data(), runs_.size(), &failed, stream);
  if (code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) return queue_one_by_one(stream);
  Outcome outcome = outcome_of("aclrtMemcpyBatchAsync", code);
  if (failed != SIZE_MAX) outcome.index = position_of(failed);
  // Earlier work on the stream failed. Items with pinned memory may have been queued: wait for
  // them.
  if (code >= kFirstTaskCode) static_cast<void>(aclrtSynchronizeStream(stream));
  return outcome;
}

Outcome Batch::queue_one_by_one(aclrtStream stream) {
  fell_back_ = true;
  for (size_t i = 0; i < count(); ++i) {
    Outcome outcome = outcome_of(
        "aclrtMemcpyAsync",
        aclrtMemcpyAsync(dsts_[i], sizes_[i], srcs_[i], sizes_[i], ACL_MEMCPY_DEFAULT, stream));
    if (outcome.is_success()) continue;
    outcome.index = position_of(i);
    // The items before it are in flight, and nothing will keep their memory alive: wait for them.
    if (i != 0) static_cast<void>(aclrtSynchronizeStream(stream));
    return outcome;
  }
  return {};
}

// Both sides of one item; the item is a tuple or a list.
struct PairOfObjects {
  nb::handle dst;
  nb::handle src;
};

PairOfObjects pair_of(nb::handle item, Py_ssize_t position) {
  PyObject* pair = item.ptr();
  if (PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2)
    return {PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1)};
  if (PyList_Check(pair) && PyList_GET_SIZE(pair) == 2)
    return {PyList_GET_ITEM(pair, 0), PyList_GET_ITEM(pair, 1)};
  raise_python(PyExc_TypeError, "item " + std::to_string(position) + " is not a pair (dst, src)");
}

Batch resolve(Pins& pins, nb::handle pairs) {
  const nb::object list =
      nb::steal(PySequence_Fast(pairs.ptr(), "pairs is not a sequence of pairs (dst, src)"));
  if (!list.is_valid()) throw nb::python_error();
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(list.ptr());
  pins.prepare(2 * static_cast<size_t>(count));
  Batch batch(static_cast<size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    // Inspecting an object can run its code, which can change the list.
    if (PySequence_Fast_GET_SIZE(list.ptr()) != count) {
      raise_python(PyExc_RuntimeError, "the list of pairs changed while it was read");
    }
    const nb::object item = nb::borrow(PySequence_Fast_GET_ITEM(list.ptr(), i));
    const PairOfObjects pair = pair_of(item, i);
    const nb::object dst = nb::borrow(pair.dst);
    const nb::object src = nb::borrow(pair.src);
    const Side dst_side = pins.add(dst, {Role::kTarget, i});
    const Side src_side = pins.add(src, {Role::kSource, i});
    require_same_size(dst_side, src_side, i);
    batch.add(dst_side, src_side, static_cast<size_t>(i));
  }
  ++counters().batches;
  counters().batch_items += static_cast<uint64_t>(count);
  counters().bytes += batch.bytes();
  return batch;
}

void finish(const Batch& batch, const Outcome& outcome) {
  if (batch.fell_back()) ++counters().batch_fallbacks;
  if (!outcome.is_success()) raise(outcome);
}

void copy_batch(nb::handle pairs) {
  Pins pins;
  Batch batch = resolve(pins, pairs);
  Outcome outcome;
  {
    const Unlocked unlocked;
    outcome = batch.copy();
  }
  finish(batch, outcome);
}

void copy_batch_async(Pins& pins, nb::handle pairs, uintptr_t stream_handle,
                      uintptr_t event_handle) {
  auto* const stream = reinterpret_cast<aclrtStream>(stream_handle);
  auto* const event = reinterpret_cast<aclrtEvent>(event_handle);
  Batch batch = resolve(pins, pairs);
  Outcome outcome;
  {
    const Unlocked unlocked;
    if (batch.count() != 0) outcome = batch.queue(stream);
    if (outcome.is_success()) outcome = mark(event, stream);
  }
  finish(batch, outcome);
  pins.set_queued();
}

}  // namespace

void add_batches(nb::module_& module) {
  module.def("copy_batch", copy_batch, nb::arg("pairs"));
  module.def("copy_batch_async", copy_batch_async, nb::arg("pins"), nb::arg("pairs"),
             nb::arg("stream"), nb::arg("event"));
}

}  // namespace ferry::python
