// SPDX-License-Identifier: Apache-2.0
// Custom allocators: descriptions, and which stream has which.
#include "api/adapters.h"
#include "base/status.h"
#include "core/custom_allocators.h"

#include <memory>

namespace ferry::api {
namespace {

Result<Ref<AllocatorDesc>> find_desc(aclrtAllocatorDesc handle) {
  if (handle == nullptr) return fail_null("allocatorDesc");
  Ref<AllocatorDesc> desc = HandleTable<AllocatorDesc>::instance().find(handle);
  if (desc) return desc;
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "allocatorDesc", handle)
      .because(", which is not a live description of an allocator");
}

// `argument` names the value.
template <class T>
Status set(aclrtAllocatorDesc handle, T AllocatorFunctions::*member, T value,
           const char* argument) {
  FERRY_TRY(Ref<AllocatorDesc>, desc, find_desc(handle));
  if (value == nullptr) return fail_null(argument);
  (*desc)->set(member, value);
  return {};
}

Status fail_unset(const char* what, const char* function) {
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "allocatorDesc")
      .because(" has no %s: call %s first", what, function);
}

Status check_complete(const AllocatorFunctions& functions) {
  if (functions.object == nullptr) return fail_unset("object", "aclrtAllocatorSetObjToDesc");
  if (functions.allocate == nullptr) {
    return fail_unset("function that allocates", "aclrtAllocatorSetAllocFuncToDesc");
  }
  if (functions.free == nullptr) {
    return fail_unset("function that frees", "aclrtAllocatorSetFreeFuncToDesc");
  }
  if (functions.address_of == nullptr) {
    return fail_unset("function that gets the address of a block",
                      "aclrtAllocatorSetGetAddrFromBlockFuncToDesc");
  }
  return {};
}

template <class T>
void put(T* out, T value) {
  if (out != nullptr) *out = value;
}

}  // namespace

aclrtAllocatorDesc aclrtAllocatorCreateDesc() {
  return HandleTable<AllocatorDesc>::instance().insert(std::make_unique<AllocatorDesc>())->handle();
}

aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc) {
  FERRY_RETURN_IF_ERROR(find_desc(allocatorDesc).status());
  if (HandleTable<AllocatorDesc>::instance().remove(allocatorDesc)) return ACL_SUCCESS;
  return find_desc(allocatorDesc).status();  // another thread has destroyed it meanwhile
}

aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator) {
  return set(allocatorDesc, &AllocatorFunctions::object, allocator, "allocator");
}

aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                          aclrtAllocatorAllocFunc func) {
  return set(allocatorDesc, &AllocatorFunctions::allocate, func, "func");
}

aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                         aclrtAllocatorFreeFunc func) {
  return set(allocatorDesc, &AllocatorFunctions::free, func, "func");
}

aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                aclrtAllocatorAllocAdviseFunc func) {
  return set(allocatorDesc, &AllocatorFunctions::allocate_at, func, "func");
}

aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func) {
  return set(allocatorDesc, &AllocatorFunctions::address_of, func, "func");
}

aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc) {
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<AllocatorDesc>, desc, find_desc(allocatorDesc));
  const RegisteredAllocator registered{.desc = allocatorDesc, .functions = (*desc)->get()};
  FERRY_RETURN_IF_ERROR(check_complete(registered.functions));
  register_allocator(stream, registered);
  return ACL_SUCCESS;
}

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc,
                                   aclrtAllocator* allocator, aclrtAllocatorAllocFunc* allocFunc,
                                   aclrtAllocatorFreeFunc* freeFunc,
                                   aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc) {
  if (allocatorDesc == nullptr) return fail_null("allocatorDesc");
  if (stream == nullptr) return fail_null("stream");
  const std::optional<RegisteredAllocator> found = find_allocator(stream);
  if (!found.has_value()) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "stream", stream)
        .because(", for which no allocator is registered");
  }
  *allocatorDesc = found->desc;
  put(allocator, found->functions.object);
  put(allocFunc, found->functions.allocate);
  put(freeFunc, found->functions.free);
  put(allocAdviseFunc, found->functions.allocate_at);
  put(getAddrFromBlockFunc, found->functions.address_of);
  return ACL_SUCCESS;
}

aclError aclrtAllocatorUnregister(aclrtStream stream) {
  if (stream == nullptr) return fail_null("stream");
  unregister_allocator(stream);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
