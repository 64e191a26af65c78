// SPDX-License-Identifier: Apache-2.0
// Each buffer goes round by itself, as in a relay: the device fills it and the fabric empties it,
// or the other way round.
#include "layers/fabric/staging.h"

#include "layers/fabric/fabric.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::fabric {

Staging::~Staging() {
  for (const Slot& slot : slots_)
    if (slot.buffer.address != nullptr) device_.give_buffer(slot.buffer);
}

void Staging::add(const ferryx_fabric_piece& piece) {
  for (uint64_t done = 0; done < piece.size; done += LocalDevice::kBuffer) {
    items_.push_back({.local = static_cast<char*>(piece.local) + done,
                      .opening = piece.opening,
                      .offset = piece.offset + done,
                      .size = std::min(LocalDevice::kBuffer, piece.size - done)});
  }
}

void Staging::start() {
  uint64_t bytes = 0;
  for (const Item& item : items_)
    bytes += item.size;
  slots_.resize(std::min<uint64_t>(kBuffers, bytes / LocalDevice::kBuffer + 1));
  // The lists are filled on the fabric's thread, where nothing may fail for want of memory.
  for (Slot& slot : slots_) {
    slot.copies.reserve(items_.size());
    slot.pieces.reserve(items_.size());
  }
  for (Slot& slot : slots_) {
    job_.begin_part();
    slot.staging = this;
    slot.job = job_.shared_from_this();
    if (!device_.take_buffer(slot.buffer)) {
      job_.fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "there is no pinned host memory left to move bytes between hosts");
      end(slot, 0, "");
      continue;
    }
    begin(slot);
  }
}

bool Staging::fill_lists(Slot& slot) {
  slot.copies.clear();
  slot.pieces.clear();
  auto* place = static_cast<char*>(slot.buffer.address);
  uint64_t left = LocalDevice::kBuffer;
  const bool is_put = direction_ == FERRYX_FABRIC_PUT;
  const std::lock_guard lock(mutex_);
  for (; next_ < items_.size() && items_[next_].size <= left; ++next_) {
    const Item& item = items_[next_];
    void* const dst = is_put ? place : item.local;
    const void* const src = is_put ? item.local : place;
    slot.copies.push_back(
        {.dst = dst, .src = src, .size = item.size, .dst_storage = dst, .src_storage = src});
    slot.pieces.push_back({.opening = item.opening,
                           .offset = item.offset,
                           .local = place,
                           .size = item.size,
                           .is_unsure = 0});
    place += item.size;
    left -= item.size;
  }
  return !slot.pieces.empty();
}

void Staging::begin(Slot& slot) {
  if (!fill_lists(slot)) return end(slot, 0, "");
  if (direction_ == FERRYX_FABRIC_PUT && !copy(slot)) return;
  transfer(slot);
}

bool Staging::copy(Slot& slot) {
  const int code = device_.copy(
      slot.copies, direction_ == FERRYX_FABRIC_PUT ? FERRYX_DEVICE_TO_HOST : FERRYX_HOST_TO_DEVICE,
      job_.runtime_.memory_epoch());
  for (const ferryx_copy& item : slot.copies)
    staged.fetch_add(item.size, std::memory_order_relaxed);
  if (code == ACL_RT_SUCCESS) return true;
  job_.fail(code, "the device cannot copy between its memory and pinned host memory");
  end(slot, 0, "");
  return false;
}

void Staging::transfer(Slot& slot) {
  const Fabric& fabric = *Fabric::instance();
  fabric.table().transfer(fabric.handle(), direction_, slot.pieces.data(), slot.pieces.size(),
                          transferred, &slot);
}

void Staging::transferred(void* argument, int code, const char* text) {
  Slot& slot = *static_cast<Slot*>(argument);
  Staging& staging = *slot.staging;
  if (code != 0) return end(slot, code, text);
  if (staging.direction_ == FERRYX_FABRIC_GET && !staging.copy(slot)) return;
  staging.begin(slot);
}

// The job outlives its last part only as long as this call.
void Staging::end(Slot& slot, int code, const char* text) {
  const std::shared_ptr<Job> job = std::move(slot.job);
  job->take_end(code, text);
}

}  // namespace ferry::layers::fabric
