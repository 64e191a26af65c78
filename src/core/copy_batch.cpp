// SPDX-License-Identifier: Apache-2.0
// Plans a batch, then submits pinned items as one task and copies pageable ones during the call.
#include "core/copy_batch.h"

#include "base/thread_owned.h"
#include "core/batch_scan.h"
#include "core/copy.h"
#include "core/runtime.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace ferry {
namespace {

// Compares one side of an item with its attribute. The id counts for devices only; pageable memory
// and HOST_NUMA count as the host.
bool matches(const aclrtMemLocation& declared, const Location& actual) {
  switch (declared.type) {
    case ACL_MEM_LOCATION_TYPE_HOST:
      return actual.is_host();
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA:
      return actual.is_host() && release().batch_takes_numa;
    case ACL_MEM_LOCATION_TYPE_DEVICE:
      return actual.is_device() && declared.id == actual.memory.device;
    case ACL_MEM_LOCATION_TYPE_MANAGED:
      return actual.is_managed() && release().batch_takes_managed;
    default:
      return false;
  }
}

Status check_side(const char* array, const char* attribute, const aclrtMemLocation& declared,
                  const Location& actual, size_t index) {
  if (matches(declared, actual)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, {array, index}, actual.address)
      .because(", %s of device %u, but its attribute says %s.type = %d, %s.id = %u",
               side_in_words(actual), actual.memory.device, attribute, declared.type, attribute,
               declared.id);
}

struct Item {
  size_t index = 0;
  CopyRequest request;
  Location dst;
  Location src;

  bool is_pageable() const { return dst.is_pageable() || src.is_pageable(); }
  // Whether both are in memory that the device finds and may access.
  bool is_resolved() const {
    return dst.memory.storage != nullptr && src.memory.storage != nullptr;
  }
};

Status check_item_pointers(const Item& item) {
  if (item.request.size == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, {"sizes", item.index}, 0)
        .allowed("1 or more");
  }
  if (item.request.src == nullptr) {
    return fail_null({"srcs", item.index}, ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  }
  if (item.request.dst == nullptr) {
    return fail_null({"dsts", item.index}, ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  }
  return {};
}

Status check_item_places(const Item& item, const aclrtMemcpyBatchAttr& attribute) {
  FERRY_RETURN_IF_ERROR(check_side("dsts", "dstLoc", attribute.dstLoc, item.dst, item.index));
  FERRY_RETURN_IF_ERROR(check_side("srcs", "srcLoc", attribute.srcLoc, item.src, item.index));
  if (is_over_bus(direction_of(item.dst, item.src))) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1016, {"srcs", item.index})
      .because(" and dsts[%zu] are both %s, but a batch copies between host and device", item.index,
               side_in_words(item.dst));
}

Status check_direction(const Item& item, ferryx_direction direction) {
  if (direction_of(item.dst, item.src) == direction) return {};
  return fail(ACL_ERROR_RT_PARAM_INVALID, kEE1016,
              "item %zu copies %s, but item 0 copies the other way: a batch has one direction",
              item.index,
              direction == FERRYX_HOST_TO_DEVICE ? "from device to host" : "from host to device");
}

void add_to_plan(const Item& item, BatchPlan& plan) {
  const ferryx_copy copy = make_copy(item.request, item.dst, item.src);
  if (copy.dst_storage == nullptr || copy.src_storage == nullptr) plan.is_resolved = false;
  (item.is_pageable() ? plan.pageable : plan.pinned).push_back(copy);
}

// For items copied during the call. Ranges of queued items are validated when the task executes.
Status check_item_range(const char* array, const Item& item, const Location& location,
                        Access access) {
  if (!location.is_pageable() && location.holds(item.request.size)) return {};
  char name[48];
  std::snprintf(name, sizeof name, "%s[%zu]", array, item.index);
  return check_range(name, location, item.request.size, access);
}

Status check_item_ranges(const Item& item) {
  FERRY_RETURN_IF_ERROR(check_item_range("dsts", item, item.dst, Access::kWrite));
  return check_item_range("srcs", item, item.src, Access::kRead);
}

// Most items of a batch are in the same two allocations, so the lookup of the previous item is
// reused. If the allocation is freed meanwhile, the task sees a newer epoch than the plan's.
void move_to(const void* address, Location& location, Locate locate_address) {
  if (location.is_pageable() || !location.surrounds(address)) {
    location = locate_address(address);
  } else {
    location.address = address;
  }
}

// On entry, `item` still has the locations of the previous item.
Status check_item(Item& item, const aclrtMemcpyBatchAttr& attribute, Locate locate_address,
                  BatchForm form, BatchPlan& plan) {
  FERRY_RETURN_IF_ERROR(check_item_pointers(item));
  move_to(item.request.dst, item.dst, locate_address);
  move_to(item.request.src, item.src, locate_address);
  FERRY_RETURN_IF_ERROR(check_item_places(item, attribute));
  if (item.index == 0) {
    plan.direction = direction_of(item.dst, item.src);
    const bool is_to_device = plan.direction == FERRYX_HOST_TO_DEVICE;
    plan.device = (is_to_device ? item.dst : item.src).memory.device;
  }
  FERRY_RETURN_IF_ERROR(check_direction(item, plan.direction));
  if (form == BatchForm::kNow || item.is_pageable()) return check_item_ranges(item);
  return {};
}

// An allocation that items are tested against: an item wholly inside needs no other check.
class Inside {
 public:
  explicit Inside(const Location& location)
      : begin_(reinterpret_cast<uintptr_t>(location.memory.address)),
        size_(location.memory.size),
        storage_(static_cast<char*>(location.memory.storage)) {}

