// SPDX-License-Identifier: Apache-2.0
// Memory, contexts and devices, and the steps that are no API calls.
#include "calls.h"
#include "model.h"

#include <algorithm>

namespace stress {

namespace {

constexpr uint32_t kRegisterFlags =
    ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;

}  // namespace

aclError Model::apply_memory(const Operation& op) {
  switch (op.call) {
    case Call::kMalloc:
    case Call::kMallocAlign32:
      return allocate(op, Memory::kDevice);
    case Call::kMallocHost:
      return allocate(op, Memory::kPinned);
    case Call::kFree:
      return release_memory(op, Memory::kDevice);
    case Call::kFreeHost:
      return release_memory(op, Memory::kPinned);
    case Call::kFreeWithDevSync:
      if (is_null({op.slot, op.dst_step})) return ACL_ERROR_INVALID_PARAM;
      if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
      if (const aclError code = synchronize_device(device()); code != ACL_SUCCESS) return code;
      return release_memory(op, Memory::kDevice);
    default:
      return register_host(op);
  }
}

// The contents of new memory are undefined; an initial pattern is written behind the call.
aclError Model::allocate(const Operation& op, Memory memory) {
  if (op.slot == kNull || op.count == 0) return ACL_ERROR_INVALID_PARAM;
  if (memory != Memory::kPageable && !has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  Buffer& made = buffers_[static_cast<size_t>(op.slot)];
  require(made.memory == Memory::kNone || made.memory == Memory::kFreedDevice);
  const size_t capacity = capacity_of(op);
  ++allocations_;
  made = {};
  made.memory = memory;
  made.device = memory == Memory::kDevice ? device() : 0;
  made.capacity = capacity;
  made.generation = operations_ + 1;
  made.bytes = std::make_shared<std::vector<uint16_t>>(capacity);
  for (size_t i = 0; i < capacity; ++i)
    (*made.bytes)[i] = initial_byte(op.value, i);
  touch(begin_call(), {op.slot, 0}, capacity, true);
  return ACL_SUCCESS;
}

aclError Model::release_memory(const Operation& op, Memory memory) {
  const Place start{op.slot, op.dst_step};
  if (is_null(start)) return ACL_ERROR_INVALID_PARAM;
  Buffer& released = at(start);
  if (released.memory == Memory::kFreedDevice) require(released.freed_at == allocations_);
  if (released.memory != memory || start.offset != 0) return ACL_ERROR_RT_PARAM_INVALID;
  touch(begin_call(), start, released.capacity, true);
  released.memory = memory == Memory::kDevice ? Memory::kFreedDevice : Memory::kNone;
  released.freed_at = allocations_;
  released.generation = operations_ + 1;
  return ACL_SUCCESS;
}

aclError Model::register_host(const Operation& op) {
  const bool is_register = op.call == Call::kHostRegister;
  const Place start{op.slot, op.dst_step};
  const auto flags = static_cast<uint32_t>(op.value);
  if (is_null(start) || (is_register && op.count == 0)) return ACL_ERROR_INVALID_PARAM;
  if (is_register && (flags == 0 || (flags & ~kRegisterFlags) != 0)) {
    return ACL_ERROR_RT_PARAM_INVALID;
  }
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  Buffer& memory = at(start);
  const bool is_registered = memory.memory == Memory::kRegistered;
  require(is_registered || memory.memory == Memory::kPageable);
  if (is_register && is_registered) return ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  if (!is_register && (!is_registered || start.offset != 0)) {
    return ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
  }
  require(start.offset == 0 && (!is_register || op.count == memory.capacity) &&
          (!is_register || (flags & (ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY)) == 0));
  touch(begin_call(), start, memory.capacity, true);
  memory.memory = is_register ? Memory::kRegistered : Memory::kPageable;
  return ACL_SUCCESS;
}

aclError Model::apply_context(const Operation& op) {
  const bool is_device_id = op.value >= 0 && op.value < kDevices;
  int& current = current_[static_cast<size_t>(thread_)];
  switch (op.call) {
    case Call::kSetDevice:
      if (!is_device_id) return ACL_ERROR_RT_INVALID_DEVICEID;
      current = op.value;
      return ACL_SUCCESS;
    case Call::kCreateContext: {
      if (op.slot == kNull) return ACL_ERROR_INVALID_PARAM;
      if (!is_device_id) return ACL_ERROR_RT_INVALID_DEVICEID;
      require(op.slot >= kDevices && context(op.slot).life != Life::kAlive);
      contexts_[static_cast<size_t>(op.slot)] = {.life = Life::kAlive, .device = op.value};
      Stream& default_stream =
          streams_[static_cast<size_t>(kStreams) + static_cast<size_t>(op.slot)];
      default_stream = {};
      default_stream.life = Life::kAlive;
      default_stream.context = op.slot;
      current = op.slot;
      return ACL_SUCCESS;
    }
    case Call::kSetCurrentContext:
      if (op.slot == kNull || context(op.slot).life == Life::kNever) {
        return ACL_ERROR_INVALID_PARAM;
      }
      if (context(op.slot).life == Life::kDead) return ACL_ERROR_RT_PARAM_INVALID;
      current = op.slot;
      return ACL_SUCCESS;
    case Call::kDestroyContext:
      return destroy_context(op.slot);
    default:
      return set_peer(op);
  }
}

aclError Model::destroy_context(int slot) {
  if (slot == kNull || context(slot).life == Life::kNever) return ACL_ERROR_INVALID_PARAM;
  if (slot < kDevices || context(slot).life == Life::kDead) return ACL_ERROR_RT_CONTEXT_NULL;
  for (int i = 0; i < kAllStreams; ++i) {
    Stream& owned = streams_[static_cast<size_t>(i)];
    if (owned.life != Life::kAlive || owned.context != slot) continue;
    if (!context(slot).has_stopped) wait_for(i);
    owned.life = Life::kDead;
  }
  contexts_[static_cast<size_t>(slot)].life = Life::kDead;
  for (int& current : current_) {
    if (current == slot) current = kNull;
  }
  return ACL_SUCCESS;
}

aclError Model::set_peer(const Operation& op) {
  const bool is_enable = op.call == Call::kEnablePeer;
  if (is_enable && op.count != 0) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (op.value < 0 || op.value >= kDevices) return ACL_ERROR_RT_INVALID_DEVICEID;
  if (op.value == device()) return ACL_ERROR_RT_PARAM_INVALID;
  bool& is_on = peers_[static_cast<size_t>(device())][static_cast<size_t>(op.value)];
  if (!is_enable && !is_on) return ACL_ERROR_RT_PARAM_INVALID;
  is_on = is_enable;
  return ACL_SUCCESS;
}

aclError Model::apply_step(const Operation& op) {
  switch (op.call) {
    case Call::kMapHost:
      require(op.slot != kNull && op.count % kPage == 0);
      return allocate(op, Memory::kPageable);
    case Call::kUnmapHost:
      require(op.slot != kNull && op.dst_step == 0);
      require(buffer(op.slot).memory == Memory::kPageable);
      return release_memory(op, Memory::kPageable);
    case Call::kStoreAddress:
      require(!is_null(op.dst) && !is_null(op.src) && has_context());
      require(is_device(op.dst) && is_device(op.src) && at(op.dst).device == device());
      store_cell(op.dst, {.offset = op.dst.offset,
                          .is_descriptor = false,
                          .dst = op.src,
                          .src = op.src,
                          .count = 0,
                          .generations = generations(op.src, op.src)});
      return ACL_SUCCESS;
    case Call::kTouchHost:
      require(!is_null(op.dst) && is_host(op.dst) && is_good(op.dst, op.count));
      fill(begin_call(), op.dst, {static_cast<uint16_t>(op.value & 0xFF)}, op.count);
      return ACL_SUCCESS;
    case Call::kCompare:
      compare(op);
      return ACL_SUCCESS;
    default:
      return ACL_SUCCESS;
  }
}

void Model::compare(const Operation& op) {
  require(!is_null(op.dst) && is_good(op.dst, op.count));
  require(is_host(op.dst) || (has_context() && at(op.dst).device == device()));
  touch(begin_call(), op.dst, op.count, false);
  const auto begin = at(op.dst).bytes->begin() + static_cast<ptrdiff_t>(op.dst.offset);
  prediction_.bytes.assign(begin, begin + static_cast<ptrdiff_t>(op.count));
}

}  // namespace stress
