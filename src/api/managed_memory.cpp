// SPDX-License-Identifier: Apache-2.0
// Managed memory: allocating, advice, properties and prefetching. aclrtFree frees it.
#include "core/managed_memory.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/runtime.h"

#include <sched.h>

#include <cinttypes>
#include <vector>

namespace ferry::api {
namespace {

Status check_managed_product() {
  if (soc().traits->managed_memory) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "%s has no managed memory", soc().name);
}

Status check_range_given(const void* address, uint64_t size) {
  if (address == nullptr) return fail_null("ptr");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  return {};
}

Status check_device_id(const Argument& argument, int32_t id) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  const uint32_t count = (*runtime)->device_count();
  if (id >= 0 && static_cast<uint32_t>(id) < count) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, argument, id).allowed("0 to %u", count - 1);
}

int32_t current_node() {
  unsigned node = 0;
  getcpu(nullptr, &node);
  return static_cast<int32_t>(node);
}

// `name` and `index` are those of the argument.
Status read_place(const char* name, size_t index, const aclrtMemManagedLocation& location,
                  ManagedPlace& place) {
  switch (location.type) {
    case ACL_MEM_LOCATIONTYPE_DEVICE:
      FERRY_RETURN_IF_ERROR(check_device_id({name, index, "id"}, location.id));
      place = {.type = ACL_MEM_LOCATIONTYPE_DEVICE, .id = location.id};
      return {};
    case ACL_MEM_LOCATIONTYPE_HOST:
      place = {.type = ACL_MEM_LOCATIONTYPE_HOST, .id = ManagedPlace::kHost};
      return {};
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA:
      place = {.type = ACL_MEM_LOCATIONTYPE_HOST_NUMA, .id = location.id};
      if (location.id >= 0) return {};
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {name, index, "id"}, location.id)
          .allowed("the number of a NUMA node");
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT:
      place = {.type = ACL_MEM_LOCATIONTYPE_HOST_NUMA, .id = current_node()};
      return {};
    default:
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {name, index, "type"}, location.type)
          .allowed("1 to 4");
  }
}

// Advice that says nothing about a place ignores the location; taking back a preferred place needs
// none, but a device must exist.
Status read_advised_place(aclrtMemManagedAdviseType advice, const aclrtMemManagedLocation& location,
                          ManagedPlace& place) {
  switch (advice) {
    case ACL_MEM_ADVISE_SET_READ_MOSTLY:
    case ACL_MEM_ADVISE_UNSET_READ_MOSTLY:
      return {};
    case ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      return location.type == ACL_MEM_LOCATIONTYPE_DEVICE
                 ? check_device_id({"location", Argument::kNone, "id"}, location.id)
                 : Status();
    default:
      return read_place("location", Argument::kNone, location, place);
  }
}

// The users of memory are devices and the host, whatever its nodes.
ManagedPlace as_user(const ManagedPlace& place) {
  const bool is_device = place.type == ACL_MEM_LOCATIONTYPE_DEVICE;
  return is_device ? place
                   : ManagedPlace{.type = ACL_MEM_LOCATIONTYPE_HOST, .id = ManagedPlace::kHost};
}

// One attribute to read, and room for its values.
struct Query {
  aclrtMemManagedRangeAttribute attribute;
  void* data;
  size_t size;

  std::span<int32_t> values() const {
    return {static_cast<int32_t*>(data), size / sizeof(int32_t)};
  }
};

Status check_query(const Argument& attribute, const Argument& data_size, const Query& query) {
  if (query.attribute < ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY ||
      query.attribute > ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, attribute, query.attribute)
        .allowed("1 to 8");
  }
  const bool is_list = query.attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
  const bool is_right = is_list ? query.size != 0 && query.size % sizeof(int32_t) == 0
                                : query.size == sizeof(int32_t);
  if (is_right) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, data_size, query.size)
      .allowed(is_list ? "a multiple of 4" : "4");
}

// The stream of a prefetch; empty for the default stream of the calling thread's context.
Result<Ref<Stream>> stream_of_prefetch(aclrtStream stream) {
  if (stream != nullptr) return find_stream(stream);
  if (current_context().ok()) return Ref<Stream>();
  return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1004, "stream", nullptr)
      .because(" and the calling thread has no context with a default stream");
}

