// SPDX-License-Identifier: Apache-2.0
// The releases of CANN that Ferry can emulate (FERRY_CANN) and how they differ. A new release is a
// row in release.cpp; which functions it lacks is in src/dispatch/releases.def.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ferry {

// In this order: a function is there from its first release on.
enum class ReleaseNumber : uint32_t { k85, k90, k91, kNewest };

struct Release {
  ReleaseNumber number;
  const char* name;            // a value of FERRY_CANN; "" for the newest, which has no name yet
  const char* version;         // aclsysGetVersionStr
  int32_t version_number;      // aclsysGetVersionNum
  int32_t runtime_version[3];  // aclrtGetVersion
  bool empty_copies_succeed;   // a count of 0 is success before any other check; else 107000
  bool
      batch_checks_sizes_first;  // the order of the checks of batches; else all pointers come first
  bool batch_takes_numa;         // HOST_NUMA in the attributes of a batch
  bool batch_takes_managed;      // MANAGED in the attributes of a batch
  bool rows_inside_device;       // ACL_MEMCPY_DEVICE_TO_DEVICE in copies of rows; else 100000
  bool waits_for_any_stream;     // streams for the device only can be synchronised; else 507000
  bool checks_buffered_kind;  // kind 5 needs a source on the host and a destination on the device
  bool stream_priority_attribute;  // ACL_STREAM_ATTR_PRIORITY
  int32_t pageable_in_capture;     // the code for copies of pageable memory on a capturing stream
};

// From the oldest to the newest.
std::span<const Release> known_releases();

// nullptr when there is no release of this name.
const Release* find_release(std::string_view name);
const Release& newest_release();

}  // namespace ferry
