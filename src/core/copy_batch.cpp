// SPDX-License-Identifier: Apache-2.0
// Planning a batch, then handing it over: pinned items as one task, pageable ones during the call.
#include "core/copy_batch.h"

#include "core/copy.h"
#include "core/runtime.h"

#include <cstdio>
#include <utility>

namespace ferry {
namespace {

const char* side_in_words(const Location& location) {
  return location.is_device() ? "device memory" : "host memory";
}

// One side of an item against the attribute that covers it. The id counts for devices only;
// pageable memory and HOST_NUMA count as the host.
bool matches(const aclrtMemLocation& declared, const Location& actual) {
  switch (declared.type) {
    case ACL_MEM_LOCATION_TYPE_HOST:
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA:
      return actual.is_host();
    case ACL_MEM_LOCATION_TYPE_DEVICE:
      return actual.is_device() && declared.id == actual.memory.device;
    default:
      return false;
  }
}

Status check_side(const char* array, const char* attribute, const aclrtMemLocation& declared,
                  const Location& actual, size_t index) {
  if (matches(declared, actual)) return {};
  return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1017,
              "%s[%zu] is %p, %s of device %u, but its attribute says %s.type = %d, %s.id = %u",
              array, index, actual.address, side_in_words(actual), actual.memory.device, attribute,
              declared.type, attribute, declared.id);
}

struct Item {
  size_t index = 0;
  CopyRequest request;
  Location dst;
  Location src;

  bool is_pageable() const { return dst.is_pageable() || src.is_pageable(); }
};

Status check_item_pointers(const Item& item) {
  if (item.request.size == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1017,
                "sizes[%zu] is 0, allowed is 1 or more", item.index);
  }
  if (item.request.src == nullptr) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1004, "srcs[%zu] is NULL", item.index);
  }
  if (item.request.dst == nullptr) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1004, "dsts[%zu] is NULL", item.index);
  }
  return {};
}

Status check_item_places(const Item& item, const aclrtMemcpyBatchAttr& attribute) {
  FERRY_RETURN_IF_ERROR(check_side("dsts", "dstLoc", attribute.dstLoc, item.dst, item.index));
  FERRY_RETURN_IF_ERROR(check_side("srcs", "srcLoc", attribute.srcLoc, item.src, item.index));
  if (item.dst.is_host() != item.src.is_host()) return {};
  return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1016,
              "srcs[%zu] and dsts[%zu] are both %s, but a batch copies between host and device",
              item.index, item.index, side_in_words(item.dst));
}

Status check_direction(const Item& item, ferryx_direction direction) {
  if (direction_of(item.dst, item.src) == direction) return {};
  return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1016,
              "item %zu copies %s, but item 0 copies the other way: a batch has one direction",
              item.index,
              direction == FERRYX_HOST_TO_DEVICE ? "from device to host" : "from host to device");
}

void add_to_plan(const Item& item, BatchPlan& plan) {
  (item.is_pageable() ? plan.pageable : plan.pinned)
      .push_back(make_copy(item.request, item.dst, item.src));
}

// For items copied during the call: what is judged later for queued ones is judged now.
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

// The blocks of a batch mostly lie in the same two allocations: what was found for the item before
// answers for this one, too. Were the allocation freed meanwhile, the epoch of the plan would say
// so when the task runs.
void move_to(const void* address, Location& location, Locate locate_address) {
  if (location.is_pageable() || !location.surrounds(address)) {
    location = locate_address(address);
  } else {
    location.address = address;
  }
}

// `item` still holds where the item before it lies.
Status check_item(Item& item, const aclrtMemcpyBatchAttr& attribute, Locate locate_address,
                  BatchForm form, BatchPlan& plan) {
  FERRY_RETURN_IF_ERROR(check_item_pointers(item));
  move_to(item.request.dst, item.dst, locate_address);
  move_to(item.request.src, item.src, locate_address);
  FERRY_RETURN_IF_ERROR(check_item_places(item, attribute));
  if (item.index == 0) {
    plan.direction = direction_of(item.dst, item.src);
    plan.device = (item.dst.is_device() ? item.dst : item.src).memory.device;
  }
  FERRY_RETURN_IF_ERROR(check_direction(item, plan.direction));
  if (form == BatchForm::kNow || item.is_pageable()) return check_item_ranges(item);
  return {};
}