  // The top bit is clear if `size` is at least 1 and that many bytes at `address` are inside. The
  // result is a number, not a bool, so that several items can be ORed and tested at once. An
  // allocation is smaller than half the address space, so every negative difference sets the bit.
  uint64_t misfit(const void* address, uint64_t size) const {
    const uint64_t offset = reinterpret_cast<uintptr_t>(address) - begin_;
    const uint64_t room = size_ - offset;
    return offset | room | (size - 1) | (room - size);
  }
  // Where items of this size may start.
  Starts starts(uint64_t size) const { return {.begin = begin_, .last = size_ - size}; }
  void* storage_of(const void* address) const {
    return storage_ + (reinterpret_cast<uintptr_t>(address) - begin_);
  }

 private:
  uintptr_t begin_;
  uint64_t size_;
  char* storage_;
};

// The two allocations that the items of a run share.
struct Surroundings {
  explicit Surroundings(const Item& item) : dst(item.dst), src(item.src) {}

  // Whether all kCount items from `first` on are wholly inside.
  template <size_t kCount>
  bool hold(const BatchArguments& batch, size_t first) const {
    void* const* const dsts = batch.dsts + first;
    void* const* const srcs = batch.srcs + first;
    const size_t* const sizes = batch.sizes + first;
    uint64_t misfit = 0;
    for (size_t i = 0; i < kCount; ++i)
      misfit |= dst.misfit(dsts[i], sizes[i]) | src.misfit(srcs[i], sizes[i]);
    return static_cast<int64_t>(misfit) >= 0;
  }

  Inside dst;
  Inside src;
};

struct Span {
  size_t begin;
  size_t end;
};

bool is_same(const aclrtMemLocation& a, const aclrtMemLocation& b) {
  return a.id == b.id && a.type == b.type;
}

// The attribute that covers an item, for items visited in order.
class Cover {
 public:
  explicit Cover(const BatchArguments& batch) : batch_(batch) {}

  void move_to(size_t item) {
    if (item == next_) step();
  }
  const aclrtMemcpyBatchAttr& attribute() const { return batch_.attributes[index_]; }
  // The end of the items whose attribute equals the present one. Programs that pass one attribute
  // per item repeat the same one thousands of times.
  size_t end_of_alike() {
    while (next_ != SIZE_MAX && says_the_same(batch_.attributes[index_ + 1]))
      step();
    return std::min(next_, batch_.count);
  }

 private:
  bool says_the_same(const aclrtMemcpyBatchAttr& other) const {
    return is_same(other.dstLoc, attribute().dstLoc) && is_same(other.srcLoc, attribute().srcLoc);
  }
  void step() {
    ++index_;
    next_ = next_item();
  }
  // The first item of the next attribute.
  size_t next_item() const {
    const bool is_last = index_ + 1 == batch_.attribute_count;
    return is_last ? SIZE_MAX : batch_.attribute_indexes[index_ + 1];
  }

