// SPDX-License-Identifier: Apache-2.0
// C structures that several chapters read from dicts, and the arrays inside them. A dict has the
// names of the C members as its keys.
#ifndef FERRY_PYTHON_ACL_STRUCTURES_H
#define FERRY_PYTHON_ACL_STRUCTURES_H

#include "collections.h"

#include "acl/acl.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::python {

// {"id": 0, "type": 1}
aclrtMemLocation location_of(const Dictionary& fields);
aclrtMemLocation location_of(const Dictionary& outer, const char* key);
nb::dict dict_of(const aclrtMemLocation& location);

// {"handleType": 0, "allocationType": 0, "memAttr": 4, "location": {...}, "reserve": 0}; "reserve"
// may be missing.
aclrtPhysicalMemProp physical_prop_of(nb::handle object);
nb::dict dict_of(const aclrtPhysicalMemProp& prop);

// Process numbers. The data of an empty list is not null: the library refuses its length.
std::vector<int32_t> pids_of(const Sequence& list);

// [{"sdid": 0, "pid": [1, 2], "num": 2}]; "num" may be missing.
class ServerPids {
 public:
  explicit ServerPids(nb::handle list);

  aclrtServerPid* data() { return entries_.data(); }
  size_t size() const { return entries_.size(); }

 private:
  std::vector<std::vector<int32_t>> pids_;
  std::vector<aclrtServerPid> entries_;
};

// Raises ValueError unless two lists have the same length.
void require_equal(const char* first, size_t first_size, const char* second, size_t second_size);

// Copies at most `size` numbers of the list at a key, if there is one.
void copy_reserved_bytes(const Dictionary& fields, const char* key, uint8_t* target, size_t size);

}  // namespace ferry::python

#endif
