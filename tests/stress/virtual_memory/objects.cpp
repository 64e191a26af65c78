// SPDX-License-Identifier: Apache-2.0
// The calls of a random sequence on reservations, handles and mappings.
#include "sequence.h"

namespace stress::virtual_memory {
namespace {

std::string text_of(const aclrtMemLocation& location) {
  return "{" + std::to_string(location.id) + ", aclrtMemLocationType(" +
         std::to_string(location.type) + ")}";
}

std::string text_of(const aclrtPhysicalMemProp& prop) {
  return "{aclrtMemHandleType(" + std::to_string(prop.handleType) + "), " +
         "aclrtMemAllocationType(0), aclrtMemAttr(" + std::to_string(prop.memAttr) + "), " +
         text_of(prop.location) + ", " + std::to_string(prop.reserve) + "}";
}

}  // namespace

void Sequence::reserve() {
  const size_t size = any_size();
  const bool has_output = !one_in(25);
  const size_t alignment = one_in(25) ? kGranule : 0;
  const uint64_t flags = one_in(25) ? 2 : pick(2);
  void* address = nullptr;
  const aclError expected = model_.reserve(has_output, size, alignment, flags);
  const aclError code =
      aclrtReserveMemAddress(has_output ? &address : nullptr, size, alignment, nullptr, flags);
  const std::string name = "v" + std::to_string(addresses_.size());
  if (code == kOk) addresses_.push_back(reinterpret_cast<uintptr_t>(address));
  const std::string output = !has_output     ? "nullptr"
                             : expected == 0 ? "reinterpret_cast<void**>(&" + name + ")"
                                             : "&none";
  expect(expected, code,
         "aclrtReserveMemAddress(" + output + ", " + std::to_string(size) + ", " +
             std::to_string(alignment) + ", nullptr, " + std::to_string(flags) + ")");
  if (code != kOk) return;
  if (addresses_.back() % kGranule != 0) fail("the address is not aligned");
  model_.reserved(addresses_.back(), size);
}

void Sequence::release_at(const Address& address) {
  const aclError expected = model_.release(address.value);
  expect(expected, aclrtReleaseMemAddress(pointer(address.value)),
         "aclrtReleaseMemAddress(" + address.text + ")");
}

void Sequence::release() {
  release_at(any_address());
}

void Sequence::allocate() {
  const size_t size = one_in(12) ? surroundings_.capacity : any_size();
  const aclrtPhysicalMemProp prop = any_prop();
  const bool has_output = !one_in(25);
  const bool has_prop = !one_in(25);
  const uint64_t flags = one_in(25) ? 1 : 0;
  aclrtDrvMemHandle handle = nullptr;
  const aclError expected = model_.allocate(has_output, size, has_prop ? &prop : nullptr, flags);
  const aclError code =
      aclrtMallocPhysical(has_output ? &handle : nullptr, size, has_prop ? &prop : nullptr, flags);
  const std::string name = "h" + std::to_string(handles_.size());
  if (code == kOk) handles_.push_back(handle);
  statements_.push_back("prop = " + text_of(prop) + ";");
  const std::string output = !has_output ? "nullptr" : expected == 0 ? "&" + name : "&none";
  expect(expected, code,
         "aclrtMallocPhysical(" + output + ", " + std::to_string(size) + ", " +
             (has_prop ? "&prop" : "nullptr") + ", " + std::to_string(flags) + ")");
  if (code != kOk) return;
  if (model_.memory(handle) != nullptr) fail("the handle is in use");
  model_.allocated(handle, size, prop);
}

void Sequence::free_handle(const Handle& handle) {
  const aclError expected = model_.free(handle.value);
  expect(expected, aclrtFreePhysical(handle.value), "aclrtFreePhysical(" + handle.text + ")");
  wait_for_memory();
}

void Sequence::free() {
  free_handle(any_handle());
}

void Sequence::map() {
  const Address address = any_address();
  const Handle handle = any_handle();
  const Memory* const memory = model_.memory(handle.value);
  MapCall call = {address.value, any_size(), 0, handle.value, 0};
  if (memory != nullptr && one_in(2)) call.size = memory->size;
  if (one_in(30)) call.offset = kGranule;
  if (one_in(30)) call.flags = 1;
  const bool has_access = !one_in(8);
  const aclError expected = model_.map(call, has_access);
  const auto function = has_access ? aclrtMapMem : aclrtMemMapNoAccess;
  expect(expected, function(pointer(call.address), call.size, call.offset, call.handle, call.flags),
         std::string(has_access ? "aclrtMapMem(" : "aclrtMemMapNoAccess(") + address.text + ", " +
             std::to_string(call.size) + ", " + std::to_string(call.offset) + ", " + handle.text +
             ", " + std::to_string(call.flags) + ")");
}

void Sequence::unmap_at(const Address& address) {
  const aclError expected = model_.unmap(address.value);
  expect(expected, aclrtUnmapMem(pointer(address.value)), "aclrtUnmapMem(" + address.text + ")");
  wait_for_memory();
}

void Sequence::unmap() {
  unmap_at(any_address());
}

void Sequence::retain() {
  const Address address = any_address();
  const bool has_output = !one_in(25);
  const aclError expected = model_.retain(address.value, has_output);
  aclrtDrvMemHandle handle = nullptr;
  expect(
      expected,
      aclrtMemRetainAllocationHandle(pointer(address.value), has_output ? &handle : nullptr),
      "aclrtMemRetainAllocationHandle(" + address.text + (has_output ? ", &none)" : ", nullptr)"));
  if (expected == kOk && handle != model_.mapping_at(address.value)->mapped->handle)
    fail("another handle than that of aclrtMallocPhysical");
}

void Sequence::set_access() {
  const Address address = any_address();
  const std::optional<Found> found = model_.mapping_at(address.value);
  const size_t size = found && !one_in(8) ? found->mapped->size : any_size();
  aclrtMemAccessDesc desc = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, any_location(), {}};
  if (one_in(10)) desc.flags = static_cast<aclrtMemAccessFlags>(pick(3));
  // What a closed mapping means for a place that is not its own is left open: the own place opens.
  if (found && found->mapped->access.empty()) {
    const Place own = model_.memory(found->mapped->handle)->place;
    desc.location = {own.second, static_cast<aclrtMemLocationType>(own.first)};
  }
  const size_t count = one_in(25) ? 0 : 1;
  const aclError expected = model_.set_access(address.value, size, &desc, count);
  statements_.push_back("access = {aclrtMemAccessFlags(" + std::to_string(desc.flags) + "), " +
                        text_of(desc.location) + ", {}};");
  expect(expected, aclrtMemSetAccess(pointer(address.value), size, &desc, count),
         "aclrtMemSetAccess(" + address.text + ", " + std::to_string(size) + ", &access, " +
             std::to_string(count) + ")");
}

