// SPDX-License-Identifier: Apache-2.0
// Mapping and unmapping the pieces of growing memory.
#include "growing.h"

#include "../acl/lock.h"
#include "counters.h"
#include "errors.h"

#include "acl/acl.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace ferry::python {
namespace {

// A system limits the number of mappings. Large capacities have larger pieces instead of more.
constexpr size_t kMostPieces = 1024;

size_t round_up(size_t number, size_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

aclrtPhysicalMemProp properties_on(int32_t device) {
  aclrtPhysicalMemProp prop{};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location = {static_cast<uint32_t>(device), ACL_MEM_LOCATION_TYPE_DEVICE};
  return prop;
}

// Pieces lie side by side from the first address on. They change in grow() without the interpreter
// lock, while a pin keeps shrink() and the destructor away; everything else needs the lock.
class GrowingStorage : public Storage {
 public:
  GrowingStorage(char* address, size_t most_pieces, size_t piece_nbytes, int32_t device)
      : address_(address), piece_nbytes_(piece_nbytes), device_(device) {
    pieces_.reserve(most_pieces);
    ++counters().buffers;
  }

  ~GrowingStorage() override {
    used_ = 0;
    shrink();
    static_cast<void>(aclrtReleaseMemAddress(address_));
    --counters().buffers;
  }

  size_t piece_nbytes() const { return piece_nbytes_; }

  // Maps pieces until `nbytes` are mapped; all or none.
  Outcome grow(size_t nbytes) {
    const size_t before = pieces_.size();
    while (pieces_.size() * piece_nbytes_ < nbytes) {
      Outcome outcome = add_piece();
      if (outcome.is_success()) continue;
      while (pieces_.size() > before)
        remove_piece();
      return outcome;
    }
    return {};
  }

  void use(size_t nbytes) {
    used_ = nbytes;
    count();
  }

  void become_idle() override {
    if (gives_back()) shrink();
  }

 private:
  Outcome add_piece() {
    const aclrtPhysicalMemProp prop = properties_on(device_);
    aclrtDrvMemHandle handle = nullptr;
    Outcome outcome =
        outcome_of("aclrtMallocPhysical", aclrtMallocPhysical(&handle, piece_nbytes_, &prop, 0));
    if (!outcome.is_success()) return outcome;
    char* const place = address_ + pieces_.size() * piece_nbytes_;
    outcome = outcome_of("aclrtMapMem", aclrtMapMem(place, piece_nbytes_, 0, handle, 0));
    if (outcome.is_success()) {
      pieces_.push_back(handle);
    } else {
      static_cast<void>(aclrtFreePhysical(handle));
    }
    return outcome;
  }

  bool remove_piece() {
    char* const place = address_ + (pieces_.size() - 1) * piece_nbytes_;
    if (aclrtUnmapMem(place) != ACL_SUCCESS) return false;
    static_cast<void>(aclrtFreePhysical(pieces_.back()));
    pieces_.pop_back();
    return true;
  }

  void shrink() {
    const size_t needed = round_up(used_, piece_nbytes_) / piece_nbytes_;
    while (pieces_.size() > needed && remove_piece()) {
    }
    count();
  }

  void count() {
    const size_t mapped = pieces_.size() * piece_nbytes_;
    counters().device_bytes += mapped - counted_;  // wraps around when it is less than before
    counted_ = mapped;
  }

  char* address_;
  size_t piece_nbytes_;
  int32_t device_;
  size_t used_ = 0;
  size_t counted_ = 0;
  std::vector<aclrtDrvMemHandle> pieces_;
};

GrowingStorage* growing_of(const Region& region) {
  return dynamic_cast<GrowingStorage*>(region.memory->storage());
}

}  // namespace

std::shared_ptr<Memory> reserve_growing(size_t capacity, int32_t device) {
  if (capacity > SIZE_MAX / 2) throw nb::value_error("no process has so many addresses");
  void* address = nullptr;
  size_t piece_nbytes = 0;
  size_t whole = 0;
  Outcome outcome;
  {
    const Unlocked unlocked;
    aclrtPhysicalMemProp prop = properties_on(device);
    size_t granularity = 0;
    outcome = outcome_of("aclrtMemGetAllocationGranularity",
                         aclrtMemGetAllocationGranularity(
                             &prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, &granularity));
    if (outcome.is_success()) {
      piece_nbytes = std::max(granularity, round_up(capacity / kMostPieces, granularity));
      whole = round_up(capacity, piece_nbytes);
      outcome = outcome_of("aclrtReserveMemAddress",
                           aclrtReserveMemAddress(&address, whole, 0, nullptr, 0));
    }
  }
  if (!outcome.is_success()) raise(outcome);
  auto storage = std::make_unique<GrowingStorage>(static_cast<char*>(address), whole / piece_nbytes,
                                                  piece_nbytes, device);
  return Memory::stored(address, capacity, device, std::move(storage));
}

size_t piece_nbytes_of(const Region& region) {
  const GrowingStorage* const storage = growing_of(region);
  return storage == nullptr ? 0 : storage->piece_nbytes();
}

void resize(Region& region, size_t nbytes) {
  require_open(region);
  const std::shared_ptr<Memory> memory = region.memory;
  GrowingStorage* const storage = growing_of(region);
  if (storage == nullptr || nbytes > memory->nbytes()) {
    throw nb::value_error("the region cannot have this size");
  }
  memory->pin();
  Outcome outcome;
  {
    const Unlocked unlocked;
    outcome = storage->grow(nbytes);
  }
  if (outcome.is_success()) {
    storage->use(nbytes);
    region.nbytes = nbytes;
  }
  memory->unpin();
  if (!outcome.is_success()) raise(outcome);
}

}  // namespace ferry::python
