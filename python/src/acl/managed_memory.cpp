// SPDX-License-Identifier: Apache-2.0
// acl.rt: managed memory, and hints about caches and access. pyACL has only cmo_async; the others
// follow its style.
#include "binding.h"
#include "chapters.h"
#include "structures.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ferry::python {
namespace {

aclrtMemManagedLocation managed_location_of(const Dictionary& fields) {
  aclrtMemManagedLocation location{};
  location.type = static_cast<aclrtMemManagedLocationType>(fields.number<int32_t>("type"));
  location.id = fields.number<int32_t>("id");
  return location;
}

// The value of one attribute: a list for ACCESSED_BY, an int for the others.
class RangeAttribute {
 public:
  RangeAttribute(int32_t attribute, size_t data_size)
      : is_list_(attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY),
        data_size_(data_size),
        numbers_(data_size / sizeof(int32_t) + 1) {}

  void* data() { return numbers_.data(); }
  size_t data_size() const { return data_size_; }
  nb::object result(aclError code) const {
    if (!is_list_) return nb::int_(code == ACL_SUCCESS ? numbers_.front() : 0);
    nb::list list;
    const size_t count = code == ACL_SUCCESS ? data_size_ / sizeof(int32_t) : 0;
    for (size_t i = 0; i < count; ++i)
      list.append(numbers_[i]);
    return list;
  }

