// SPDX-License-Identifier: Apache-2.0
// acl.rt: device and host memory, registration, attributes of addresses. Copies are in copy.cpp.
#include "binding.h"
#include "chapters.h"
#include "structures.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace ferry::python {
namespace {

// The attributes of a dict {"attrs": [{"attr": 1, "value": {"moduleId": 33}}], "numAttrs": 1}.
class MallocConfig {
 public:
  explicit MallocConfig(const nb::object& object) {
    const Dictionary fields(object, "cfg");
    if (fields.is_empty()) return;
    const nb::object list = fields.get("attrs");
    const Sequence attributes(list, "cfg[\"attrs\"]");
    for (size_t i = 0; i < attributes.size(); ++i) {
      attributes_.push_back(attribute_of(attributes[i], i));
    }
    size_t count = attributes_.size();
    if (fields.has("numAttrs")) count = fields.number<size_t>("numAttrs");
    if (count == 0) return;
    // A list shorter than numAttrs claims is passed as null, which the library refuses.
    config_ = {count <= attributes_.size() ? attributes_.data() : nullptr, count};
  }

  aclrtMallocConfig* get() { return config_ ? &*config_ : nullptr; }

 private:
  static aclrtMallocAttribute attribute_of(nb::handle object, size_t index) {
    const std::string name = "cfg[\"attrs\"][" + std::to_string(index) + "]";
    const Dictionary fields(object, name);
    aclrtMallocAttribute attribute{};
    attribute.attr = static_cast<aclrtMallocAttrType>(fields.number<int32_t>("attr"));
    const Dictionary value(fields.get("value"), fields.path_of("value"));
    if (value.has("moduleId")) {
      attribute.value.moduleId = value.number<uint16_t>("moduleId");
    } else if (value.has("deviceId")) {
      attribute.value.deviceId = value.number<uint32_t>("deviceId");
    } else if (value.has("vaFlag")) {
      attribute.value.vaFlag = value.number<uint32_t>("vaFlag");
    } else {
      copy_reserved(value, attribute.value);
    }
    return attribute;
  }

  static void copy_reserved(const Dictionary& value, aclrtMallocAttrValue& result) {
    const nb::object list = value.get("rsv");
    if (PyLong_Check(list.ptr()) != 0) {
      result.rsv[0] = number_of<uint8_t>(list, "rsv");
      return;
    }
    const std::vector<uint8_t> bytes = numbers_of<uint8_t>(Sequence(list, "rsv"));
    std::memcpy(result.rsv, bytes.data(), std::min(bytes.size(), sizeof result.rsv));
  }

