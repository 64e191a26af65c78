// SPDX-License-Identifier: Apache-2.0
// Advice is only recorded. A prefetch is a callout: it records the place and tells the backend.
#include "core/managed_memory.h"

#include "base/error_state.h"
#include "core/callout.h"
#include "core/location.h"
#include "core/runtime.h"

#include <memory>
#include <utility>

namespace ferry {
namespace {

Status fail_not_managed(const ManagedRange& range) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  const Location location = locate(range.address);
  if (location.is_managed() && !location.holds(range.size)) {
    return check_range("ptr", location, range.size, Access::kRead);
  }
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", range.address)
      .because(", which is not managed memory: it is %s",
               (*runtime)->memory().describe(range.address).c_str());
}

struct Prefetch {
  void set_run(const RunRef& run) { run_of_model = run; }

  std::vector<ManagedPrefetch> moves;
  void* stream = nullptr;      // its handle
  const char* call = nullptr;  // the exported function that queued it
  RunRef run_of_model{};       // of a task of a model
};

// The device that is told to move the memory; nullptr when no device can.
Device* mover_of(const ManagedPrefetch& move) {
  const Location location = locate(move.range.address);
  if (!location.is_managed()) return nullptr;
  const bool is_to_device = move.place.type == ACL_MEM_LOCATIONTYPE_DEVICE;
  Result<Device*> owner = find_device(location.memory.device);
  Result<Device*> mover = is_to_device ? find_device(move.place.id) : owner;
  const bool can_move = owner.ok() && mover.ok() && (*mover)->handle() != nullptr &&
                        &(*mover)->backend() == &(*owner)->backend() &&
                        (*mover)->backend().managed_prefetch != nullptr;
  return can_move ? *mover : nullptr;
}

// A hint: nobody is told when the backend does not follow it.
void move_pages(const ManagedPrefetch& move) {
  const Device* const device = mover_of(move);
  if (device == nullptr) return;
  const bool is_to_device = move.place.type == ACL_MEM_LOCATIONTYPE_DEVICE;
  static_cast<void>(device->backend().managed_prefetch(
      device->handle(), const_cast<void*>(move.range.address), move.range.size,
      is_to_device ? FERRYX_PLACE_DEVICE : move.place.id));
}

void fail_prefetch(const Prefetch& prefetch, const ManagedRange& range) {
  const FixedText text(
      "a prefetch queued by %s failed: ptr is %p and %llu bytes, which is not managed memory",
      prefetch.call, range.address, static_cast<unsigned long long>(range.size));
  if (prefetch.run_of_model.model != nullptr) {
    return prefetch.run_of_model.fail(ACL_ERROR_RT_TS_ERROR, text);
  }
  // A closed stream has no thread left to tell.
  const Ref<Stream> stream = HandleTable<Stream>::instance().find(prefetch.stream);
  if (stream) stream->fail_queued(ACL_ERROR_RT_TS_ERROR, text);
}

void start_prefetch(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<const Prefetch> prefetch(static_cast<const Prefetch*>(argument));
  if (callout == nullptr) return;
  for (const ManagedPrefetch& move : prefetch->moves) {
    if (ManagedHints::instance().note_prefetch(move.range, move.place)) {
      move_pages(move);
    } else {
      fail_prefetch(*prefetch, move.range);
    }
  }
  callout->done(callout);
}

}  // namespace

Status advise_managed(const ManagedRange& range, aclrtMemManagedAdviseType advice,
                      const ManagedPlace& place) {
  if (ManagedHints::instance().advise(range, advice, place)) return {};
  return fail_not_managed(range);
}

Status check_managed(const ManagedRange& range) {
  const Location location = locate(range.address);
  return location.is_managed() && location.holds(range.size) ? Status() : fail_not_managed(range);
}

Status read_managed(const ManagedRange& range, aclrtMemManagedRangeAttribute attribute,
                    std::span<int32_t> values) {
  if (ManagedHints::instance().read(range, attribute, values)) return {};
  return fail_not_managed(range);
}

Status prefetch_managed(std::vector<ManagedPrefetch> moves, Stream& stream) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  return submit_callout(
      stream, start_prefetch,
      std::make_unique<Prefetch>(Prefetch{
          .moves = std::move(moves), .stream = stream.handle(), .call = current_function()}));
}

}  // namespace ferry
