// SPDX-License-Identifier: Apache-2.0
// Buffers: where an address is, which accesses race, and what the bytes are.
#include "model.h"

#include <algorithm>

namespace stress {

namespace {

// How far behind the end of pinned memory the contract leaves open whether a range is bad.
constexpr size_t kHostPadding = size_t{1} << 20;

}  // namespace

bool Model::is_null(const Place& place) const {
  return place.buffer < 0 || buffer(place.buffer).memory == Memory::kNone;
}

Model::Buffer& Model::at(const Place& place) {
  return buffers_[static_cast<size_t>(place.buffer)];
}

const Model::Buffer& Model::at(const Place& place) const {
  return buffers_[static_cast<size_t>(place.buffer)];
}

bool Model::is_device(const Place& place) const {
  require(at(place).memory != Memory::kFreedDevice);
  return at(place).memory == Memory::kDevice;
}

bool Model::is_pageable(const Place& place) const {
  require(at(place).memory != Memory::kFreedDevice);
  return at(place).memory == Memory::kPageable;
}

bool Model::is_good(const Place& place, size_t size) const {
  const Buffer& memory = at(place);
  if (memory.memory == Memory::kFreedDevice) {
    // Another allocation may have been given the same address.
    require(memory.freed_at == allocations_);
    return false;
  }
  require(place.offset <= memory.capacity && size <= SIZE_MAX - kHostPadding - place.offset);
  const size_t end = place.offset + size;
  if (end <= memory.capacity) return true;
  require(memory.memory == Memory::kDevice || end > memory.capacity + kHostPadding);
  return false;
}

void Model::touch(int actor, const Place& place, size_t size, bool is_write) {
  Buffer& memory = at(place);
  const Access access{.actor = actor,
                      .time = clock(actor)[static_cast<size_t>(actor)],
                      .begin = place.offset,
                      .end = place.offset + size,
                      .is_write = is_write};
  for (const Access& other : memory.accesses) {
    const bool is_conflict =
        (other.is_write || is_write) && other.begin < access.end && access.begin < other.end;
    if (!is_conflict || knows(actor, other.actor, other.time)) continue;
    conflict_ = other.actor;
    give_up();
  }
  memory.accesses.push_back(access);
}

// The bytes of the buffer, to be changed between `place` and `size` bytes behind it.
std::vector<uint16_t>& Model::writable(const Place& place, size_t size) {
  Buffer& memory = at(place);
  std::erase_if(memory.cells, [&](const Cell& cell) {
    const size_t end = cell.offset + (cell.is_descriptor ? kDescriptorBytes : kAddressBytes);
    return cell.offset < place.offset + size && place.offset < end;
  });
  if (memory.bytes.use_count() > 1) {
    memory.bytes = std::make_shared<std::vector<uint16_t>>(*memory.bytes);
  }
  return *memory.bytes;
}

void Model::move(int actor, const Place& dst, const Place& src, size_t size) {
  copy(actor, actor, dst, src, size);
}

// Copies good ranges that do not overlap.
void Model::copy(int reader, int writer, const Place& dst, const Place& src, size_t size) {
  require(!overlap(dst, src, size, size));
  touch(reader, src, size, false);
  touch(writer, dst, size, true);
  if (is_dropped_) return;
  const std::shared_ptr<std::vector<uint16_t>> from = at(src).bytes;
  std::copy_n(from->begin() + static_cast<ptrdiff_t>(src.offset), size,
              writable(dst, size).begin() + static_cast<ptrdiff_t>(dst.offset));
}

void Model::fill(int actor, const Place& dst, const std::vector<uint16_t>& pattern,
                 size_t repeats) {
  const size_t size = pattern.size() * repeats;
  touch(actor, dst, size, true);
  if (is_dropped_) return;
  std::vector<uint16_t>& bytes = writable(dst, size);
  for (size_t i = 0; i < size; ++i)
    bytes[dst.offset + i] = pattern[i % pattern.size()];
}

// A task with a bad range: it fails when it runs. What it leaves at `dst` is not specified.
void Model::fail_task(int stream, const Place& dst, const Place& src, size_t size) {
  const int actor = actor_of(stream);
  if (!is_dropped_) fail_context(stream);
  const auto size_inside = [&](const Place& place) {
    return std::min(size, at(place).capacity - place.offset);
  };
  touch(actor, src, size_inside(src), false);
  touch(actor, dst, size_inside(dst), true);
  if (is_dropped_) return;
  std::fill_n(writable(dst, size_inside(dst)).begin() + static_cast<ptrdiff_t>(dst.offset),
              size_inside(dst), kUnknownByte);
}

// Copies between devices need access from the device of the context; which access a copy needs that
// concerns other devices only is not specified.
aclError Model::check_devices(const Place& dst, const Place& src, int device) const {
  if (!is_device(dst) || !is_device(src)) {
    const Place& on_device = is_device(dst) ? dst : src;
    require(!is_device(on_device) || at(on_device).device == device);
    return ACL_SUCCESS;
  }
  const int to = at(dst).device;
  const int from = at(src).device;
  require(to == device || from == device);
  if (to == from) return ACL_SUCCESS;
  const int peer = to == device ? from : to;
  const bool is_on = peers_[static_cast<size_t>(device)][static_cast<size_t>(peer)];
  return is_on ? ACL_SUCCESS : ACL_ERROR_RT_PARAM_INVALID;
}

bool Model::overlap(const Place& dst, const Place& src, size_t dst_size, size_t src_size) {
  return dst.buffer == src.buffer && dst.offset < src.offset + src_size &&
         src.offset < dst.offset + dst_size;
}

size_t Model::generations(const Place& dst, const Place& src) const {
  return at(dst).generation + at(src).generation;
}

// Stores an address or a descriptor, whose bytes only the library knows.
void Model::store_cell(const Place& place, const Cell& stored) {
  const size_t size = stored.is_descriptor ? kDescriptorBytes : kAddressBytes;
  require(is_good(place, size));
  fill(begin_call(), place, std::vector<uint16_t>(size, kUnknownByte), 1);
  at(place).cells.push_back(stored);
}

// What an earlier call stored at `place`, if it still names the same memory.
const Model::Cell& Model::cell(const Place& place, bool is_descriptor) {
  const std::vector<Cell>& cells = at(place).cells;
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const Cell& each) {
    return each.offset == place.offset && each.is_descriptor == is_descriptor;
  });
  require(found != cells.end() && generations(found->dst, found->src) == found->generations &&
          is_device(found->dst) && is_device(found->src));
  return *found;
}

}  // namespace stress