  std::vector<aclrtMallocAttribute> attributes_;
  std::optional<aclrtMallocConfig> config_;
};

template <auto function>
std::tuple<uintptr_t, aclError> malloc_with_cfg(Number<size_t> size, Number<int32_t> policy,
                                                const nb::object& cfg) {
  MallocConfig config(cfg);
  void* pointer = nullptr;
  const aclError code = unlocked([&] {
    return function(&pointer, size.value, to_c<aclrtMemMallocPolicy>(policy), config.get());
  });
  return {to_python(pointer), code};
}

std::tuple<uintptr_t, aclError> malloc_host_with_cfg(Number<uint64_t> size, const nb::object& cfg) {
  MallocConfig config(cfg);
  void* pointer = nullptr;
  const aclError code =
      unlocked([&] { return aclrtMallocHostWithCfg(&pointer, size.value, config.get()); });
  return {to_python(pointer), code};
}

std::tuple<uintptr_t, aclError> host_get_device_pointer(Address host, Number<uint32_t> flag) {
  void* pointer = nullptr;
  const aclError code = unlocked(
      [&] { return aclrtHostGetDevicePointer(pointer_of<void>(host), &pointer, flag.value); });
  return {to_python(pointer), code};
}

nb::tuple pointer_get_attributes(Address pointer) {
  aclrtPtrAttributes attributes{};
  const aclError code =
      unlocked([&] { return aclrtPointerGetAttributes(pointer_of<void>(pointer), &attributes); });
  nb::list reserved;
  for (const uint32_t value : attributes.rsv)
    reserved.append(value);
  nb::dict fields;
  fields["location"] = dict_of(attributes.location);
  fields["pageSize"] = attributes.pageSize;
  fields["page_size"] = attributes.pageSize;
  fields["rsv"] = reserved;
  return nb::make_tuple(fields, code);
}

std::tuple<uint32_t, aclError> check_mem_type(const nb::object& addresses,
                                              Number<uint32_t> mem_type, Number<uint32_t> reserve) {
  std::vector<void*> pointers = pointers_of(addresses, "addresses");
  if (pointers.empty()) pointers.reserve(1);  // not null: the library refuses the length
  uint32_t result = 0;
  const aclError code = unlocked([&] {
    return aclrtCheckMemType(pointers.data(), static_cast<uint32_t>(pointers.size()),
                             mem_type.value, &result, reserve.value);
  });
  return {result, code};
}

void add_device_memory(nb::module_& rt) {
  constexpr const char* kMalloc = "(size: int, policy: int, /) -> tuple[int, int]";
  bind_outputs_first<aclrtMalloc>(rt, "malloc", kMalloc, "Allocates device memory (aclrtMalloc).");
  bind_outputs_first<aclrtMallocAlign32>(
      rt, "malloc_align32", kMalloc,
      "Allocates device memory, padded to 32 bytes only (aclrtMallocAlign32).");
  bind_outputs_first<aclrtMallocCached>(
      rt, "malloc_cached", kMalloc, "Allocates device memory with a cache (aclrtMallocCached).");
  constexpr const char* kWithCfg =
      "(size: int, policy: int, cfg: dict[str, Any], /) -> tuple[int, int]";
  define(rt, "malloc_with_cfg", kWithCfg,
         "Allocates device memory with attributes, {} for none (aclrtMallocWithCfg).",
         malloc_with_cfg<aclrtMallocWithCfg>);
  define(rt, "malloc_for_task_scheduler", kWithCfg,
         "Allocates memory for the task scheduler (aclrtMallocForTaskScheduler).",
         malloc_with_cfg<aclrtMallocForTaskScheduler>);
  bind<aclrtFree>(rt, "free", "(ptr: int, /) -> int", "Frees device memory (aclrtFree).");
  bind<aclrtMemFlush>(rt, "mem_flush", "(ptr: int, size: int, /) -> int",
                      "Writes a cache back to memory (aclrtMemFlush).");
  bind<aclrtMemInvalidate>(rt, "mem_invalidate", "(ptr: int, size: int, /) -> int",
                           "Discards the contents of a cache (aclrtMemInvalidate).");
}

void add_host_memory(nb::module_& rt) {
  bind_outputs_first<aclrtMallocHost>(rt, "malloc_host", "(size: int, /) -> tuple[int, int]",
                                      "Allocates pinned host memory (aclrtMallocHost).");
  define(rt, "malloc_host_with_cfg", "(size: int, cfg: dict[str, Any], /) -> tuple[int, int]",
         "Allocates pinned host memory with attributes (aclrtMallocHostWithCfg).",
         malloc_host_with_cfg);
  bind<aclrtFreeHost>(rt, "free_host", "(ptr: int, /) -> int",
                      "Frees memory from malloc_host (aclrtFreeHost).");
  bind_outputs_last<aclrtHostRegister>(
      rt, "host_register", "(ptr: int, size: int, type: int, /) -> tuple[int, int]",
      "Pins host memory; returns its address for the device (aclrtHostRegister).");
  bind<aclrtHostRegisterV2>(rt, "host_register_v2", "(ptr: int, size: int, flag: int, /) -> int",
                            "Pins host memory, with flags (aclrtHostRegisterV2).");
  define(rt, "host_get_device_pointer", "(ptr: int, flag: int = 0, /) -> tuple[int, int]",
         "The device's address of registered memory (aclrtHostGetDevicePointer).",
         host_get_device_pointer, nb::arg("ptr"), nb::arg("flag") = 0);
  bind<aclrtHostUnregister>(rt, "host_unregister", "(ptr: int, /) -> int",
                            "Undoes a registration (aclrtHostUnregister).");
}

}  // namespace

void add_memory(nb::module_& rt) {
  add_device_memory(rt);
  add_host_memory(rt);
  bind_outputs_last<aclrtGetMemInfo, Gil::kReleased, 2>(
      rt, "get_mem_info", "(attr: int, /) -> tuple[int, int, int]",
      "Free and total bytes; attr is a kind of memory, not a device (aclrtGetMemInfo).");
  define(rt, "pointer_get_attributes", "(ptr: int, /) -> tuple[dict[str, Any], int]",
         "Location of an address (aclrtPointerGetAttributes).", pointer_get_attributes);
  bind_outputs_last<aclrtMemGetAddressRange, Gil::kReleased, 2>(
      rt, "mem_get_address_range", "(ptr: int, /) -> tuple[int, int, int]",
      "Start and size of the memory that holds an address (aclrtMemGetAddressRange).");
  define(rt, "check_mem_type",
         "(addresses: list[int], mem_type: int, reserve: int = 0, /) -> tuple[int, int]",
         "1 if all addresses are of these types: 2 allocated, 16 reserved (aclrtCheckMemType).",
         check_mem_type, nb::arg("addresses"), nb::arg("mem_type"), nb::arg("reserve") = 0);
}

}  // namespace ferry::python