  const BatchArguments& batch_;
  size_t index_ = 0;
  size_t next_ = next_item();
};

// Whether all items have the size of the first, which is valid, and are in the same two
// allocations. Most batches are like that, and one fast scan can tell.
bool is_like_first(const BatchArguments& batch, const Item& first, Cover& cover) {
  if (!first.is_resolved() || cover.end_of_alike() != batch.count) return false;
  const Surroundings around(first);
  const size_t size = first.request.size;
  return are_alike(
      {.dsts = batch.dsts, .srcs = batch.srcs, .sizes = batch.sizes, .count = batch.count}, size,
      around.dst.starts(size), around.src.starts(size));
}

// The run that starts with `like`, which is valid: the following items are valid too while their
// attribute is equal and they are wholly inside the same two allocations. Runs of thousands are
// common, so items are tested in groups, small ones first so as not to overshoot a short run. Empty
// when `like` itself exceeds its allocation.
Span run_from(const BatchArguments& batch, const Item& like, Cover& cover) {
  constexpr size_t kSmall = 8;
  constexpr size_t kLarge = 64;
  size_t i = like.index;
  if (!like.is_resolved()) return {i, i};
  const Surroundings around(like);
  const size_t end = cover.end_of_alike();
  const auto pass_small = [&] {
    if (end - i < kSmall || !around.hold<kSmall>(batch, i)) return false;
    i += kSmall;
    return true;
  };
  if (pass_small()) {
    while (end - i >= kLarge && around.hold<kLarge>(batch, i))
      i += kLarge;
    while (pass_small()) {
    }
  }
  while (i < end && around.hold<1>(batch, i))
    ++i;
  return {like.index, i};
}

void add_run(const BatchArguments& batch, Span run, const Item& like, BatchPlan& plan) {
  const Surroundings around(like);
  ferryx_copy* room = plan.pinned.room_for(run.end - run.begin);
  for (size_t i = run.begin; i < run.end; ++i) {
    *room++ = {.dst = batch.dsts[i],
               .src = batch.srcs[i],
               .size = batch.sizes[i],
               .dst_storage = around.dst.storage_of(batch.dsts[i]),
               .src_storage = around.src.storage_of(batch.srcs[i])};
  }
  plan.pinned.add_written(run.end - run.begin);
}

ferryx_columns as_columns(const BatchArguments& batch, const Item& item, const BatchPlan& plan,
                          size_t common_size) {
  return {.dsts = batch.dsts,
          .srcs = batch.srcs,
          .sizes = batch.sizes,
          .count = batch.count,
          .common_size = common_size,
          .dst = item.dst.memory,
          .src = item.src.memory,
          .direction = plan.direction};
}

// Planning reuses its lists: a thread allocates nothing once it has planned its largest batch.
BatchPlan& thread_plan() {
  BatchPlan& plan = ThreadOwned<BatchPlan>::get();
  plan.clear();
  return plan;
}

ferryx_copies as_copies(const CopyArray& items, const BatchPlan& plan) {
  return {.items = items.data(),
          .count = items.size(),
          .direction = plan.direction,
          .flags = plan.is_resolved ? FERRYX_COPY_RESOLVED : 0};
}

Status copy_on(Device& device, const CopyArray& items, const BatchPlan& plan) {
  if (items.empty()) return {};
  const ferryx_copies copies = as_copies(items, plan);
  FERRY_RETURN_IF_ERROR(check_backends(device, copies, Use::kNow));
  return execute_copies(device, copies);
}

// The item whose host memory cannot be accessed; SIZE_MAX when there is none.
size_t find_inaccessible(const BatchArguments& batch, ferryx_direction direction) {
  const bool is_written = direction == FERRYX_DEVICE_TO_HOST;
  for (size_t i = 0; i < batch.count; ++i) {
    const Location host = locate(is_written ? batch.dsts[i] : batch.srcs[i]);
    const bool is_ours = host.memory.kind == FERRYX_MEMORY_PINNED || host.is_managed();
    if (!is_ours && !is_every_page_accessible(host.address, batch.sizes[i],
                                              is_written ? Access::kWrite : Access::kRead)) {
      return i;
    }
  }
  return SIZE_MAX;
}

// Copies during the call. A fault that the plan could not foresee is found by the copy itself; then
// items before it may have been copied.
Status copy_items(Device& device, const BatchArguments& batch, const CopyArray& items,
                  const BatchPlan& plan, size_t& fail_index) {
  const Status copied = copy_on(device, items, plan);
  if (copied.code() == ACL_ERROR_RT_PARAM_INVALID) {
    fail_index = find_inaccessible(batch, plan.direction);
  }
  return copied;
}

}  // namespace

