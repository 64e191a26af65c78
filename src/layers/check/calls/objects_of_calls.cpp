// SPDX-License-Identifier: Apache-2.0
// Table of the functions that create or destroy objects, and the meaning of their arguments.
#include "layers/check/calls/objects_of_calls.h"

#include "layers/check/world/world.h"

#include <algorithm>
#include <iterator>

namespace ferry::layers::check {
namespace {

enum class Fate : uint8_t { kMade, kDestroyed };

struct Entry {
  Function function;
  Fate fate;
  ObjectKind kind;
  const char* argument;  // the handle, or the pointer it was written to
};

constexpr Entry kEntries[] = {
    {Function::aclrtCreateStream, Fate::kMade, ObjectKind::kStream, "stream"},
    {Function::aclrtCreateStreamWithConfig, Fate::kMade, ObjectKind::kStream, "stream"},
    {Function::aclrtCreateStreamV2, Fate::kMade, ObjectKind::kStream, "stream"},
    {Function::aclrtCreateEvent, Fate::kMade, ObjectKind::kEvent, "event"},
    {Function::aclrtCreateEventWithFlag, Fate::kMade, ObjectKind::kEvent, "event"},
    {Function::aclrtCreateEventExWithFlag, Fate::kMade, ObjectKind::kEvent, "event"},
    {Function::aclrtCreateContext, Fate::kMade, ObjectKind::kContext, "context"},
    {Function::aclrtCreateNotify, Fate::kMade, ObjectKind::kNotify, "notify"},
    {Function::aclrtCntNotifyCreate, Fate::kMade, ObjectKind::kNotify, "cntNotify"},
    {Function::aclrtReserveMemAddress, Fate::kMade, ObjectKind::kReservation, "virPtr"},
    {Function::aclrtReserveMemAddressNoUCMemory, Fate::kMade, ObjectKind::kReservation, "virPtr"},
    {Function::aclrtMallocPhysical, Fate::kMade, ObjectKind::kPhysical, "handle"},
    {Function::aclrtMemRetainAllocationHandle, Fate::kMade, ObjectKind::kPhysical, "handle"},
    {Function::aclrtMemPoolCreate, Fate::kMade, ObjectKind::kPool, "memPool"},
    {Function::aclrtFreePhysical, Fate::kDestroyed, ObjectKind::kPhysical, "handle"},
    {Function::aclrtReleaseMemAddress, Fate::kDestroyed, ObjectKind::kReservation, "virPtr"},
    {Function::aclrtDestroyStream, Fate::kDestroyed, ObjectKind::kStream, "stream"},
    {Function::aclrtDestroyStreamForce, Fate::kDestroyed, ObjectKind::kStream, "stream"},
    {Function::aclrtDestroyEvent, Fate::kDestroyed, ObjectKind::kEvent, "event"},
    {Function::aclrtDestroyContext, Fate::kDestroyed, ObjectKind::kContext, "context"},
    {Function::aclrtDestroyNotify, Fate::kDestroyed, ObjectKind::kNotify, "notify"},
    {Function::aclrtCntNotifyDestroy, Fate::kDestroyed, ObjectKind::kNotify, "cntNotify"},
    {Function::aclrtMemPoolDestroy, Fate::kDestroyed, ObjectKind::kPool, "memPool"},
};

QueueId queue_of(const Call& call, const Entry& entry, const DispatchTable& next) {
  int32_t id = -1;
  static_cast<void>(next.aclrtStreamGetId(*call.pointer<void*>(entry.argument), &id));
  return World::instance().queue_of_stream(id);
}

void note_made(const Call& call, const Entry& entry, const DispatchTable& next) {
  Object object{
      .kind = entry.kind, .handle = *call.pointer<void*>(entry.argument), .made_at = call.site()};
  if (entry.kind == ObjectKind::kStream) object.queue = queue_of(call, entry, next);
  aclrtContext context = nullptr;
  if (next.aclrtGetCurrentContext(&context) == ACL_SUCCESS) object.context = context;
  static_cast<void>(next.aclrtGetDevice(&object.device));
  World::instance().object_made(object);
}

}  // namespace

void note_objects(const Call& call, const DispatchTable& next) {
  const auto* entry =
      std::find_if(std::begin(kEntries), std::end(kEntries),
                   [&](const Entry& candidate) { return candidate.function == call.function(); });
  if (entry == std::end(kEntries)) return;
  if (entry->fate == Fate::kMade) return note_made(call, *entry, next);
  World::instance().object_ends(call.pointer<void>(entry->argument), call.site());
}

}  // namespace ferry::layers::check
