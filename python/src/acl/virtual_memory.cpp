// SPDX-License-Identifier: Apache-2.0
// acl.rt: reserved addresses, physical memory, and mappings. Sharing it is in sharing.cpp.
#include "binding.h"
#include "chapters.h"
#include "structures.h"

#include <string>
#include <vector>

namespace ferry::python {
namespace {

std::tuple<uintptr_t, aclError> malloc_physical(Number<size_t> size, const nb::object& prop,
                                                Number<uint64_t> flags) {
  const aclrtPhysicalMemProp properties = physical_prop_of(prop);
  aclrtDrvMemHandle handle = nullptr;
  const aclError code =
      unlocked([&] { return aclrtMallocPhysical(&handle, size.value, &properties, flags.value); });
  return {to_python(handle), code};
}

template <auto function>
aclError map_memory(Address address, Number<size_t> size, Number<size_t> offset, Address handle,
                    Number<uint64_t> flags) {
  return unlocked([&] {
    return function(pointer_of<void>(address), size.value, offset.value, pointer_of<void>(handle),
                    flags.value);
  });
}

aclError mem_set_access(Address address, Number<size_t> size, const nb::object& list) {
  const Sequence entries(list, "descs");
  std::vector<aclrtMemAccessDesc> descs;
  descs.reserve(entries.size() + 1);  // not null, even if the list is empty
  for (size_t i = 0; i < entries.size(); ++i) {
    const Dictionary fields(entries[i], "descs[" + std::to_string(i) + "]");
    aclrtMemAccessDesc desc{};
    desc.flags = static_cast<aclrtMemAccessFlags>(fields.number<int32_t>("flags"));
    desc.location = location_of(fields, "location");
    copy_reserved_bytes(fields, "rsv", desc.rsv, sizeof desc.rsv);
    descs.push_back(desc);
  }
  return unlocked([&] {
    return aclrtMemSetAccess(pointer_of<void>(address), size.value, descs.data(), descs.size());
  });
}

std::tuple<uint64_t, aclError> mem_get_access(Address address, const nb::object& dict) {
  aclrtMemLocation location = location_of(Dictionary(dict, "location"));
  uint64_t flag = 0;
  const aclError code =
      unlocked([&] { return aclrtMemGetAccess(pointer_of<void>(address), &location, &flag); });
  return {flag, code};
}

std::tuple<size_t, aclError> mem_get_allocation_granularity(const nb::object& prop,
                                                            Number<int32_t> option) {
  aclrtPhysicalMemProp properties = physical_prop_of(prop);
  size_t granularity = 0;
  const aclError code = unlocked([&] {
    return aclrtMemGetAllocationGranularity(&properties, to_c<aclrtMemGranularityOptions>(option),
                                            &granularity);
  });
  return {granularity, code};
}

nb::tuple mem_get_allocation_properties_from_handle(Address handle) {
  aclrtPhysicalMemProp prop{};
  const aclError code = unlocked(
      [&] { return aclrtMemGetAllocationPropertiesFromHandle(pointer_of<void>(handle), &prop); });
  return nb::make_tuple(dict_of(prop), code);
}

void add_addresses(nb::module_& rt) {
  constexpr const char* kReserve =
      "(size: int, alignment: int, expect: int, flags: int, /) -> tuple[int, int]";
  bind_outputs_first<aclrtReserveMemAddress>(
      rt, "reserve_mem_address", kReserve,
      "Reserves addresses without memory; alignment is 0, expect 0 for anywhere "
      "(aclrtReserveMemAddress).");
  bind_outputs_first<aclrtReserveMemAddressNoUCMemory>(
      rt, "reserve_mem_address_no_uc_memory", kReserve,
      "Reserves addresses at a multiple of 1 GiB, on A3 products "
      "(aclrtReserveMemAddressNoUCMemory).");
  bind<aclrtReleaseMemAddress>(rt, "release_mem_address", "(address: int, /) -> int",
                               "Releases reserved addresses (aclrtReleaseMemAddress).");
}

void add_physical_memory(nb::module_& rt) {
  define(rt, "malloc_physical",
         "(size: int, prop: dict[str, Any], flags: int = 0, /) -> tuple[int, int]",
         "Takes memory without an address. prop is {\"handleType\": 0, \"allocationType\": 0, "
         "\"memAttr\": 4,\n\"location\": {\"id\": 0, \"type\": 1}, \"reserve\": 0} "
         "(aclrtMallocPhysical).",
         malloc_physical, nb::arg("size"), nb::arg("prop"), nb::arg("flags") = 0);
  bind<aclrtFreePhysical>(rt, "free_physical", "(handle: int, /) -> int",
                          "Gives one reference to physical memory back (aclrtFreePhysical).");
  define(rt, "mem_get_allocation_granularity",
         "(prop: dict[str, Any], option: int, /) -> tuple[int, int]",
         "What sizes of physical memory are multiples of; option: 0 minimum, 1 recommended "
         "(aclrtMemGetAllocationGranularity).",
         mem_get_allocation_granularity);
  bind_outputs_last<aclrtMemRetainAllocationHandle>(
      rt, "mem_retain_allocation_handle", "(address: int, /) -> tuple[int, int]",
      "The handle of the memory mapped at an address, with one reference more "
      "(aclrtMemRetainAllocationHandle).");
  define(rt, "mem_get_allocation_properties_from_handle",
         "(handle: int, /) -> tuple[dict[str, Any], int]",
         "How physical memory was allocated, with the keys of malloc_physical "
         "(aclrtMemGetAllocationPropertiesFromHandle).",
         mem_get_allocation_properties_from_handle);
}

void add_mappings(nb::module_& rt) {
  constexpr const char* kMap =
      "(address: int, size: int, offset: int, handle: int, flags: int = 0, /) -> int";
  define(rt, "map_mem", kMap,
         "Maps physical memory to reserved addresses; offset is 0 (aclrtMapMem).",
         map_memory<aclrtMapMem>, nb::arg("address"), nb::arg("size"), nb::arg("offset"),
         nb::arg("handle"), nb::arg("flags") = 0);
  define(rt, "mem_map_no_access", kMap,
         "map_mem; nothing can access the memory before mem_set_access (aclrtMemMapNoAccess).",
         map_memory<aclrtMemMapNoAccess>, nb::arg("address"), nb::arg("size"), nb::arg("offset"),
         nb::arg("handle"), nb::arg("flags") = 0);
  bind<aclrtUnmapMem>(rt, "unmap_mem", "(address: int, /) -> int",
                      "Undoes the mapping that starts at an address (aclrtUnmapMem).");
  define(rt, "mem_set_access", "(address: int, size: int, descs: list[dict[str, Any]], /) -> int",
         "Lets devices or the host access a mapping. A desc is {\"flags\": 3, \"location\": "
         "{\"id\": 1, \"type\": 1}}\n(aclrtMemSetAccess).",
         mem_set_access);
  define(rt, "mem_get_access", "(address: int, location: dict[str, int], /) -> tuple[int, int]",
         "3 if {\"id\": 1, \"type\": 1} may access the mapping at an address, else 0 "
         "(aclrtMemGetAccess).",
         mem_get_access);
  bind<aclrtMemMapSelectedLink>(
      rt, "mem_map_selected_link", "(dst: int, size: int, src: int, link_idx: int, /) -> int",
      "Maps what is mapped at src to dst as well, on A3 products (aclrtMemMapSelectedLink).");
  bind<aclrtMemMapSetLink>(
      rt, "mem_map_set_link", "(handle: int, link: int, /) -> int",
      "Chooses the link to physical memory, on A3 products (aclrtMemMapSetLink).");
}

}  // namespace

void add_virtual_memory(nb::module_& rt) {
  add_addresses(rt);
  add_physical_memory(rt);
  add_mappings(rt);
}

}  // namespace ferry::python