 private:
  bool is_list_;
  size_t data_size_;
  std::vector<int32_t> numbers_;
};

nb::tuple mem_managed_get_attr(Number<int32_t> attribute, Address pointer, Number<size_t> size,
                               Number<size_t> data_size) {
  RangeAttribute value(attribute.value, data_size.value);
  const aclError code = unlocked([&] {
    return aclrtMemManagedGetAttr(to_c<aclrtMemManagedRangeAttribute>(attribute),
                                  pointer_of<void>(pointer), size.value, value.data(),
                                  value.data_size());
  });
  return nb::make_tuple(value.result(code), code);
}

nb::tuple mem_managed_get_attrs(const nb::object& attribute_list, Address pointer,
                                Number<size_t> size, const nb::object& size_list) {
  const auto numbers = numbers_of<int32_t>(Sequence(attribute_list, "attributes"));
  auto sizes = numbers_of<size_t>(Sequence(size_list, "data_sizes"));
  require_equal("attributes", numbers.size(), "data_sizes", sizes.size());
  std::vector<aclrtMemManagedRangeAttribute> attributes;
  std::vector<RangeAttribute> values;
  std::vector<void*> data;
  values.reserve(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    attributes.push_back(static_cast<aclrtMemManagedRangeAttribute>(numbers[i]));
    values.emplace_back(numbers[i], sizes[i]);
    data.push_back(values.back().data());
  }
  const aclError code = unlocked([&] {
    return aclrtMemManagedGetAttrs(attributes.data(), attributes.size(), pointer_of<void>(pointer),
                                   size.value, data.data(), sizes.data());
  });
  nb::list results;
  for (const RangeAttribute& value : values)
    results.append(value.result(code));
  return nb::make_tuple(results, code);
}

aclError mem_managed_advise(Address pointer, Number<uint64_t> size, Number<int32_t> advise,
                            const nb::object& dict) {
  const aclrtMemManagedLocation location = managed_location_of(Dictionary(dict, "location"));
  return unlocked([&] {
    return aclrtMemManagedAdvise(pointer_of<void>(pointer), size.value,
                                 to_c<aclrtMemManagedAdviseType>(advise), location);
  });
}

aclError mem_managed_prefetch_async(Address pointer, Number<size_t> size, const nb::object& dict,
                                    Number<uint32_t> flags, Address stream) {
  const aclrtMemManagedLocation location = managed_location_of(Dictionary(dict, "location"));
  return unlocked([&] {
    return aclrtMemManagedPrefetchAsync(pointer_of<void>(pointer), size.value, location,
                                        flags.value, pointer_of<void>(stream));
  });
}

// Has the parameters of the Python function.
// NOLINTNEXTLINE(readability-function-size)
aclError mem_managed_prefetch_batch_async(const nb::object& pointer_list,
                                          const nb::object& size_list,
                                          const nb::object& location_list,
                                          const nb::object& index_list, Number<uint64_t> flags,
                                          Address stream) {
  const std::vector<void*> pointers = pointers_of(pointer_list, "ptrs");
  auto sizes = numbers_of<size_t>(Sequence(size_list, "sizes"));
  const Sequence places(location_list, "locations");
  std::vector<aclrtMemManagedLocation> locations;
  for (size_t i = 0; i < places.size(); ++i) {
    const std::string name = "locations[" + std::to_string(i) + "]";
    locations.push_back(managed_location_of(Dictionary(places[i], name)));
  }
  auto indexes = numbers_of<size_t>(Sequence(index_list, "location_indexes"));
  require_equal("ptrs", pointers.size(), "sizes", sizes.size());
  require_equal("locations", locations.size(), "location_indexes", indexes.size());
  std::vector<const void*> ranges(pointers.begin(), pointers.end());
  return unlocked([&] {
    return aclrtMemManagedPrefetchBatchAsync(ranges.data(), sizes.data(), ranges.size(),
                                             locations.data(), indexes.data(), locations.size(),
                                             flags.value, pointer_of<void>(stream));
  });
}

void add_managed(nb::module_& rt) {
  bind_outputs_first<aclrtMemAllocManaged>(
      rt, "mem_alloc_managed", "(size: int, flag: int, /) -> tuple[int, int]",
      "Allocates memory of the host and all devices; flag is 1 (aclrtMemAllocManaged).");
  define(rt, "mem_managed_advise",
         "(ptr: int, size: int, advise: int, location: dict[str, int], /) -> int",
         "Gives advice about managed memory; location is {\"type\": 1, \"id\": 0} "
         "(aclrtMemManagedAdvise).",
         mem_managed_advise);
  define(rt, "mem_managed_get_attr",
         "(attribute: int, ptr: int, size: int, data_size: int = 4, /) -> "
         "tuple[int | list[int], int]",
         "An attribute of managed memory: for 3 a list of data_size / 4 numbers, else an int\n"
         "(aclrtMemManagedGetAttr).",
         mem_managed_get_attr, nb::arg("attribute"), nb::arg("ptr"), nb::arg("size"),
         nb::arg("data_size") = 4);
  define(rt, "mem_managed_get_attrs",
         "(attributes: list[int], ptr: int, size: int, data_sizes: list[int], /) -> "
         "tuple[list[int | list[int]], int]",
         "Several attributes, each as from mem_managed_get_attr (aclrtMemManagedGetAttrs).",
         mem_managed_get_attrs);
  define(rt, "mem_managed_prefetch_async",
         "(ptr: int, size: int, location: dict[str, int], flags: int, stream: int, /) -> int",
         "Moves managed memory in the order of a stream (aclrtMemManagedPrefetchAsync).",
         mem_managed_prefetch_async);
  define(rt, "mem_managed_prefetch_batch_async",
         "(ptrs: list[int], sizes: list[int], locations: list[dict[str, int]], "
         "location_indexes: list[int], flags: int, stream: int, /) -> int",
         "Moves many ranges; location_indexes has the first range of each location\n"
         "(aclrtMemManagedPrefetchBatchAsync).",
         mem_managed_prefetch_batch_async);
}

aclError cmo_async_with_desc(Address desc, Number<int32_t> type, Address stream, Address reserve) {
  return unlocked([&] {
    return aclrtCmoAsyncWithDesc(pointer_of<void>(desc), to_c<aclrtCmoType>(type),
                                 pointer_of<void>(stream), pointer_of<void>(reserve));
  });
}

aclError device_l2_cache_flush(Address reserve) {
  return unlocked([&] { return aclrtDeviceL2CacheFlush(pointer_of<void>(reserve)); });
}

void add_hints(nb::module_& rt) {
  bind<aclrtCmoAsync>(rt, "cmo_async",
                      "(src: int, size: int, cmo_type: int, stream: int, /) -> int",
                      "A cache operation in the order of a stream; 0 prefetches (aclrtCmoAsync).");
  bind_outputs_last<aclrtCmoGetDescSize>(rt, "cmo_get_desc_size", "tuple[int, int]",
                                         "Size of a descriptor in bytes (aclrtCmoGetDescSize).");
  bind<aclrtCmoSetDesc>(rt, "cmo_set_desc", "(desc: int, src: int, size: int, /) -> int",
                        "Fills in a descriptor in device memory (aclrtCmoSetDesc).");
  define(rt, "cmo_async_with_desc",
         "(desc: int, cmo_type: int, stream: int, reserve: int = 0, /) -> int",
         "A cache operation as the descriptor says (aclrtCmoAsyncWithDesc).", cmo_async_with_desc,
         nb::arg("desc"), nb::arg("cmo_type"), nb::arg("stream"), nb::arg("reserve") = 0);
  define(rt, "device_l2_cache_flush", "(reserve: int = 0, /) -> int",
         "Flushes the cache of the thread's device (aclrtDeviceL2CacheFlush).",
         device_l2_cache_flush, nb::arg("reserve") = 0);
  bind<aclrtMemP2PMap>(rt, "mem_p2p_map",
                       "(ptr: int, size: int, dst_device_id: int, flags: int, /) -> int",
                       "Prepares access from another device (aclrtMemP2PMap).");
}

}  // namespace

void add_managed_memory(nb::module_& rt) {
  add_managed(rt);
  add_hints(rt);
}

}  // namespace ferry::python
