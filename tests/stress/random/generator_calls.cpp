// SPDX-License-Identifier: Apache-2.0
// One random operation of each kind, with arguments that fit the state of the model.
#include "generator.h"

#include <algorithm>

namespace stress {

namespace {

constexpr size_t kAlignment = 64;  // of a descriptor

}  // namespace

// Chooses two different buffers, and a size and places that fit them.
bool Generator::choose_sides(Operation& op, bool can_stay_on_device) {
  if (model_.context_of(op.thread) == kNull) return false;
  const int device = device_of(op.thread);
  const size_t direction = pick(can_stay_on_device ? 7 : 4);
  const int near = pick_device_buffer(device);
  const int far = direction < 4    ? pick_host_buffer()
                  : direction == 6 ? pick_device_buffer(1 - device)
                                   : pick_device_buffer(device);
  if (near == kNull || far == kNull || near == far) return false;
  const size_t size = pick_size(std::min(capacity(near), capacity(far)));
  op.dst = pick_place(near, size);
  op.src = pick_place(far, size);
  if (direction % 2 == 0) std::swap(op.dst, op.src);
  op.count = size;
  op.dest_max = size + (one_in(2) ? 0 : pick(100));
  if (direction < 4 && one_in(2)) {
    op.kind = direction % 2 == 0 ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_HOST_TO_DEVICE;
    if (direction % 2 == 1 && one_in(3)) op.kind = ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  }
  return true;
}

void Generator::copy() {
  const int thread = pick_thread();
  copy_on(thread, pick_stream(thread));
}

void Generator::copy_on(int thread, int stream) {
  Operation op{.call = one_in(8) ? Call::kMemcpyAsyncWithCondition : Call::kMemcpyAsync,
               .thread = thread,
               .stream = stream};
  if (choose_sides(op, true)) add(op);
}

void Generator::copy_now() {
  Operation op = on_thread(Call::kMemcpy);
  if (choose_sides(op, true)) add(op);
}

void Generator::copy_rows() {
  const bool is_queued = !one_in(3);
  Operation op = on_thread(is_queued ? Call::kMemcpy2dAsync : Call::kMemcpy2d);
  if (!choose_sides(op, is_queued)) return;
  if (op.kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) op.kind = ACL_MEMCPY_DEFAULT;
  const size_t room = std::min(capacity(op.dst.buffer), capacity(op.src.buffer));
  op.count = 1 + pick(std::min(room, size_t{64}));
  op.dst_step = op.count + pick(32);
  op.src_step = op.count + pick(32);
  op.height = std::min(1 + pick(24), 1 + (room - op.count) / std::max(op.dst_step, op.src_step));
  op.dst = pick_place(op.dst.buffer, (op.height - 1) * op.dst_step + op.count);
  op.src = pick_place(op.src.buffer, (op.height - 1) * op.src_step + op.count);
  add(op);
}

// Items are at different places of one device buffer; their host sides may be in several buffers.
void Generator::copy_batch() {
  constexpr Call kForms[] = {Call::kMemcpyBatch, Call::kMemcpyBatchV2, Call::kMemcpyBatchAsync,
                             Call::kMemcpyBatchAsync, Call::kMemcpyBatchAsyncV2};
  Operation op = on_thread(kForms[pick(std::size(kForms))]);
  if (model_.context_of(op.thread) == kNull) return;
  const int on_device = pick_device_buffer(device_of(op.thread));
  int on_host = pick_host_buffer();
  if (on_device == kNull || on_host == kNull) return;
  const bool is_to_device = one_in(2);
  const size_t count = 1 + pick(one_in(4) ? 40 : 6);
  const size_t piece = capacity(on_device) / count;
  for (size_t i = 0; i < count; ++i) {
    if (one_in(4)) on_host = pick_host_buffer();
    const size_t host_piece = capacity(on_host) / count;
    if (piece == 0 || host_piece == 0) return;
    const size_t size = 1 + pick(std::min({piece, host_piece, size_t{300}}));
    Item item{.dst = {on_device, i * piece + pick(piece - size + 1)},
              .src = {on_host, i * host_piece + pick(host_piece - size + 1)},
              .dest_max = size + pick(2),
              .size = size};
    if (!is_to_device) std::swap(item.dst, item.src);
    op.items.push_back(item);
  }
  choose_attributes(op);
  add(op);
}

void Generator::choose_attributes(Operation& op) {
  const auto location_of = [&](const Place& place) -> aclrtMemLocation {
    const Model::Buffer& memory = model_.buffer(place.buffer);
    if (memory.memory == Memory::kDevice) {
      return {static_cast<uint32_t>(memory.device), ACL_MEM_LOCATION_TYPE_DEVICE};
    }
    return {static_cast<uint32_t>(pick(3)),
            one_in(4) ? ACL_MEM_LOCATION_TYPE_HOST_NUMA : ACL_MEM_LOCATION_TYPE_HOST};
  };
  for (size_t i = 0; i < op.items.size(); ++i) {
    if (i != 0 && !one_in(4)) continue;
    op.attributes.push_back(
        {.dst = location_of(op.items[i].dst), .src = location_of(op.items[i].src), .first = i});
  }
}

void Generator::copy_described() {
  Operation op = on_thread(Call::kSetMemcpyDesc);
  if (model_.context_of(op.thread) == kNull || op.stream == kNull) return;
  const int device = device_of(op.thread);
  const int dst = pick_device_buffer(device);
  const int src = pick_device_buffer(device);
  op.slot = pick_device_buffer(device);
  if (dst == kNull || dst == src || capacity(op.slot) < kAlignment) return;
  op.kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  op.count = pick_size(std::min(capacity(dst), capacity(src)));
  op.dst = pick_place(dst, op.count);
  op.src = pick_place(src, op.count);
  op.dst_step = pick(capacity(op.slot) / kAlignment) * kAlignment;
  if (!add(op)) return;
  Operation run{.call = Call::kMemcpyAsyncWithDesc,
                .thread = op.thread,
                .stream = op.stream,
                .dst = {op.slot, op.dst_step},
                .kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE};
  for (size_t i = 0; i < 1 + pick(2); ++i)
    add(run);
}

void Generator::copy_offset() {
  Operation op = on_thread(Call::kMemcpyAsyncWithOffset);
  if (model_.context_of(op.thread) == kNull) return;
  const int device = device_of(op.thread);
  const int cells = pick_device_buffer(device);
  const int dst = pick_device_buffer(device);
  const int src = pick_device_buffer(device);
  if (cells == kNull || dst == src || capacity(cells) < 2 * kAddressBytes) return;
  const size_t cell = pick(capacity(cells) / kAddressBytes - 1) * kAddressBytes;
  op.count = pick_size(std::min(capacity(dst), capacity(src)));
  const Place to = pick_place(dst, op.count);
  const Place from = pick_place(src, op.count);
  op.dst = {cells, cell};
  op.src = {cells, cell + kAddressBytes};
  op.dst_step = pick(to.offset + 1);
  op.src_step = pick(from.offset + 1);
  op.dest_max = op.dst_step + op.count + pick(50);
  op.kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  const auto store = [&](const Place& place, const Place& target, size_t offset) {
    return add({.call = Call::kStoreAddress,
                .thread = op.thread,
                .dst = place,
                .src = {target.buffer, target.offset - offset}});
  };
  if (store(op.dst, to, op.dst_step) && store(op.src, from, op.src_step)) add(op);
}

void Generator::fill() {
  constexpr Call kForms[] = {Call::kMemset, Call::kMemsetAsync, Call::kMemsetAsync,
                             Call::kMemsetD32, Call::kMemsetD32Async};
  Operation op = on_thread(kForms[pick(std::size(kForms))]);
  if (model_.context_of(op.thread) == kNull) return;
  const int buffer = one_in(4) ? pick_host_buffer() : pick_device_buffer(device_of(op.thread));
  if (buffer == kNull) return;
  op.value = static_cast<int32_t>(random_());
  const size_t size = pick_size(capacity(buffer));
  op.dst = pick_place(buffer, size);
  op.count = size;
  op.dest_max = size + pick(20);
  if (op.call == Call::kMemsetD32 || op.call == Call::kMemsetD32Async) {
    op.dst.offset -= op.dst.offset % 4;
    op.count = size / 4;
  }
  add(op);
}

void Generator::allocate() {
  const int slot =
      pick_slot(kBuffers, [&](int each) { return model_.buffer(each).memory == Memory::kNone; });
  const int reused = pick_slot(
      kBuffers, [&](int each) { return model_.buffer(each).memory == Memory::kFreedDevice; });
  Operation op = on_thread(Call::kMalloc);
  op.slot = reused != kNull && one_in(2) ? reused : slot;
  if (op.slot == kNull) return;
  op.count = one_in(300)  ? (size_t{5} << 20) + pick(100)
             : one_in(40) ? 60000 + pick(100000)
                          : 64 + pick(one_in(2) ? 4096 : 512);
  op.value = static_cast<int32_t>(pick(256));
  switch (pick(6)) {
    case 0:
      op.call = Call::kMallocAlign32;
      break;
    case 1:
    case 2:
      op.call = Call::kMallocHost;
      break;
    case 3:
      op.call = Call::kMapHost;
      op.count = (op.count + kPage - 1) / kPage * kPage;
      break;
    default:
      break;
  }
  add(op);
}

void Generator::release() {
  Operation op = on_thread(Call::kFree);
  op.slot =
      pick_slot(kBuffers, [&](int slot) { return model_.buffer(slot).memory != Memory::kNone; });
  if (op.slot == kNull) return;
  switch (model_.buffer(op.slot).memory) {
    case Memory::kPinned:
      op.call = Call::kFreeHost;
      break;
    case Memory::kPageable:
      op.call = Call::kUnmapHost;
      op.count = capacity(op.slot);
      break;
    case Memory::kRegistered:
      return;
    default:
      op.call = one_in(4) ? Call::kFreeWithDevSync : Call::kFree;
  }
  add(op);
}

void Generator::register_host() {
  Operation op = on_thread(Call::kHostRegister);
  op.slot = pick_slot(kBuffers, [&](int slot) {
    return model_.buffer(slot).memory == Memory::kPageable ||
           model_.buffer(slot).memory == Memory::kRegistered;
  });
  if (op.slot == kNull) return;
  if (model_.buffer(op.slot).memory == Memory::kRegistered && !one_in(4)) {
    op.call = Call::kHostUnregister;
  }
  op.count = capacity(op.slot);
  op.value = one_in(2) ? ACL_HOST_REG_PINNED : ACL_HOST_REG_MAPPED;
  add(op);
}

void Generator::change_context() {
  Operation op{.call = Call::kSetDevice, .thread = pick_thread()};
  op.value = static_cast<int32_t>(pick(kDevices));
  const int alive = pick_slot(
      kContexts, [&](int slot) { return model_.context(slot).life == Model::Life::kAlive; });
  const int free = pick_slot(
      kContexts, [&](int slot) { return model_.context(slot).life != Model::Life::kAlive; });
  switch (pick(5)) {
    case 0:
      break;
    case 1:
      op.call = Call::kDestroyContext;
      op.slot = one_in(3) ? alive : static_cast<int>(kDevices + pick(kContexts - kDevices));
      break;
    case 2:
      op.call = Call::kSetCurrentContext;
      op.slot = alive;
      break;
    default:
      if (free == kNull) return;
      op.call = Call::kCreateContext;
      op.slot = free;
  }
  add(op);
}

void Generator::set_peer() {
  Operation op = on_thread(one_in(4) ? Call::kDisablePeer : Call::kEnablePeer);
  if (model_.context_of(op.thread) == kNull) return;
  op.value = 1 - device_of(op.thread);
  add(op);
}

void Generator::change_stream() {
  Operation op = on_thread(Call::kCreateStream);
  const int free = pick_slot(
      kStreams, [&](int slot) { return model_.stream(slot).life != Model::Life::kAlive; });
  if (free == kNull || (program_.size() > 20 && one_in(2))) {
    op.call = Call::kDestroyStream;
  } else {
    op.stream = free;
  }
  add(op);
}

void Generator::synchronize() {
  Operation op = on_thread(Call::kSynchronizeStream);
  if (one_in(3)) {
    op.call = Call::kSynchronizeStreamWithTimeout;
    op.value = one_in(2) ? -1 : 600000;
  }
  if (one_in(8)) {
    op.call = one_in(2) ? Call::kSynchronizeDevice : Call::kSynchronizeDeviceWithTimeout;
    op.value = one_in(2) ? -1 : 600000;
  }
  const int event = pick_slot(kEvents, [&](int slot) { return model_.event(slot).is_recorded; });
  if (one_in(3) && event != kNull) {
    op.call = Call::kSynchronizeEvent;
    op.slot = event;
  }
  add(op);
}

void Generator::change_event() {
  constexpr int32_t kFlags[] = {ACL_EVENT_SYNC, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE,
                                ACL_EVENT_TIME_LINE, ACL_EVENT_CAPTURE_STREAM_PROGRESS};
  Operation op = on_thread(Call::kCreateEvent);
  op.slot =
      pick_slot(kEvents, [&](int slot) { return model_.event(slot).life != Model::Life::kAlive; });
  if (op.slot == kNull || (program_.size() > 20 && one_in(3))) {
    op.call = one_in(3) ? Call::kResetEvent : Call::kDestroyEvent;
    op.slot = static_cast<int>(pick(kEvents));
  } else if (!one_in(3)) {
    op.call = one_in(2) ? Call::kCreateEventWithFlag : Call::kCreateEventExWithFlag;
    op.value = kFlags[one_in(3) ? pick(std::size(kFlags)) : 0];
  }
  add(op);
}

void Generator::record_event() {
  Operation op = on_thread(Call::kRecordEvent);
  op.slot = static_cast<int>(pick(kEvents));
  add(op);
}

// A wait for an event that was not recorded yet is followed by the record.
void Generator::wait_event() {
  Operation op = on_thread(one_in(3) ? Call::kStreamWaitEventWithTimeout : Call::kStreamWaitEvent);
  op.value = one_in(2) ? 0 : 600;
  op.slot = pick_slot(kEvents, [&](int slot) {
    return model_.event(slot).life == Model::Life::kAlive &&
           (model_.event(slot).is_recorded || one_in(3));
  });
  if (op.slot == kNull) return;
  const Model model_before = model_;
  const Program program_before = program_;
  add(op);
  if (model_.is_complete()) return;
  if (one_in(2)) copy();
  Operation record = on_thread(Call::kRecordEvent);
  record.slot = op.slot;
  if (propose(record) && model_.is_complete()) return;
  model_ = model_before;
  program_ = program_before;
}

void Generator::query() {
  Operation op = on_thread(one_in(2) ? Call::kStreamQuery : Call::kQueryEventStatus);
  if (op.call == Call::kQueryEventStatus) op.slot = static_cast<int>(pick(kEvents));
  add(op);
}

void Generator::change_notify() {
  Operation op = on_thread(Call::kCreateNotify);
  op.slot = pick_slot(kNotifies,
                      [&](int slot) { return model_.notify(slot).life != Model::Life::kAlive; });
  if (op.slot == kNull || (program_.size() > 20 && one_in(2))) {
    op.call = one_in(2) ? Call::kDestroyNotify : Call::kNotifyBatchReset;
    op.slot = static_cast<int>(pick(kNotifies));
    op.count = 1;
  }
  add(op);
}

// A record and a wait, in any order.
void Generator::signal_notify() {
  Operation op = on_thread(one_in(2) ? Call::kRecordNotify : Call::kWaitAndResetNotify);
  op.slot = static_cast<int>(pick(kNotifies));
  const Model model_before = model_;
  const Program program_before = program_;
  add(op);
  if (one_in(2)) copy();
  Operation other =
      on_thread(op.call == Call::kRecordNotify ? Call::kWaitAndResetNotify : Call::kRecordNotify);
  other.slot = op.slot;
  if (!model_.is_complete() || one_in(2)) propose(other);
  if (model_.is_complete()) return;
  model_ = model_before;
  program_ = program_before;
}

void Generator::launch() {
  Operation op = on_thread(Call::kLaunchHostFunc);
  if (op.stream == kNull) return;
  const Model::Stream& stream = model_.stream(op.stream);
  if (!stream.runs_functions && stream.server == kNull && one_in(2)) {
    add({.call = Call::kSubscribeReport,
         .thread = op.thread,
         .stream = op.stream,
         .value = device_of(op.thread)});
  }
  if (model_.stream(op.stream).server != kNull && one_in(8)) {
    add({.call = Call::kUnSubscribeReport,
         .thread = op.thread,
         .stream = op.stream,
         .value = one_in(2) ? device_of(op.thread) : static_cast<int32_t>(pick(kDevices))});
  }
  if (model_.stream(op.stream).server != kNull) op.call = Call::kLaunchCallback;
  op.kind = one_in(5) ? ACL_CALLBACK_NO_BLOCK : ACL_CALLBACK_BLOCK;
  const int buffer = pick_host_buffer();
  if (buffer == kNull) return;
  op.count = one_in(5) || op.kind == ACL_CALLBACK_NO_BLOCK ? 0 : pick_size(capacity(buffer));
  op.dst = pick_place(buffer, op.count);
  op.value = static_cast<int32_t>(pick(256));
  add(op);
}

void Generator::touch_host() {
  Operation op = on_thread(Call::kTouchHost);
  const int buffer = pick_host_buffer();
  if (buffer == kNull) return;
  op.count = pick_size(capacity(buffer));
  op.dst = pick_place(buffer, op.count);
  op.value = static_cast<int32_t>(pick(256));
  add(op);
}

void Generator::compare() {
  Operation op = on_thread(Call::kCompare);
  if (model_.context_of(op.thread) == kNull) return;
  const int buffer = one_in(2) ? pick_host_buffer() : pick_device_buffer(device_of(op.thread));
  if (buffer == kNull) return;
  op.count = std::min(capacity(buffer), size_t{256});
  op.dst = pick_place(buffer, op.count);
  add(op);
}

}  // namespace stress
