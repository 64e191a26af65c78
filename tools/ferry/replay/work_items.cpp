// SPDX-License-Identifier: Apache-2.0
// Reads the copies of works. Nothing in a trace can be relied on: a file can say anything.
#include "replay/work_items.h"

#include <algorithm>

namespace ferry::tools::replay {
namespace {

using trace::Direction;
using trace::Memory;
using trace::Work;

constexpr std::string_view kImpossible = "copies with impossible sizes or addresses";
// Of one work; an address space is not larger.
constexpr uint64_t kMostWorkBytes = uint64_t{1} << 46;
constexpr uint64_t kMostWorkItems = uint64_t{1} << 24;
constexpr int32_t kMostWorkDevices = 1024;

Place host_place(Memory memory) {
  switch (memory) {
    case Memory::kPinned:
    case Memory::kManaged:
      return Place::kPinned;
    case Memory::kRegistered:
      return Place::kRegistered;
    default:
      return Place::kPageable;
  }
}

// The two sides of a work, without addresses.
std::pair<RecordedRange, RecordedRange> sides_of(const Work& work) {
  const RecordedRange device{Place::kDevice, std::max(work.device, 0), 0, 0};
  const RecordedRange host{host_place(work.memory), -1, 0, 0};
  switch (work.direction) {
    case Direction::kHostToDevice:
      return {device, host};
    case Direction::kDeviceToHost:
      return {host, device};
    case Direction::kHostToHost:
      return {host, host};
    case Direction::kDeviceToDevice: {
      RecordedRange source = device;
      if (work.peer >= 0) source.device = work.peer;
      return {device, source};
    }
    case Direction::kNone:
      break;
  }
  // Fills.
  const bool is_on_host = work.memory != Memory::kUnknown && work.memory != Memory::kDevice &&
                          work.memory != Memory::kManaged;
  return {is_on_host ? host : device, is_on_host ? host : device};
}

bool is_possible(uint64_t address, uint64_t size) {
  return size <= kMostWorkBytes && address <= UINT64_MAX - 2 * kMostWorkBytes;
}

class ItemReader {
 public:
  ItemReader(const Work& work, RecordedItems& items) : items_(items), sides_(sides_of(work)) {}

  bool add(uint64_t dst, uint64_t src, uint64_t dst_size, uint64_t src_size) {
    if (!is_possible(dst, dst_size) || !is_possible(src, src_size)) return false;
    items_.push_back(sides_);
    items_.back().first.begin = dst;
    items_.back().first.size = dst_size;
    items_.back().second.begin = src;
    items_.back().second.size = src_size;
    return true;
  }

 private:
  RecordedItems& items_;
  std::pair<RecordedRange, RecordedRange> sides_;
};

bool read_rows(const Work& work, Step& step, ItemReader& reader) {
  step.rows = work.items;
  step.dst_pitch = work.dst_pitch;
  step.src_pitch = work.src_pitch;
  const uint64_t width = work.width != 0   ? work.width
                         : work.items == 0 ? 0
                                           : work.bytes / work.items;
  if (width == 0 || width > kMostWorkBytes || work.items == 0 || work.items > kMostWorkBytes)
    return false;
  if (work.dst_pitch < width || work.src_pitch < width ||
      work.dst_pitch > kMostWorkBytes / work.items ||
      work.src_pitch > kMostWorkBytes / work.items) {
    return false;
  }
  step.bytes = width * work.items;
  return reader.add(work.dst, work.src, (work.items - 1) * work.dst_pitch + width,
                    (work.items - 1) * work.src_pitch + width);
}

bool read_recorded(const std::vector<trace::Item>& recorded, Step& step, ItemReader& reader) {
  for (const trace::Item& item : recorded) {
    if (item.size == 0) continue;
    if (!reader.add(item.dst, item.src, item.size, item.size)) return false;
    step.bytes += item.size;
    if (step.bytes > kMostWorkBytes) return false;
  }
  return step.bytes != 0;
}

bool invent(const Work& work, Step& step, ItemReader& reader) {
  if (work.items == 0 || work.items > kMostWorkItems || work.bytes < work.items ||
      work.bytes > kMostWorkBytes) {
    return false;
  }
  const uint64_t size = work.bytes / work.items;
  const uint64_t gap = std::min<uint64_t>(size, 4096);
  uint64_t offset = 0;
  for (uint64_t i = 0; i < work.items; ++i) {
    if (i > work.neighbours) offset += gap;
    const uint64_t now = i + 1 == work.items ? work.bytes - size * i : size;
    if (!reader.add(work.dst + offset, work.src + offset, now, now)) return false;
    offset += now;
  }
  step.bytes = work.bytes;
  return true;
}

bool read_any(const Work& work, const trace::Trace& trace, Step& step, ItemReader& reader) {
  if (work.device > kMostWorkDevices || work.peer > kMostWorkDevices) return false;
  switch (step.action) {
    case Action::kRows:
      return read_rows(work, step, reader);
    case Action::kBatch: {
      const auto recorded = trace.items.find(work.number);
      return recorded != trace.items.end() ? read_recorded(recorded->second, step, reader)
                                           : invent(work, step, reader);
    }
    default:
      step.bytes = work.bytes;
      return work.bytes != 0 &&
             reader.add(work.dst, step.action == Action::kFill ? 0 : work.src, work.bytes,
                        step.action == Action::kFill ? 0 : work.bytes);
  }
}

}  // namespace

std::string_view items_of(const Work& work, const trace::Trace& trace, Step& step,
                          RecordedItems& items) {
  const size_t before = items.size();
  const bool is_fill = step.action == Action::kFill;
  if (is_fill != (work.direction == Direction::kNone)) return kImpossible;
  ItemReader reader(work, items);
  if (read_any(work, trace, step, reader)) return {};
  items.resize(before);
  return kImpossible;
}

}  // namespace ferry::tools::replay
