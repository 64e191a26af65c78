// SPDX-License-Identifier: Apache-2.0
// A table in the place of a backend's own, behind all fronts: it knows which handles the backend
// has given out and checks every call. It wraps nothing, so a front that passes its own handle on,
// or forgets one, is found here.
#pragma once

#include "ferry/backend.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <string>
#include <type_traits>

namespace ferry::layers {

// Of the backend under test, one at a time. May be shared between threads.
class HandleLedger {
 public:
  static HandleLedger& instance() {
    static auto* only = new HandleLedger;
    return *only;
  }

  // The table to put fronts before. Everything that was known about another backend is forgotten.
  const ferryx_backend* put_over(const ferryx_backend* backend);

  void add(const void* handle) {
    const std::lock_guard lock(mutex_);
    ++references_[handle];
  }
  void remove(const void* handle) {
    const std::lock_guard lock(mutex_);
    if (--references_[handle] == 0) references_.erase(handle);
  }
  bool knows(const void* handle) {
    const std::lock_guard lock(mutex_);
    return references_.contains(handle);
  }
  size_t count() {
    const std::lock_guard lock(mutex_);
    return references_.size();
  }
  void note_call(const char* slot) {
    const std::lock_guard lock(mutex_);
    ++calls_[slot];
  }
  int calls(const char* slot) {
    const std::lock_guard lock(mutex_);
    return calls_[slot];
  }
  const ferryx_backend& backend() const { return *backend_; }
  const ferryx_backend* table() const { return &table_; }

 private:
  std::mutex mutex_;  // guards references_ and calls_
  std::map<const void*, int> references_;
  std::map<std::string, int> calls_;
  const ferryx_backend* backend_ = nullptr;
  ferryx_backend table_{};
};

namespace ledger {

inline HandleLedger& book() {
  return HandleLedger::instance();
}

template <class T>
constexpr bool kIsHandle = std::is_same_v<T, ferryx_instance> || std::is_same_v<T, ferryx_device> ||
                           std::is_same_v<T, ferryx_queue> || std::is_same_v<T, ferryx_marker> ||
                           std::is_same_v<T, ferryx_flag>;

// What a call passes.
template <class T>
T inward(const char* /*slot*/, T argument) {
  return argument;
}
template <class Handle>
requires kIsHandle<Handle> Handle* inward(const char* slot, Handle* handle) {
  EXPECT_TRUE(book().knows(handle)) << slot << " with a handle that is not the backend's";
  return handle;
}
inline const ferryx_backend* inward(const char* slot, const ferryx_backend* self) {
  EXPECT_EQ(self, book().table()) << slot << " with the table of a front";
  return &book().backend();
}
inline const ferryx_work* inward(const char* slot, const ferryx_work* work) {
  if (work->kind == FERRYX_MARK || work->kind == FERRYX_AWAIT) {
    inward(slot, work->as.marker.marker);
  }
  if (work->kind == FERRYX_SET_FLAG || work->kind == FERRYX_TAKE_FLAG) {
    inward(slot, work->as.flag.flag);
  }
  return work;
}

// What a call that succeeded has created.
template <class T>
void outward(T /*argument*/) {}
template <class Handle>
requires kIsHandle<Handle>
void outward(Handle** created) {
  book().add(*created);
}

// One slot; the label is its name, for texts.
template <auto kSlot, class Type = decltype(kSlot)>
struct Entry;
template <auto kSlot, class Result, class... Arguments>
struct Entry<kSlot, Result (*ferryx_backend::*)(Arguments...)> {
  static inline const char* label = "";
  static Result call(Arguments... arguments) {
    book().note_call(label);
    if constexpr (std::is_same_v<Result, int>) {
      const int code = (book().backend().*kSlot)(inward(label, arguments)...);
      if (code == 0) (outward(arguments), ...);
      return code;
    } else {
      return (book().backend().*kSlot)(inward(label, arguments)...);
    }
  }
};

// Calls that end the life of a handle: it is unknown before the backend reuses the address.
template <auto kSlot, class Handle>
void remove(Handle* handle) {
  using Slot = Entry<kSlot>;
  book().note_call(Slot::label);
  inward(Slot::label, handle);
  book().remove(handle);
  (book().backend().*kSlot)(handle);
}
inline void retain(ferryx_marker* marker) {
  book().add(marker);
  Entry<&ferryx_backend::marker_retain>::call(marker);
}

// Takes the place of a slot that the backend has.
template <auto kSlot>
void enter(const char* name, const ferryx_backend& backend, ferryx_backend& table) {
  Entry<kSlot>::label = name;
  if (backend.*kSlot != nullptr) table.*kSlot = Entry<kSlot>::call;
}

}  // namespace ledger

inline const ferryx_backend* HandleLedger::put_over(const ferryx_backend* backend) {
  references_.clear();
  calls_.clear();
  backend_ = backend;
  table_ = *backend;
#define FERRYX_SLOT(result, name, parameters, need, what) \
  ledger::enter<&ferryx_backend::name>(#name, *backend, table_);
#include "ferry/backend_slots.def"
  table_.queue_destroy = ledger::remove<&ferryx_backend::queue_destroy>;
  table_.marker_retain = ledger::retain;
  table_.marker_release = ledger::remove<&ferryx_backend::marker_release>;
  table_.flag_release = ledger::remove<&ferryx_backend::flag_release>;
  return &table_;
}

}  // namespace ferry::layers
