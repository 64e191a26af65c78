// SPDX-License-Identifier: Apache-2.0
// libms_tools_ext.so: marks and ranges, in domains or without, and memory regions. These functions
// return no codes; misuse is ignored.
#include "companions/annotations.h"
#include "companions/array.h"
#include "companions/declarations.h"
#include "companions/object.h"

#include <pthread.h>

#include <atomic>

using namespace ferry::companions;  // NOLINT(google-build-using-namespace): C functions have none

namespace {

struct Domain : Object {
  static constexpr Kind kKind = Kind::kDomain;
  static constexpr const char* kName = "domain";
  void clear() { name.clear(); }

  Text name;
};

struct Heap : Object {
  static constexpr Kind kKind = Kind::kHeap;
  static constexpr const char* kName = "heap";
  void clear() {}
};

pthread_mutex_t domains_mutex = PTHREAD_MUTEX_INITIALIZER;  // protects what follows
Array<Domain*> domains;

// Handles of regions are numbers: nothing is kept of a region.
std::atomic<uintptr_t> last_region{0};

const Domain* domain_at(mstxDomainHandle_t handle) {
  const void* const address = handle;
  return address != nullptr && is_live(address, Kind::kDomain) ? static_cast<const Domain*>(address)
                                                               : nullptr;
}

// With the lock held.
Domain* find_domain(const char* name) {
  for (size_t i = 0; i < domains.size(); ++i) {
    if (domains[i] != nullptr && std::strcmp(domains[i]->name.c_str(), name) == 0)
      return domains[i];
  }
  return nullptr;
}

// With the lock held.
Domain* add_domain(const char* function, const char* name) {
  auto* const domain = create<Domain>(function);
  if (domain == nullptr) return nullptr;
  if (domain->name.assign(name) && domains.push(domain)) return domain;
  destroy<Domain>(function, "domain", domain);
  fail_memory(function);
  return nullptr;
}

}  // namespace

void mstxMarkA(const char* message, aclrtStream stream) {
  if (message != nullptr) mark("", message, stream);
}

mstxRangeId mstxRangeStartA(const char* message, aclrtStream stream) {
  return message == nullptr ? MSTX_INVALID_ID : start_range("", message, stream);
}

void mstxRangeEnd(mstxRangeId id) {
  if (id != MSTX_INVALID_ID) end_range("", id);
}

mstxDomainHandle_t mstxDomainCreateA(const char* name) {
  if (name == nullptr) return nullptr;
  pthread_mutex_lock(&domains_mutex);
  Domain* domain = find_domain(name);
  if (domain == nullptr) domain = add_domain(__func__, name);
  pthread_mutex_unlock(&domains_mutex);
  return static_cast<mstxDomainHandle_t>(static_cast<void*>(domain));
}

void mstxDomainDestroy(mstxDomainHandle_t handle) {
  if (domain_at(handle) == nullptr) return;
  pthread_mutex_lock(&domains_mutex);
  for (size_t i = 0; i < domains.size(); ++i) {
    if (static_cast<void*>(domains[i]) == static_cast<void*>(handle)) domains[i] = nullptr;
  }
  destroy<Domain>(__func__, "handle", handle);
  pthread_mutex_unlock(&domains_mutex);
}

void mstxDomainMarkA(mstxDomainHandle_t handle, const char* message, aclrtStream stream) {
  const Domain* const domain = domain_at(handle);
  if (domain != nullptr && message != nullptr) mark(domain->name.c_str(), message, stream);
}

mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t handle, const char* message,
                                  aclrtStream stream) {
  const Domain* const domain = domain_at(handle);
  if (domain == nullptr || message == nullptr) return MSTX_INVALID_ID;
  return start_range(domain->name.c_str(), message, stream);
}

void mstxDomainRangeEnd(mstxDomainHandle_t handle, mstxRangeId id) {
  const Domain* const domain = domain_at(handle);
  if (domain != nullptr && id != MSTX_INVALID_ID) end_range(domain->name.c_str(), id);
}

mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t /*domain*/,
                                        const mstxMemHeapDesc_t* desc) {
  if (desc == nullptr) return nullptr;
  return static_cast<mstxMemHeapHandle_t>(static_cast<void*>(create<Heap>(__func__)));
}

void mstxMemHeapUnregister(mstxDomainHandle_t /*domain*/, mstxMemHeapHandle_t heap) {
  if (heap != nullptr && is_live(heap, Kind::kHeap)) destroy<Heap>(__func__, "heap", heap);
}

void mstxMemRegionsRegister(mstxDomainHandle_t /*domain*/,
                            const mstxMemRegionsRegisterBatch_t* desc) {
  if (desc == nullptr || desc->regionHandleArrayOut == nullptr) return;
  for (size_t i = 0; i < desc->regionCount; ++i) {
    const uintptr_t number = last_region.fetch_add(1, std::memory_order_relaxed) + 1;
    desc->regionHandleArrayOut[i] = reinterpret_cast<mstxMemRegionHandle_t>(number);
  }
}

void mstxMemRegionsUnregister(mstxDomainHandle_t /*domain*/,
                              const mstxMemRegionsUnregisterBatch_t* /*desc*/) {}
