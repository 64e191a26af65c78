// SPDX-License-Identifier: Apache-2.0
// acl.rt: streams and their attributes.
#include "binding.h"
#include "chapters.h"
#include "collections.h"

namespace ferry::python {
namespace {

// The member of aclrtStreamAttrValue that holds an attribute; null for an unknown attribute.
const char* key_of(int32_t attribute) {
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      return "failureMode";
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      return "overflowSwitch";
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      return "userCustomTag";
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      return "cacheOpInfoSwitch";
    case ACL_STREAM_ATTR_PRIORITY:
      return "streamPriority";
    default:
      return nullptr;
  }
}

// The only member that is wider than the others.
bool is_failure_mode(int32_t attribute) {
  return attribute == ACL_STREAM_ATTR_FAILURE_MODE;
}

aclError set_stream_attribute(Address stream, Number<int32_t> attribute, const nb::object& value) {
  const Dictionary fields(value, "value");
  const char* key = key_of(attribute.value);
  aclrtStreamAttrValue union_value{};
  if (is_failure_mode(attribute.value)) {
    union_value.failureMode = fields.number<uint64_t>(key);
  } else if (key != nullptr) {
    union_value.userCustomTag = fields.number<uint32_t>(key);
  }
  return unlocked([&] {
    return aclrtSetStreamAttribute(pointer_of<void>(stream), to_c<aclrtStreamAttr>(attribute),
                                   &union_value);
  });
}

nb::tuple get_stream_attribute(Address stream, Number<int32_t> attribute) {
  aclrtStreamAttrValue union_value{};
  const aclError code = unlocked([&] {
    return aclrtGetStreamAttribute(pointer_of<void>(stream), to_c<aclrtStreamAttr>(attribute),
                                   &union_value);
  });
  nb::dict fields;
  if (is_failure_mode(attribute.value)) {
    fields["failureMode"] = union_value.failureMode;
  } else if (const char* key = key_of(attribute.value); key != nullptr) {
    fields[key] = union_value.userCustomTag;
  }
  return nb::make_tuple(fields, code);
}

void add_streams(nb::module_& rt) {
  bind_outputs_first<aclrtCreateStream>(rt, "create_stream", "tuple[int, int]",
                                        "Creates a stream (aclrtCreateStream).");
  bind_outputs_first<aclrtCreateStreamWithConfig>(
      rt, "create_stream_with_config", "(priority: int, flag: int, /) -> tuple[int, int]",
      "Creates a stream with priority and flags (aclrtCreateStreamWithConfig).");
  bind<aclrtDestroyStream>(rt, "destroy_stream", "(stream: int, /) -> int",
                           "Destroys a stream after its work is done (aclrtDestroyStream).");
  bind<aclrtDestroyStreamForce>(rt, "destroy_stream_force", "(stream: int, /) -> int",
                                "Destroys a stream with its work (aclrtDestroyStreamForce).");
  bind<aclrtSynchronizeStream>(rt, "synchronize_stream", "(stream: int, /) -> int",
                               "Waits for the work of a stream (aclrtSynchronizeStream).");
  bind<aclrtSynchronizeStreamWithTimeout>(
      rt, "synchronize_stream_with_timeout", "(stream: int, timeout_ms: int, /) -> int",
      "Waits for the work of a stream; -1: no limit (aclrtSynchronizeStreamWithTimeout).");
  bind_outputs_last<aclrtStreamQuery>(rt, "stream_query", "(stream: int, /) -> tuple[int, int]",
                                      "0 complete, 1 not ready (aclrtStreamQuery).");
  bind<aclrtStreamAbort>(rt, "stream_abort", "(stream: int, /) -> int",
                         "Drops the work of a stream (aclrtStreamAbort).");
}

void add_attributes(nb::module_& rt) {
  bind_outputs_last<aclrtStreamGetId>(rt, "stream_get_id", "(stream: int, /) -> tuple[int, int]",
                                      "Number of a stream (aclrtStreamGetId).");
  bind_outputs_last<aclrtGetStreamAvailableNum>(
      rt, "get_stream_available_num", "tuple[int, int]",
      "How many more streams can be created (aclrtGetStreamAvailableNum).");
  define(rt, "set_stream_attribute", "(stream: int, attr: int, value: dict[str, int], /) -> int",
         "Sets an attribute, such as {\"failureMode\": 1} (aclrtSetStreamAttribute).",
         set_stream_attribute);
  define(rt, "get_stream_attribute", "(stream: int, attr: int, /) -> tuple[dict[str, int], int]",
         "Reads an attribute, with the keys of set_stream_attribute (aclrtGetStreamAttribute).",
         get_stream_attribute);
  bind<aclrtSetStreamFailureMode>(
      rt, "set_stream_failure_mode", "(stream: int, mode: int, /) -> int",
      "After a failure: 0 continues, 1 stops (aclrtSetStreamFailureMode).");
  bind<aclrtSetStreamOverflowSwitch>(rt, "set_stream_overflow_switch",
                                     "(stream: int, flag: int, /) -> int",
                                     "Checks floats for overflow (aclrtSetStreamOverflowSwitch).");
  bind_outputs_last<aclrtGetStreamOverflowSwitch>(
      rt, "get_stream_overflow_switch", "(stream: int, /) -> tuple[int, int]",
      "See set_stream_overflow_switch (aclrtGetStreamOverflowSwitch).");
}

}  // namespace

void add_stream(nb::module_& rt) {
  add_streams(rt);
  add_attributes(rt);
}

}  // namespace ferry::python