Status submit_prefetch(std::vector<ManagedPrefetch> moves, aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return prefetch_managed(std::move(moves), **found);
}

// ---- prefetching many ranges ----

struct PrefetchBatch {
  const void** addresses;
  const size_t* sizes;
  size_t count;
  const aclrtMemManagedLocation* locations;
  const size_t* location_indexes;  // the first range of each location
  size_t location_count;
};

Status check_prefetch_arrays(const PrefetchBatch& batch, uint64_t flags) {
  if (batch.addresses == nullptr) return fail_null("ptrs");
  if (batch.sizes == nullptr) return fail_null("sizes");
  if (batch.locations == nullptr) return fail_null("prefetchLocs");
  if (batch.location_indexes == nullptr) return fail_null("prefetchLocIdxs");
  if (batch.count == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "count", 0).allowed("1 or more");
  }
  if (batch.location_count == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "numPrefetchLocs", 0).allowed("1 or more");
  }
  if (flags != 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", flags).allowed("0");
  if (batch.location_count > batch.count) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "numPrefetchLocs", batch.location_count)
        .allowed("1 to count = %zu", batch.count);
  }
  return {};
}

Status check_prefetched(const PrefetchBatch& batch) {
  for (size_t i = 0; i < batch.count; ++i) {
    if (batch.addresses[i] == nullptr) {
      return fail_null_in_runtime({"ptrs", i});
    }
    if (batch.sizes[i] == 0) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"sizes", i}, 0).allowed("1 or more");
    }
  }
  return {};
}

Status check_location_indexes(const PrefetchBatch& batch) {
  for (size_t k = 1; k < batch.location_count; ++k) {
    const size_t index = batch.location_indexes[k];
    const size_t before = batch.location_indexes[k - 1];
    if (index > before && index < batch.count) continue;
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"prefetchLocIdxs", k}, index)
        .allowed("more than prefetchLocIdxs[%zu] = %zu and less than count = %zu", k - 1, before,
                 batch.count);
  }
  return {};
}

Status read_places(const PrefetchBatch& batch, std::vector<ManagedPrefetch>& moves) {
  for (size_t k = 0; k < batch.location_count; ++k) {
    ManagedPlace place;
    FERRY_RETURN_IF_ERROR(read_place("prefetchLocs", k, batch.locations[k], place));
    const bool is_last = k + 1 == batch.location_count;
    const size_t end = is_last ? batch.count : batch.location_indexes[k + 1];
    for (size_t i = batch.location_indexes[k]; i < end; ++i) {
      moves.push_back(
          {.range = {.address = batch.addresses[i], .size = batch.sizes[i]}, .place = place});
    }
  }
  return {};
}

}  // namespace

aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  if (ptr == nullptr) return fail_null("ptr");
  if (flag != ACL_RT_MEM_ATTACH_GLOBAL) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flag", flag)
        .allowed("ACL_RT_MEM_ATTACH_GLOBAL (1)");
  }
  if (size == 0) return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", 0).allowed("1 or more");
  FERRY_RETURN_IF_ERROR(check_managed_product());
  FERRY_TRY(Ref<Context>, context, current_context());
  return allocate_managed_memory((*context)->device(), size, ptr);
}

aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size,
                               aclrtMemManagedAdviseType advise, aclrtMemManagedLocation location) {
  FERRY_RETURN_IF_ERROR(check_range_given(ptr, size));
  if (advise < ACL_MEM_ADVISE_SET_READ_MOSTLY || advise > ACL_MEM_ADVISE_UNSET_ACCESSED_BY) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "advise", advise).allowed("0 to 5");
  }
  FERRY_RETURN_IF_ERROR(check_managed_product());
  ManagedPlace place;
  FERRY_RETURN_IF_ERROR(read_advised_place(advise, location, place));
  FERRY_RETURN_IF_ERROR(current_context().status());
  FERRY_RETURN_IF_ERROR(check_managed({.address = ptr, .size = size}));
  if (size % kManagedPage != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", size)
        .allowed("a multiple of %" PRIu64 " (2 MiB)", kManagedPage);
  }
  const bool is_about_user =
      advise == ACL_MEM_ADVISE_SET_ACCESSED_BY || advise == ACL_MEM_ADVISE_UNSET_ACCESSED_BY;
  return advise_managed({.address = ptr, .size = size}, advise,
                        is_about_user ? as_user(place) : place);
}

aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void* ptr,
                                size_t size, void* data, size_t dataSize) {
  if (ptr == nullptr) return fail_null("ptr");
  if (data == nullptr) return fail_null("data");
  FERRY_RETURN_IF_ERROR(check_range_given(ptr, size));
  const Query query{.attribute = attribute, .data = data, .size = dataSize};
  FERRY_RETURN_IF_ERROR(check_query("attribute", "dataSize", query));
  FERRY_RETURN_IF_ERROR(check_managed_product());
  return read_managed({.address = ptr, .size = size}, attribute, query.values());
}

aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute* attributes, size_t numAttributes,
                                 const void* ptr, size_t size, void** data, size_t* dataSizes) {
  if (ptr == nullptr) return fail_null("ptr");
  if (attributes == nullptr) return fail_null("attributes");
  if (data == nullptr) return fail_null("data");
  if (dataSizes == nullptr) return fail_null("dataSizes");
  FERRY_RETURN_IF_ERROR(check_range_given(ptr, size));
  FERRY_RETURN_IF_ERROR(check_managed_product());
  const ManagedRange range{.address = ptr, .size = size};
  const auto query_at = [&](size_t i) {
    return Query{.attribute = attributes[i], .data = data[i], .size = dataSizes[i]};
  };
  for (size_t i = 0; i < numAttributes; ++i) {
    if (data[i] == nullptr) return fail_null_in_runtime({"data", i});
    FERRY_RETURN_IF_ERROR(check_query({"attributes", i}, {"dataSizes", i}, query_at(i)));
  }
  FERRY_RETURN_IF_ERROR(check_managed(range));
  for (size_t i = 0; i < numAttributes; ++i)
    FERRY_RETURN_IF_ERROR(read_managed(range, attributes[i], query_at(i).values()));
  return ACL_SUCCESS;
}

aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size,
                                      aclrtMemManagedLocation location, uint32_t flags,
                                      aclrtStream stream) {
  FERRY_RETURN_IF_ERROR(check_range_given(ptr, size));
  if (flags != 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", flags).allowed("0");
  FERRY_RETURN_IF_ERROR(stream_of_prefetch(stream).status());
  FERRY_RETURN_IF_ERROR(check_managed_product());
  ManagedPlace place;
  FERRY_RETURN_IF_ERROR(read_place("location", Argument::kNone, location, place));
  return submit_prefetch({{.range = {.address = ptr, .size = size}, .place = place}}, stream);
}

aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count,
                                           aclrtMemManagedLocation* prefetchLocs,
                                           size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                           uint64_t flags, aclrtStream stream) {
  const PrefetchBatch batch{.addresses = ptrs,
                            .sizes = sizes,
                            .count = count,
                            .locations = prefetchLocs,
                            .location_indexes = prefetchLocIdxs,
                            .location_count = numPrefetchLocs};
  FERRY_RETURN_IF_ERROR(check_prefetch_arrays(batch, flags));
  FERRY_RETURN_IF_ERROR(stream_of_prefetch(stream).status());
  FERRY_RETURN_IF_ERROR(check_managed_product());
  if (prefetchLocIdxs[0] != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"prefetchLocIdxs", 0}, prefetchLocIdxs[0])
        .allowed("0");
  }
  FERRY_RETURN_IF_ERROR(check_prefetched(batch));
  FERRY_RETURN_IF_ERROR(check_location_indexes(batch));
  std::vector<ManagedPrefetch> moves;
  moves.reserve(count);
  FERRY_RETURN_IF_ERROR(read_places(batch, moves));
  return submit_prefetch(std::move(moves), stream);
}

}  // namespace ferry::api
