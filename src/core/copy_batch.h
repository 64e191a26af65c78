// SPDX-License-Identifier: Apache-2.0
// Batches of copies: the whole batch is validated before anything is queued or copied.
#pragma once

#include "base/status.h"
#include "core/copy_array.h"
#include "core/location.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ferry {

// The arrays of the API call, unchanged.
struct BatchArguments {
  void** dsts = nullptr;
  const size_t* dest_maxs = nullptr;
  void** srcs = nullptr;
  const size_t* sizes = nullptr;
  size_t count = 0;
  const aclrtMemcpyBatchAttr* attributes = nullptr;
  const size_t* attribute_indexes = nullptr;  // attribute_count entries
  size_t attribute_count = 0;
};

// A validated batch: columns, or lists that keep the order of the arrays.
struct BatchPlan {
  ferryx_direction direction = FERRYX_HOST_TO_DEVICE;
  CopyArray pinned;
  CopyArray pageable;
  std::optional<ferryx_columns> columns;  // if set: the whole batch, and the lists are empty
  bool is_resolved = true;                // every storage address is known
  uint32_t device = 0;                    // of the device side of item 0
  uint64_t epoch = 0;

  void clear();
};

// Checks of the attribute arrays that concern no single item.
Status check_attribute_count(const BatchArguments& batch);
Status check_attribute_indexes(const BatchArguments& batch);

// Ranges are validated by the call for items it copies itself, and by the task for queued items.
// kNow      copied during the call
// kQueued   queued, as lists
// kColumns  queued, as columns if all items are inside one allocation per side
enum class BatchForm { kNow, kQueued, kColumns };

// Checks the items in order; on failure `fail_index` is the item at fault. `locate` is a parameter
// so that planning can be tested without devices.
using Locate = Location (*)(const void* address);
Status plan_batch(const BatchArguments& batch, BatchForm form, Locate locate, BatchPlan& plan,
                  size_t& fail_index);

// fail_index is changed only when a single item is at fault.
Status copy_batch_now(const BatchArguments& batch, size_t& fail_index);
Status copy_batch_async(const BatchArguments& batch, Ref<Stream> given, size_t& fail_index);

}  // namespace ferry