// Planning reuses its lists: no allocation once a thread has seen its largest batch.
BatchPlan& thread_plan() {
  // A call from a destructor of another thread-local object may come after this one is gone; it
  // then finds nullptr and starts anew.
  struct Owner {
    BatchPlan* plan = nullptr;
    ~Owner() { delete std::exchange(plan, nullptr); }
  };
  static thread_local Owner owner;
  if (owner.plan == nullptr) owner.plan = new BatchPlan;
  owner.plan->clear();
  return *owner.plan;
}

ferryx_copies as_copies(const std::vector<ferryx_copy>& items, const BatchPlan& plan) {
  return {.items = items.data(), .count = items.size(), .direction = plan.direction, .flags = 0};
}

Status copy_on(Device& device, const std::vector<ferryx_copy>& items, const BatchPlan& plan) {
  if (items.empty()) return {};
  const ferryx_copies copies = as_copies(items, plan);
  return Status(device.backend().copy(device.handle(), &copies));
}

}  // namespace

void BatchPlan::clear() {
  pinned.clear();
  pageable.clear();
}

Status check_attribute_count(const BatchArguments& batch) {
  if (batch.attribute_count == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                "numAttrs is 0, allowed is 1 to numBatches = %zu", batch.count);
  }
  if (batch.attribute_count > batch.count) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1017,
                "numAttrs is %zu, allowed is 1 to numBatches = %zu", batch.attribute_count,
                batch.count);
  }
  return {};
}

Status check_attribute_indexes(const BatchArguments& batch) {
  const size_t* indexes = batch.attribute_indexes;
  if (indexes[0] != 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                "attrsIndexes[0] is %zu, allowed is 0", indexes[0]);
  }
  for (size_t k = 1; k < batch.attribute_count; ++k) {
    if (indexes[k] <= indexes[k - 1]) {
      return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1017,
                  "attrsIndexes[%zu] is %zu, allowed is more than attrsIndexes[%zu] = %zu", k,
                  indexes[k], k - 1, indexes[k - 1]);
    }
    if (indexes[k] >= batch.count) {
      return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1017,
                  "attrsIndexes[%zu] is %zu, allowed is less than numBatches = %zu", k, indexes[k],
                  batch.count);
    }
  }
  return {};
}

Status plan_batch(const BatchArguments& batch, BatchForm form, Locate locate_address,
                  BatchPlan& plan, size_t& fail_index) {
  size_t attribute = 0;
  Item item;
  for (size_t i = 0; i < batch.count; ++i) {
    if (attribute + 1 < batch.attribute_count && batch.attribute_indexes[attribute + 1] == i) {
      ++attribute;
    }
    item.index = i;
    item.request = {batch.dsts[i], batch.srcs[i], batch.sizes[i]};
    if (Status wrong = check_item(item, batch.attributes[attribute], locate_address, form, plan);
        !wrong.ok()) {
      fail_index = i;
      return wrong;
    }
    add_to_plan(item, plan);
  }
  return {};
}

Status copy_batch_now(const BatchArguments& batch, size_t& fail_index) {
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  BatchPlan& plan = thread_plan();
  FERRY_RETURN_IF_ERROR(plan_batch(batch, BatchForm::kNow, locate, plan, fail_index));
  Result<Device*> device = find_device(plan.device);
  FERRY_RETURN_IF_ERROR(device.status());
  FERRY_RETURN_IF_ERROR(copy_on(**device, plan.pinned, plan));
  return copy_on(**device, plan.pageable, plan);
}

Status copy_batch_async(const BatchArguments& batch, Ref<Stream> given, size_t& fail_index) {
  Result<Ref<Context>> context = current_context(ImplicitDevice::kIgnore);
  FERRY_RETURN_IF_ERROR(context.status());
  const Ref<Stream> stream = given ? std::move(given) : (*context)->default_stream();
  BatchPlan& plan = thread_plan();
  plan.epoch = memory_epoch();
  FERRY_RETURN_IF_ERROR(plan_batch(batch, BatchForm::kQueued, locate, plan, fail_index));
  if (!plan.pinned.empty()) {
    FERRY_RETURN_IF_ERROR(submit_copies(*stream, as_copies(plan.pinned, plan), plan.epoch));
  }
  if (plan.pageable.empty()) return {};
  FERRY_RETURN_IF_ERROR(wait_before_pageable_copy(*stream));
  return copy_on(stream->context().device(), plan.pageable, plan);
}

}  // namespace ferry
