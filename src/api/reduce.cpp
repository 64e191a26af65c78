// SPDX-License-Identifier: Apache-2.0
// Reductions of arrays in device memory, and the number of a thread's last task.
#include "core/reduce.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace ferry::api {
namespace {

// The types that products reduce; those without an element are not among Ferry's.
struct ReducedType {
  aclDataType type;
  std::optional<ferryx_element> element;
};
constexpr ReducedType kReducedTypes[] = {
    {ACL_FLOAT, FERRYX_FLOAT32}, {ACL_FLOAT16, FERRYX_FLOAT16}, {ACL_BF16, FERRYX_BFLOAT16},
    {ACL_INT8, FERRYX_INT8},     {ACL_INT16, FERRYX_INT16},     {ACL_INT32, FERRYX_INT32},
    {ACL_UINT32, FERRYX_UINT32}, {ACL_INT4, std::nullopt},      {ACL_UINT8, std::nullopt},
    {ACL_UINT16, std::nullopt},
};

const ReducedType* find_type(aclDataType type) {
  const auto* found = std::find_if(std::begin(kReducedTypes), std::end(kReducedTypes),
                                   [&](const ReducedType& row) { return row.type == type; });
  return found == std::end(kReducedTypes) ? nullptr : found;
}

constexpr uint64_t kMostSummed = uint64_t{4} << 30;

Status check_reduction(uint64_t bytes, aclrtReduceKind kind) {
  if (bytes == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", bytes).allowed("1 or more bytes");
  }
  if (kind < ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM || kind > ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "kind", kind).allowed("10 to 13");
  }
  if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM && bytes > kMostSummed) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", bytes)
        .allowed("up to %llu bytes for a sum", static_cast<unsigned long long>(kMostSummed));
  }
  return {};
}

Status check_implemented(aclrtReduceKind kind, const ReducedType& type) {
  if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "kind", kind)
        .because(", a reduction that is not supported");
  }
  if (type.element.has_value()) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "type", type.type)
      .because(", a type that is not supported");
}

}  // namespace

aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind,
                          aclDataType type, aclrtStream stream, void* reserve) {
  if (dst == nullptr) return fail_null("dst");
  if (src == nullptr) return fail_null("src");
  if (reserve != nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0012, "reserve", reserve).allowed("NULL");
  }
  const ReducedType* const reduced = find_type(type);
  if (reduced == nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "type", type)
        .allowed("ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT16, ACL_INT32, ACL_UINT32");
  }
  FERRY_RETURN_IF_ERROR(check_reduction(count, kind));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_implemented(kind, *reduced));
  return reduce_async(
      {.operands = {.dst = dst, .src = src, .size = count},
       .operation = static_cast<ferryx_operation>(kind - ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM),
       .element = *reduced->element},
      **found);
}

aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  if (taskId == nullptr) return fail_null("taskId");
  *taskId = call_record().last_task;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