void BatchPlan::clear() {
  pinned.clear();
  pageable.clear();
  columns.reset();
  is_resolved = true;
}

Status check_attribute_count(const BatchArguments& batch) {
  if (batch.attribute_count == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "numAttrs", 0)
        .allowed("1 to numBatches = %zu", batch.count);
  }
  if (batch.attribute_count > batch.count) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "numAttrs", batch.attribute_count)
        .allowed("1 to numBatches = %zu", batch.count);
  }
  return {};
}

Status check_attribute_indexes(const BatchArguments& batch) {
  const size_t* indexes = batch.attribute_indexes;
  if (indexes[0] != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"attrsIndexes", 0}, indexes[0])
        .allowed("0");
  }
  for (size_t k = 1; k < batch.attribute_count; ++k) {
    if (indexes[k] <= indexes[k - 1]) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, {"attrsIndexes", k}, indexes[k])
          .allowed("more than attrsIndexes[%zu] = %zu", k - 1, indexes[k - 1]);
    }
    if (indexes[k] >= batch.count) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, {"attrsIndexes", k}, indexes[k])
          .allowed("less than numBatches = %zu", batch.count);
    }
  }
  return {};
}

Status plan_batch(const BatchArguments& batch, BatchForm form, Locate locate_address,
                  BatchPlan& plan, size_t& fail_index) {
  Cover cover(batch);
  Item item;
  for (size_t i = 0; i < batch.count;) {
    cover.move_to(i);
    item.index = i;
    item.request = {batch.dsts[i], batch.srcs[i], batch.sizes[i]};
    if (Status wrong = check_item(item, cover.attribute(), locate_address, form, plan);
        !wrong.ok()) {
      fail_index = i;
      return wrong;
    }
    const bool is_alike = i == 0 && is_like_first(batch, item, cover);
    const Span run = is_alike ? Span{0, batch.count} : run_from(batch, item, cover);
    if (form == BatchForm::kColumns && run.end - run.begin == batch.count) {
      plan.columns = as_columns(batch, item, plan, is_alike ? batch.sizes[0] : 0);
      return {};
    }
    if (run.begin == run.end) {
      add_to_plan(item, plan);
      ++i;
    } else {
      add_run(batch, run, item, plan);
      i = run.end;
    }
  }
  return {};
}

Status copy_batch_now(const BatchArguments& batch, size_t& fail_index) {
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  BatchPlan& plan = thread_plan();
  FERRY_RETURN_IF_ERROR(plan_batch(batch, BatchForm::kNow, locate, plan, fail_index));
  FERRY_TRY(Device*, device, find_device(plan.device));
  FERRY_RETURN_IF_ERROR(copy_items(**device, batch, plan.pinned, plan, fail_index));
  return copy_items(**device, batch, plan.pageable, plan, fail_index);
}

Status copy_batch_async(const BatchArguments& batch, Ref<Stream> given, size_t& fail_index) {
  FERRY_TRY(Ref<Stream>, found, stream_of_call(std::move(given)));
  Stream* const stream = found->get();
  BatchPlan& plan = thread_plan();
  plan.epoch = memory_epoch();
  const bool takes_columns = (stream->backend().capabilities & FERRYX_TAKES_COLUMNS) != 0;
  FERRY_RETURN_IF_ERROR(plan_batch(batch, takes_columns ? BatchForm::kColumns : BatchForm::kQueued,
                                   locate, plan, fail_index));
  if (plan.columns.has_value()) return submit_columns(*stream, *plan.columns, plan.epoch);
  // Before anything is queued: the batch is refused as a whole.
  if (!plan.pageable.empty()) FERRY_RETURN_IF_ERROR(check_pageable_allowed(*stream));
  if (!plan.pinned.empty()) {
    FERRY_RETURN_IF_ERROR(submit_copies(*stream, as_copies(plan.pinned, plan), plan.epoch));
  }
  if (plan.pageable.empty()) return {};
  FERRY_RETURN_IF_ERROR(wait_before_pageable_copy(*stream));
  return copy_items(stream->context().device(), batch, plan.pageable, plan, fail_index);
}

}  // namespace ferry
