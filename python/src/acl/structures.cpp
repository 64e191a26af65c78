// SPDX-License-Identifier: Apache-2.0
// Reading and making the dicts of structures.h.
#include "structures.h"

#include "binding.h"

#include <algorithm>
#include <string>

namespace ferry::python {

aclrtMemLocation location_of(const Dictionary& fields) {
  aclrtMemLocation location{};
  location.id = fields.number<uint32_t>("id");
  location.type = static_cast<aclrtMemLocationType>(fields.number<int32_t>("type"));
  return location;
}

aclrtMemLocation location_of(const Dictionary& outer, const char* key) {
  return location_of(Dictionary(outer.get(key), outer.path_of(key)));
}

nb::dict dict_of(const aclrtMemLocation& location) {
  nb::dict fields;
  fields["id"] = location.id;
  fields["type"] = to_python(location.type);
  return fields;
}

aclrtPhysicalMemProp physical_prop_of(nb::handle object) {
  const Dictionary fields(object, "prop");
  aclrtPhysicalMemProp prop{};
  prop.handleType = static_cast<aclrtMemHandleType>(fields.number<int32_t>("handleType"));
  prop.allocationType =
      static_cast<aclrtMemAllocationType>(fields.number<int32_t>("allocationType"));
  prop.memAttr = static_cast<aclrtMemAttr>(fields.number<int32_t>("memAttr"));
  prop.location = location_of(fields, "location");
  if (fields.has("reserve")) prop.reserve = fields.number<uint64_t>("reserve");
  return prop;
}

nb::dict dict_of(const aclrtPhysicalMemProp& prop) {
  nb::dict fields;
  fields["handleType"] = to_python(prop.handleType);
  fields["allocationType"] = to_python(prop.allocationType);
  fields["memAttr"] = to_python(prop.memAttr);
  fields["location"] = dict_of(prop.location);
  fields["reserve"] = prop.reserve;
  return fields;
}

std::vector<int32_t> pids_of(const Sequence& list) {
  std::vector<int32_t> pids = numbers_of<int32_t>(list);
  if (pids.empty()) pids.reserve(1);
  return pids;
}

ServerPids::ServerPids(nb::handle list) {
  const Sequence servers(list, "server_pids");
  entries_.reserve(servers.size() + 1);  // not null, even if the list is empty
  for (size_t i = 0; i < servers.size(); ++i) {
    const Dictionary fields(servers[i], "server_pids[" + std::to_string(i) + "]");
    aclrtServerPid entry{};
    entry.sdid = fields.number<uint32_t>("sdid");
    const nb::object numbers = fields.get("pid");
    pids_.push_back(pids_of(Sequence(numbers, "pid")));
    entry.num = pids_.back().size();
    if (fields.has("num")) entry.num = fields.number<size_t>("num");
    // A list shorter than "num" claims is passed as null, which the library refuses.
    if (entry.num <= pids_.back().size()) entry.pid = pids_.back().data();
    entries_.push_back(entry);
  }
}

void require_equal(const char* first, size_t first_size, const char* second, size_t second_size) {
  if (first_size == second_size) return;
  PyErr_Format(PyExc_ValueError, "%s has %zu items, and %s has %zu", first, first_size, second,
               second_size);
  throw nb::python_error();
}

void copy_reserved_bytes(const Dictionary& fields, const char* key, uint8_t* target, size_t size) {
  if (!fields.has(key)) return;
  const nb::object list = fields.get(key);
  const std::vector<uint8_t> bytes = numbers_of<uint8_t>(Sequence(list, key));
  std::copy_n(bytes.begin(), std::min(bytes.size(), size), target);
}

}  // namespace ferry::python
