// SPDX-License-Identifier: Apache-2.0
// Each buffer goes round by itself: a get fills it, a put empties it, then it takes the next piece.
#include "layers/fabric/relay.h"

#include "layers/fabric/fabric.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::fabric {

Relay::Relay(Job& job, const Side& dst, const Side& src, uint64_t size)
    : job_(job), dst_(dst), src_(src), size_(size) {
  const uint64_t pieces = (size + kPiece - 1) / kPiece;
  slots_.resize(std::min<uint64_t>(pieces, kBuffers));
  for (Slot& slot : slots_) {
    slot.relay = this;
    slot.bytes = std::make_unique<uint8_t[]>(std::min(size, kPiece));
  }
}

void Relay::start() {
  for (Slot& slot : slots_) {
    job_.begin_part();
    slot.job = job_.shared_from_this();
    begin(slot);
  }
}

void Relay::begin(Slot& slot) {
  slot.offset = next_.fetch_add(kPiece);
  if (slot.offset >= size_) return end(slot, 0, "");
  slot.size = std::min(kPiece, size_ - slot.offset);
  const ferryx_fabric_piece piece{.opening = src_.opening,
                                  .offset = src_.offset + slot.offset,
                                  .local = slot.bytes.get(),
                                  .size = slot.size,
                                  .is_unsure = 0};
  Fabric& fabric = *Fabric::instance();
  fabric.table().transfer(fabric.handle(), FERRYX_FABRIC_GET, &piece, 1, got, &slot);
}

void Relay::got(void* argument, int code, const char* text) {
  Slot& slot = *static_cast<Slot*>(argument);
  if (code != 0) return end(slot, code, text);
  const Relay& relay = *slot.relay;
  const ferryx_fabric_piece piece{.opening = relay.dst_.opening,
                                  .offset = relay.dst_.offset + slot.offset,
                                  .local = slot.bytes.get(),
                                  .size = slot.size,
                                  .is_unsure = 0};
  Fabric& fabric = *Fabric::instance();
  fabric.table().transfer(fabric.handle(), FERRYX_FABRIC_PUT, &piece, 1, put, &slot);
}

void Relay::put(void* argument, int code, const char* text) {
  Slot& slot = *static_cast<Slot*>(argument);
  if (code != 0) return end(slot, code, text);
  relayed.fetch_add(slot.size, std::memory_order_relaxed);
  slot.relay->begin(slot);
}

// The job outlives its last part only as long as this call.
void Relay::end(Slot& slot, int code, const char* text) {
  const std::shared_ptr<Job> job = std::move(slot.job);
  job->take_end(code, text);
}

}  // namespace ferry::layers::fabric