void Sequence::get_access() {
  const Address address = any_address();
  aclrtMemLocation location = any_location();
  const Place place = {location.type, location.id};
  const aclError expected = model_.get_access(address.value, place);
  uint64_t flag = 77;
  statements_.push_back("location = " + text_of(location) + ";");
  expect(expected, aclrtMemGetAccess(pointer(address.value), &location, &flag),
         "aclrtMemGetAccess(" + address.text + ", &location, &flag)");
  if (expected != kOk) return;
  const bool is_granted = model_.mapping_at(address.value)->mapped->access.contains(place);
  if (flag != (is_granted ? 3 : 0)) fail("the flag is " + std::to_string(flag));
}

void Sequence::properties() {
  const Handle handle = any_handle();
  aclrtPhysicalMemProp prop = {};
  expect(model_.properties(handle.value),
         aclrtMemGetAllocationPropertiesFromHandle(handle.value, &prop),
         "aclrtMemGetAllocationPropertiesFromHandle(" + handle.text + ", &prop)");
  const Memory* const memory = model_.memory(handle.value);
  if (memory == nullptr || memory->references == 0) return;
  if (text_of(prop) != text_of(memory->prop)) fail("the properties are " + text_of(prop));
}

void Sequence::address_range() {
  const Address address = any_address();
  const std::optional<Found> found = model_.mapping_at(address.value);
  void* base = nullptr;
  size_t size = 0;
  expect(address.value == 0 ? 100000
         : found            ? 0
                            : 107000,
         aclrtMemGetAddressRange(pointer(address.value), &base, &size),
         "aclrtMemGetAddressRange(" + address.text + ", &base, &size)");
  if (!found) return;
  if (base != pointer(found->start) || size != found->mapped->size) fail("another range");
}

void Sequence::attributes() {
  const Address address = any_address();
  const std::optional<Found> found = model_.mapping_at(address.value);
  aclrtPtrAttributes attributes = {};
  expect(address.value == 0 ? kBadArgument : kOk,
         aclrtPointerGetAttributes(pointer(address.value), &attributes),
         "aclrtPointerGetAttributes(" + address.text + ", &attributes)");
  if (address.value == 0) return;
  const Place place = {attributes.location.type, attributes.location.id};
  const Place expected = found ? model_.memory(found->mapped->handle)->place
                               : Place{ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0};
  if (place != expected) fail("the location has type " + std::to_string(place.first));
}

void Sequence::memory_info() {
  const auto device = static_cast<uint32_t>(pick(kDevices));
  size_t free = 0;
  size_t total = 0;
  expect(kOk, aclrtSetCurrentContext(surroundings_.contexts[device]),
         "aclrtSetCurrentContext(contexts[" + std::to_string(device) + "])");
  expect(kOk, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total),
         "aclrtGetMemInfo(ACL_HBM_MEM, &free, &total)");
  expect(kOk, aclrtSetCurrentContext(surroundings_.contexts[0]),
         "aclrtSetCurrentContext(contexts[0])");
  if (free != model_.free_bytes(device))
    fail("device " + std::to_string(device) + " has " + std::to_string(free) +
         " free bytes, the model says " + std::to_string(model_.free_bytes(device)));
}

void Sequence::give_everything_back() {
  while (!model_.reservations().empty()) {
    const auto& [start, reserved] = *model_.reservations().begin();
    if (reserved.mappings.empty()) {
      release_at({start, place_text(start)});
    } else {
      const uintptr_t mapped = reserved.mappings.begin()->first;
      unmap_at({mapped, place_text(mapped)});
    }
  }
  for (size_t i = 0; i < handles_.size(); ++i) {
    while (model_.properties(handles_[i]) == kOk)
      free_handle({handles_[i], "h" + std::to_string(i)});
  }
  for (size_t i = 0; i < 2 * kDevices; ++i)
    memory_info();
}

}  // namespace stress::virtual_memory
