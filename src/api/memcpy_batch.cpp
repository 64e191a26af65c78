// SPDX-License-Identifier: Apache-2.0
// Batches: the four forms share all checks. The V2 forms only lack the index of the item at fault.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/batch_scan.h"
#include "core/copy_batch.h"
#include "core/runtime.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ferry::api {
namespace {

constexpr size_t kMostSynchronousItems = 4096;

// Checks the count and the sizes. `is_empty` is set when all sizes are 0: such a batch succeeds
// before anything else is checked.
Status check_sizes(const BatchArguments& batch, bool& is_empty) {
  if (batch.sizes == nullptr) return fail_null("sizes");
  if (batch.count == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "numBatches", 0).allowed("1 or more");
  }
  is_empty = release().empty_copies_succeed && std::all_of(batch.sizes, batch.sizes + batch.count,
                                                           [](size_t size) { return size == 0; });
  return {};
}

Status check_arrays(const BatchArguments& batch) {
  if (batch.dsts == nullptr) return fail_null("dsts");
  if (batch.dest_maxs == nullptr) return fail_null("destMaxs");
  if (batch.srcs == nullptr) return fail_null("srcs");
  if (batch.attributes == nullptr) return fail_null("attrs");
  if (batch.attribute_indexes == nullptr) return fail_null("attrsIndexes");
  return {};
}

// The pointers of a form with failIndex. Earlier releases look at all of them before the count.
Status check_pointers(const BatchArguments& batch, const size_t* fail_index) {
  if (!release().batch_checks_sizes_first) {
    if (batch.dsts == nullptr) return fail_null("dsts");
    if (batch.dest_maxs == nullptr) return fail_null("destMaxs");
    if (batch.srcs == nullptr) return fail_null("srcs");
    if (batch.sizes == nullptr) return fail_null("sizes");
    FERRY_RETURN_IF_ERROR(check_arrays(batch));
  }
  return fail_index == nullptr ? fail_null("failIndex") : Status();
}

Status check_capacities(const BatchArguments& batch, size_t& fail_index) {
  if (batch.dest_maxs == batch.sizes) return {};  // some programs pass one array for both
  if (are_within(batch.sizes, batch.dest_maxs, batch.count)) return {};
  for (size_t i = 0; i < batch.count; ++i) {
    if (batch.dest_maxs[i] >= batch.sizes[i]) continue;
    fail_index = i;
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, {"sizes", i}, batch.sizes[i])
        .allowed("up to destMaxs[%zu] = %zu", i, batch.dest_maxs[i]);
  }
  return {};
}

// There may be as many attributes as items, so whole words are compared.
template <size_t kSize>
bool is_zero(const uint8_t (&bytes)[kSize]) {
  static_assert(kSize % sizeof(uint64_t) == 0);
  uint64_t words[kSize / sizeof(uint64_t)];
  std::memcpy(words, bytes, kSize);
  return std::all_of(std::begin(words), std::end(words), [](uint64_t word) { return word == 0; });
}

Status check_reserved(const BatchArguments& batch) {
  for (size_t k = 0; k < batch.attribute_count; ++k) {
    const auto& reserved = batch.attributes[k].rsv;
    if (is_zero(reserved)) continue;
    const auto* used =
        std::find_if(std::begin(reserved), std::end(reserved), [](uint8_t b) { return b != 0; });
    const Argument byte("attrs", k, "rsv", static_cast<size_t>(used - std::begin(reserved)));
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, byte, *used).allowed("0");
  }
  return {};
}

Status check_batch_product() {
  if (soc().traits->batch_copy) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001)
      .unlogged()
      .because("%s has no batch copies: copy the items one by one", soc().name);
}

Status check_synchronous_count(const BatchArguments& batch) {
  if (batch.count <= kMostSynchronousItems) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "numBatches", batch.count)
      .allowed("1 to %zu", kMostSynchronousItems);
}

// The checks that all forms make before they look at the stream.
Status check_batch(const BatchArguments& batch, bool& is_empty, size_t& fail_index) {
  FERRY_RETURN_IF_ERROR(check_sizes(batch, is_empty));
  if (is_empty) return {};
  FERRY_RETURN_IF_ERROR(check_arrays(batch));
  FERRY_RETURN_IF_ERROR(check_capacities(batch, fail_index));
  FERRY_RETURN_IF_ERROR(check_reserved(batch));
  return check_batch_product();
}

Status copy_now(const BatchArguments& batch, size_t& fail_index) {
  fail_index = SIZE_MAX;
  bool is_empty = false;
  FERRY_RETURN_IF_ERROR(check_batch(batch, is_empty, fail_index));
  if (is_empty) return {};
  FERRY_RETURN_IF_ERROR(check_attribute_count(batch));
  FERRY_RETURN_IF_ERROR(check_synchronous_count(batch));
  FERRY_RETURN_IF_ERROR(check_attribute_indexes(batch));
  return copy_batch_now(batch, fail_index);
}

Status copy_async(const BatchArguments& batch, size_t& fail_index, aclrtStream stream) {
  fail_index = SIZE_MAX;
  bool is_empty = false;
  FERRY_RETURN_IF_ERROR(check_batch(batch, is_empty, fail_index));
  if (is_empty) return {};
  FERRY_TRY(Ref<Stream>, given, stream_if_given(stream));
  FERRY_RETURN_IF_ERROR(check_attribute_count(batch));
  FERRY_RETURN_IF_ERROR(check_attribute_indexes(batch));
  return copy_batch_async(batch, std::move(*given), fail_index);
}

}  // namespace

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                          size_t numAttrs, size_t* failIndex) {
  const BatchArguments batch{dsts,       destMaxs, srcs,         sizes,
                             numBatches, attrs,    attrsIndexes, numAttrs};
  FERRY_RETURN_IF_ERROR(check_pointers(batch, failIndex));
  return copy_now(batch, *failIndex);
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                            size_t numAttrs) {
  size_t unused = SIZE_MAX;
  return copy_now({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs}, unused);
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  const BatchArguments batch{dsts,       destMaxs, srcs,         sizes,
                             numBatches, attrs,    attrsIndexes, numAttrs};
  FERRY_RETURN_IF_ERROR(check_pointers(batch, failIndex));
  return copy_async(batch, *failIndex, stream);
}

aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  size_t unused = SIZE_MAX;
  return copy_async({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
                    unused, stream);
}

}  // namespace ferry::api
