// SPDX-License-Identifier: Apache-2.0
// The forwarding base of fronts. A front is a backend that wraps another one: it puts an object of
// its own in the place of each device, queue, marker and flag, and passes every call on with the
// wrapped object. A front copies forwarding_table(), replaces the slots it cares about, and is put
// in front of a backend by put_in_front(). Fronts stack: each knows only the table behind it.
#pragma once

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>

namespace ferry::layers {

// What the program side holds in the place of an object of the wrapped backend. Fronts with data of
// their own derive from it and create the derived object in the slot that creates the handle; the
// base deletes it when the handle's life ends.
template <class Handle>
struct Wrapped {
  Wrapped(const ferryx_backend* backend, Handle* wrapped) : inner(backend), handle(wrapped) {}
  virtual ~Wrapped() = default;
  Wrapped(const Wrapped&) = delete;
  Wrapped& operator=(const Wrapped&) = delete;

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  const ferryx_backend* const inner;
  Handle* handle;  // constant once the wrapped object is made

 private:
  std::atomic<uint32_t> references_{1};
};

template <class Handle>
Handle* wrap(Wrapped<Handle>* object) {
  return reinterpret_cast<Handle*>(object);
}
template <class Handle>
Wrapped<Handle>& wrapped(Handle* handle) {
  return *reinterpret_cast<Wrapped<Handle>*>(handle);
}

// Work as the wrapped backend gets it, with its own marker or flag in it.
class InnerWork {
 public:
  explicit InnerWork(const ferryx_work& outer);
  const ferryx_work* get() const { return work_; }

 private:
  const ferryx_work* work_;
  ferryx_work own_;  // only where a handle is replaced
};

// Every slot passes the call on.
ferryx_backend forwarding_table();

// A table with the slots of a front before `inner`. Slots that `inner` lacks stay absent, and the
// capabilities in `hidden` are not offered. `add_own`, if given, sets slots that the front offers
// whether `inner` has them or not. Both tables live forever.
const ferryx_backend* put_in_front(const ferryx_backend* inner, const ferryx_backend& slots,
                                   uint64_t hidden = 0,
                                   void (*add_own)(ferryx_backend& table) = nullptr);

// The table that the table of a front wraps.
const ferryx_backend* inner_of(const ferryx_backend* front);

}  // namespace ferry::layers
