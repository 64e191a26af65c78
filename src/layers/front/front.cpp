// SPDX-License-Identifier: Apache-2.0
// Forwarding, made from the types of the slots: an argument that is a handle is replaced by the
// wrapped one, a handle that is returned is wrapped, everything else passes through.
#include "layers/front/front.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>

namespace ferry::layers {
namespace {

struct FrontTable {
  ferryx_backend table;
  const ferryx_backend* inner;
};

template <class T>
constexpr bool kIsHandle = std::is_same_v<T, ferryx_instance> || std::is_same_v<T, ferryx_device> ||
                           std::is_same_v<T, ferryx_queue> || std::is_same_v<T, ferryx_marker> ||
                           std::is_same_v<T, ferryx_flag>;

const ferryx_backend* behind(const ferryx_backend* front) {
  return inner_of(front);
}
template <class Handle>
const ferryx_backend* behind(Handle* handle) {
  return wrapped(handle).inner;
}

// What the wrapped backend gets in the place of a value.
template <class T>
T replaced(const ferryx_backend* /*inner*/, T value) {
  return value;
}
template <class Handle>
requires kIsHandle<Handle> Handle* replaced(const ferryx_backend* /*inner*/, Handle* handle) {
  return wrapped(handle).handle;
}
const ferryx_backend* replaced(const ferryx_backend* inner, const ferryx_backend* /*front*/) {
  return inner;
}

// One argument on its way to the wrapped backend and back.
template <class T>
class Argument {
 public:
  Argument(const ferryx_backend* inner, T value) : value_(replaced(inner, value)) {}
  T inner() const { return value_; }
  void finish() const {}

 private:
  T value_;
};

// A handle that the call returns.
template <class Handle>
requires kIsHandle<Handle>
class Argument<Handle**> {
 public:
  // Allocates first: nothing may fail once the wrapped backend has made its object.
  Argument(const ferryx_backend* inner, Handle** out)
      : out_(out), made_(std::make_unique<Wrapped<Handle>>(inner, nullptr)) {}
  Handle** inner() { return &made_->handle; }
  void finish() { *out_ = wrap(made_.release()); }

 private:
  Handle** out_;
  std::unique_ptr<Wrapped<Handle>> made_;
};

template <>
class Argument<const ferryx_work*> {
 public:
  Argument(const ferryx_backend* /*inner*/, const ferryx_work* work) : work_(*work) {}
  const ferryx_work* inner() const { return work_.get(); }
  void finish() const {}

 private:
  InnerWork work_;
};

template <auto kSlot, class Type = decltype(kSlot)>
struct Forward;

template <auto kSlot, class Result, class First, class... Rest>
struct Forward<kSlot, Result (*ferryx_backend::*)(First, Rest...)> {
  static Result call(First first, Rest... rest) {
    const ferryx_backend* inner = behind(first);
    std::tuple<Argument<First>, Argument<Rest>...> arguments{Argument<First>(inner, first),
                                                             Argument<Rest>(inner, rest)...};
    return std::apply(
        [&](auto&... each) -> Result {
          if constexpr (std::is_same_v<Result, int>) {
            const int code = (inner->*kSlot)(each.inner()...);
            if (code == 0) (each.finish(), ...);
            return code;
          } else {
            return (inner->*kSlot)(each.inner()...);
          }
        },
        arguments);
  }
};

// ---- where the life of a handle ends ----

template <auto kSlot, class Handle>
void release(Handle* handle) {
  Wrapped<Handle>& own = wrapped(handle);
  (own.inner->*kSlot)(own.handle);
  own.release();
}

void marker_retain(ferryx_marker* marker) {
  wrapped(marker).inner->marker_retain(wrapped(marker).handle);
  wrapped(marker).retain();
}

template <class Slot>
void remove_if_absent(Slot inner, Slot& own) {
  if (inner == nullptr) own = nullptr;
}

}  // namespace

InnerWork::InnerWork(const ferryx_work& outer) : work_(&outer) {
  const bool has_marker = outer.kind == FERRYX_MARK || outer.kind == FERRYX_AWAIT;
  const bool has_flag = outer.kind == FERRYX_SET_FLAG || outer.kind == FERRYX_TAKE_FLAG;
  if (!has_marker && !has_flag) return;
  std::memcpy(&own_, &outer, outer.struct_size);
  if (has_marker) own_.as.marker.marker = wrapped(outer.as.marker.marker).handle;
  if (has_flag) own_.as.flag.flag = wrapped(outer.as.flag.flag).handle;
  work_ = &own_;
}

const ferryx_backend* inner_of(const ferryx_backend* front) {
  return reinterpret_cast<const FrontTable*>(front)->inner;
}

ferryx_backend forwarding_table() {
  ferryx_backend table{
      .struct_size = sizeof table,
      .abi_major = FERRYX_ABI_MAJOR,
      .abi_minor = FERRYX_ABI_MINOR,
      .name = nullptr,
      .capabilities = 0,
#define FERRYX_SLOT(result, name, parameters, need, what) \
  .name = Forward<&ferryx_backend::name>::call,
#include "ferry/backend_slots.def"
  };
  table.queue_destroy = release<&ferryx_backend::queue_destroy>;
  table.marker_retain = marker_retain;
  table.marker_release = release<&ferryx_backend::marker_release>;
  table.flag_release = release<&ferryx_backend::flag_release>;
  table.queue_submit_all = nullptr;  // fronts see works one by one
  return table;
}

const ferryx_backend* put_in_front(const ferryx_backend* inner, const ferryx_backend& slots,
                                   uint64_t hidden, void (*add_own)(ferryx_backend& table)) {
  auto* front = new FrontTable{.table = slots, .inner = inner};
  front->table.name = inner->name;
  front->table.capabilities = inner->capabilities & ~hidden;
#define FERRYX_SLOT(result, name, parameters, need, what) \
  remove_if_absent(inner->name, front->table.name);
#include "ferry/backend_slots.def"
  if (add_own != nullptr) add_own(front->table);
  return &front->table;
}

}  // namespace ferry::layers
