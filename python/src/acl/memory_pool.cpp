// SPDX-License-Identifier: Apache-2.0
// acl.rt: memory pools, and allocators of the program. The functions of an allocator are addresses
// of C functions, such as ctypes.cast(function, ctypes.c_void_p).value.
#include "binding.h"
#include "chapters.h"
#include "structures.h"

#include "acl/acl_rt_allocator.h"
#include "acl/acl_rt_memory_soma.h"

namespace ferry::python {
namespace {

std::tuple<uintptr_t, aclError> mem_pool_create(const nb::object& props) {
  const Dictionary fields(props, "props");
  aclrtMemPoolProps properties{};
  properties.allocType = static_cast<aclrtMemAllocationType>(fields.number<int32_t>("allocType"));
  properties.handleType = static_cast<aclrtMemHandleType>(fields.number<int32_t>("handleType"));
  properties.location = location_of(fields, "location");
  properties.maxSize = fields.number<size_t>("maxSize");
  copy_reserved_bytes(fields, "reserved", properties.reserved, sizeof properties.reserved);
  aclrtMemPool pool = nullptr;
  const aclError code = unlocked([&] { return aclrtMemPoolCreate(&pool, &properties); });
  return {to_python(pool), code};
}

// The first three attributes are switches of 32 bits, the others have 64.
bool is_switch(Number<int32_t> attribute) {
  return attribute.value >= ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
         attribute.value <= ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

aclError mem_pool_set_attr(Address pool, Number<int32_t> attr, Number<uint64_t> value) {
  uint64_t number = value.value;
  uint32_t is_on = value.value == 0 ? 0 : 1;
  return unlocked([&] {
    return aclrtMemPoolSetAttr(pointer_of<void>(pool), to_c<aclrtMemPoolAttr>(attr),
                               is_switch(attr) ? static_cast<void*>(&is_on) : &number);
  });
}

std::tuple<uint64_t, aclError> mem_pool_get_attr(Address pool, Number<int32_t> attr) {
  uint64_t number = 0;
  uint32_t is_on = 0;
  const aclError code = unlocked([&] {
    return aclrtMemPoolGetAttr(pointer_of<void>(pool), to_c<aclrtMemPoolAttr>(attr),
                               is_switch(attr) ? static_cast<void*>(&is_on) : &number);
  });
  return {is_switch(attr) ? is_on : number, code};
}

void add_pools(nb::module_& rt) {
  define(rt, "mem_pool_create", "(props: dict[str, Any], /) -> tuple[int, int]",
         "Creates a memory pool. props is {\"allocType\": 0, \"handleType\": 0, \"location\": "
         "{\"id\": 0, \"type\": 1},\n\"maxSize\": 0} (aclrtMemPoolCreate).",
         mem_pool_create);
  bind<aclrtMemPoolDestroy>(rt, "mem_pool_destroy", "(pool: int, /) -> int",
                            "Destroys a memory pool (aclrtMemPoolDestroy).");
  define(rt, "mem_pool_set_attr", "(pool: int, attr: int, value: int, /) -> int",
         "Changes a setting of a pool (aclrtMemPoolSetAttr).", mem_pool_set_attr);
  define(rt, "mem_pool_get_attr", "(pool: int, attr: int, /) -> tuple[int, int]",
         "A setting or figure of a pool (aclrtMemPoolGetAttr).", mem_pool_get_attr);
  bind_outputs_first<aclrtMemPoolMallocAsync>(
      rt, "mem_pool_malloc_async", "(size: int, pool: int, stream: int, /) -> tuple[int, int]",
      "Allocates from a pool, for later work of a stream (aclrtMemPoolMallocAsync).");
  bind<aclrtMemPoolFreeAsync>(rt, "mem_pool_free_async", "(ptr: int, stream: int, /) -> int",
                              "Frees memory in the order of a stream (aclrtMemPoolFreeAsync).");
  bind<aclrtMemPoolTrimTo>(rt, "mem_pool_trim_to", "(pool: int, min_bytes_to_keep: int, /) -> int",
                           "Returns idle memory of a pool to the device (aclrtMemPoolTrimTo).");
}

void add_allocators(nb::module_& rt) {
  bind<aclrtAllocatorCreateDesc>(rt, "allocator_create_desc", "int",
                                 "Creates an empty description of an allocator; 0 on failure "
                                 "(aclrtAllocatorCreateDesc).");
  bind<aclrtAllocatorDestroyDesc>(rt, "allocator_destroy_desc", "(desc: int, /) -> int",
                                  "Destroys a description (aclrtAllocatorDestroyDesc).");
  bind<aclrtAllocatorSetObjToDesc>(
      rt, "allocator_set_obj_to_desc", "(desc: int, allocator: int, /) -> int",
      "Sets the address passed to an allocator's functions (aclrtAllocatorSetObjToDesc).");
  constexpr const char* kFunction = "(desc: int, func: int, /) -> int";
  bind<aclrtAllocatorSetAllocFuncToDesc>(
      rt, "allocator_set_alloc_func_to_desc", kFunction,
      "Sets the address of the C function that allocates (aclrtAllocatorSetAllocFuncToDesc).");
  bind<aclrtAllocatorSetFreeFuncToDesc>(
      rt, "allocator_set_free_func_to_desc", kFunction,
      "Sets the address of the C function that frees (aclrtAllocatorSetFreeFuncToDesc).");
  bind<aclrtAllocatorSetAllocAdviseFuncToDesc>(rt, "allocator_set_alloc_advise_func_to_desc",
                                               kFunction,
                                               "Sets the C function that allocates at an address "
                                               "(aclrtAllocatorSetAllocAdviseFuncToDesc).");
  bind<aclrtAllocatorSetGetAddrFromBlockFuncToDesc>(
      rt, "allocator_set_get_addr_from_block_func_to_desc", kFunction,
      "Sets the C function that returns a block's address "
      "(aclrtAllocatorSetGetAddrFromBlockFuncToDesc).");
  bind<aclrtAllocatorRegister>(rt, "allocator_register", "(stream: int, desc: int, /) -> int",
                               "Assigns an allocator to a stream (aclrtAllocatorRegister).");
  bind_outputs_last<aclrtAllocatorGetByStream, Gil::kReleased, 6>(
      rt, "allocator_get_by_stream", "(stream: int, /) -> tuple[int, int, int, int, int, int, int]",
      "A stream's allocator: description, object, and the functions alloc, free, alloc advise, "
      "address of a block\n(aclrtAllocatorGetByStream).");
  bind<aclrtAllocatorUnregister>(rt, "allocator_unregister", "(stream: int, /) -> int",
                                 "Removes a stream's allocator (aclrtAllocatorUnregister).");
}

}  // namespace

void add_memory_pool(nb::module_& rt) {
  add_pools(rt);
  add_allocators(rt);
}

}  // namespace ferry::python
