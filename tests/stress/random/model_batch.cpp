// SPDX-License-Identifier: Apache-2.0
// Batch copies: the checks of include/acl/rt/copy_batch.h, in that order.
#include "calls.h"
#include "model.h"

#include <algorithm>

namespace stress {

namespace {

constexpr size_t kSynchronousLimit = 4096;

bool is_async(const Operation& op) {
  return op.call == Call::kMemcpyBatchAsync || op.call == Call::kMemcpyBatchAsyncV2;
}

bool has_fail_index(const Operation& op) {
  return op.call == Call::kMemcpyBatch || op.call == Call::kMemcpyBatchAsync;
}

const Attribute& attribute_of(const Operation& op, size_t index) {
  const auto next = std::find_if(op.attributes.begin(), op.attributes.end(),
                                 [&](const Attribute& each) { return each.first > index; });
  return *(next - 1);
}

bool are_ascending(const Operation& op) {
  const std::vector<Attribute>& attributes = op.attributes;
  for (size_t i = 0; i < attributes.size(); ++i) {
    const bool is_ordered =
        i == 0 ? attributes[0].first == 0 : attributes[i].first > attributes[i - 1].first;
    if (!is_ordered || attributes[i].first >= op.items.size()) return false;
  }
  return true;
}

}  // namespace

aclError Model::apply_batch(const Operation& op) {
  if (has_fail_index(op)) {
    if ((op.missing & kNoFailIndex) != 0) return ACL_ERROR_INVALID_PARAM;
    prediction_.fail_index = SIZE_MAX;
  }
  const StreamRef ref = stream_of(op);
  const bool has_sizes = (op.missing & kNoSizes) == 0;
  if (has_sizes && !op.items.empty() &&
      std::all_of(op.items.begin(), op.items.end(), [](const Item& i) { return i.size == 0; })) {
    return ACL_SUCCESS;
  }
  if (const aclError code = check_batch(op, ref); code != ACL_SUCCESS) return code;
  return copy_items(op, ref);
}

aclError Model::check_batch(const Operation& op, const StreamRef& ref) {
  if ((op.missing & ~unsigned{kNoFailIndex}) != 0 || op.items.empty()) {
    return ACL_ERROR_INVALID_PARAM;
  }
  for (size_t i = 0; i < op.items.size(); ++i) {
    if (op.items[i].dest_max >= op.items[i].size) continue;
    if (has_fail_index(op)) prediction_.fail_index = i;
    return ACL_ERROR_INVALID_PARAM;
  }
  if (std::any_of(op.attributes.begin(), op.attributes.end(),
                  [](const Attribute& each) { return each.reserved != 0; })) {
    return ACL_ERROR_INVALID_PARAM;
  }
  if (is_async(op) && ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (op.attributes.empty() || op.attributes.size() > op.items.size() ||
      (!is_async(op) && op.items.size() > kSynchronousLimit) || !are_ascending(op)) {
    return ACL_ERROR_RT_PARAM_INVALID;
  }
  if (is_async(op) && !has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  return check_items(op);
}

aclError Model::check_items(const Operation& op) {
  for (size_t i = 0; i < op.items.size(); ++i) {
    if (is_item_good(op, i)) continue;
    if (has_fail_index(op)) prediction_.fail_index = i;
    return ACL_ERROR_RT_PARAM_INVALID;
  }
  return ACL_SUCCESS;
}

bool Model::is_at(const Place& place, const aclrtMemLocation& location) const {
  if (is_host(place)) {
    return location.type == ACL_MEM_LOCATION_TYPE_HOST ||
           location.type == ACL_MEM_LOCATION_TYPE_HOST_NUMA;
  }
  return location.type == ACL_MEM_LOCATION_TYPE_DEVICE &&
         location.id == static_cast<uint32_t>(at(place).device);
}

bool Model::is_item_good(const Operation& op, size_t index) const {
  const Item& item = op.items[index];
  const Attribute& attribute = attribute_of(op, index);
  if (item.size == 0 || is_null(item.src) || is_null(item.dst)) return false;
  if (!is_at(item.dst, attribute.dst) || !is_at(item.src, attribute.src)) return false;
  if (is_device(item.dst) == is_device(item.src)) return false;
  if (is_device(item.dst) != is_device(op.items[0].dst)) return false;
  const bool is_queued = is_async(op) && !is_pageable(item.dst) && !is_pageable(item.src);
  return is_queued || (is_good(item.dst, item.size) && is_good(item.src, item.size));
}

// Copies a batch that passed all checks. Its items may run in any order, so none may read or write
// what another writes.
aclError Model::copy_items(const Operation& op, const StreamRef& ref) {
  for (const Item& item : op.items) {
    for (const Item& other : op.items) {
      require(&item == &other || !overlap(item.dst, other.dst, item.size, other.size));
    }
  }
  const auto is_now = [&](const Item& item) {
    return !is_async(op) || is_pageable(item.dst) || is_pageable(item.src);
  };
  const bool has_queued = !std::all_of(op.items.begin(), op.items.end(), is_now);
  if (has_queued && is_of_other_context(ref)) return ACL_ERROR_RT_STREAM_CONTEXT;
  if (is_async(op)) {
    for (const Item& item : op.items)
      require(check_devices(item.dst, item.src, device()) == ACL_SUCCESS);
  }
  if (has_queued) {
    const int actor = begin_task(ref.index);
    const bool is_fine = std::all_of(op.items.begin(), op.items.end(), [&](const Item& item) {
      return is_now(item) || (is_good(item.dst, item.size) && is_good(item.src, item.size));
    });
    for (const Item& item : op.items) {
      if (is_now(item)) continue;
      if (is_fine) {
        move(actor, item.dst, item.src, item.size);
      } else {
        fail_task(ref.index, item.dst, item.src, item.size);
      }
    }
  }
  if (std::none_of(op.items.begin(), op.items.end(), is_now)) return ACL_SUCCESS;
  if (is_async(op)) {
    if (const aclError code = synchronize(ref.index); code != ACL_SUCCESS) return code;
  }
  const int actor = begin_call();
  for (const Item& item : op.items) {
    if (is_now(item)) move(actor, item.dst, item.src, item.size);
  }
  return ACL_SUCCESS;
}

}  // namespace stress
