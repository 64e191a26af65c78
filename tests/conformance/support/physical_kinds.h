// SPDX-License-Identifier: Apache-2.0
// The kinds of physical memory: which attributes each location takes, with which granularity, and
// how they are told back. The tests of several functions go through this table.
#pragma once

#include "support/virtual_memory.h"

namespace conformance::virtual_memory {

struct PhysicalKind {
  int location;        // aclrtMemLocationType
  int attr;            // aclrtMemAttr
  size_t granularity;  // 0 where the attribute is not accepted
  aclError a2;         // of aclrtMallocPhysical, on A2 products
  aclError a3;         // the same on A3 products
  int normalised;      // the attribute of aclrtMemGetAllocationPropertiesFromHandle
};

constexpr int kOnHost = ACL_MEM_LOCATION_TYPE_HOST;
constexpr int kOnDevice = ACL_MEM_LOCATION_TYPE_DEVICE;
constexpr int kOnNode = ACL_MEM_LOCATION_TYPE_HOST_NUMA;

// clang-format off
inline constexpr PhysicalKind kPhysicalKinds[] = {
    {kOnDevice, 4, kGranule, 0, 0, 4},    {kOnDevice, 5, kGranule, 0, 0, 5},
    {kOnDevice, 12, kGranule, 0, 0, 5},   {kOnDevice, 13, kGranule, 0, 0, 4},
    {kOnDevice, 15, kGranule, 0, 0, 15},  {kOnDevice, 16, kGranule, 0, 0, 16},
    {kOnDevice, 10, kGibibyte, 0, 0, 10}, {kOnDevice, 14, kGibibyte, 0, 0, 10},
    {kOnDevice, 17, kGibibyte, kNotSupported, 0, 17},

    {kOnHost, 2, kGranule, 0, 0, 13},  {kOnHost, 3, kGranule, 0, 0, 12},  {kOnHost, 4, kGranule, 0, 0, 4},
    {kOnHost, 5, kGranule, 0, 0, 5},   {kOnHost, 6, kGranule, 0, 0, 16},  {kOnHost, 7, kGranule, 0, 0, 7},
    {kOnHost, 12, kGranule, 0, 0, 12}, {kOnHost, 13, kGranule, 0, 0, 13}, {kOnHost, 15, kGranule, 0, 0, 7},
    {kOnHost, 16, kGranule, 0, 0, 16},
    {kOnHost, 10, kGibibyte, kNotSupported, kNotSupported, 0},
    {kOnHost, 14, kGibibyte, kNotSupported, kNotSupported, 0},
    {kOnHost, 17, kGibibyte, kNotSupported, kNotSupported, 0},

    {kOnNode, 2, kGranule, 0, 0, 13},  {kOnNode, 3, kGranule, 0, 0, 12},  {kOnNode, 4, kGranule, 0, 0, 4},
    {kOnNode, 5, kGranule, 0, 0, 5},   {kOnNode, 6, kGranule, 0, 0, 16},  {kOnNode, 7, kGranule, 0, 0, 7},
    {kOnNode, 12, kGranule, 0, 0, 12}, {kOnNode, 13, kGranule, 0, 0, 13}, {kOnNode, 15, kGranule, 0, 0, 7},
    {kOnNode, 16, kGranule, 0, 0, 16},
    {kOnNode, 10, kGibibyte, kNotSupported, kNotSupported, 0},
    {kOnNode, 14, kGibibyte, kNotSupported, kNotSupported, 0},
    {kOnNode, 17, kGibibyte, kNotSupported, kNotSupported, 0},
};
// clang-format on

inline PhysicalKind refused_kind(int where, int attr) {
  return {where, attr, 0, kBadArgument, kBadArgument, 0};
}

// All of them, with those that nobody accepts.
inline std::vector<PhysicalKind> physical_kinds() {
  std::vector<PhysicalKind> kinds(std::begin(kPhysicalKinds), std::end(kPhysicalKinds));
  for (const int attr : {2, 3, 6, 7})
    kinds.push_back(refused_kind(kOnDevice, attr));
  for (const int where : {kOnHost, kOnDevice, kOnNode}) {
    for (const int attr : {0, 1, 8, 9, 11, 18, 0x7FFFFFFF, -1})
      kinds.push_back(refused_kind(where, attr));
  }
  return kinds;
}

inline aclrtPhysicalMemProp prop_of(const PhysicalKind& kind) {
  return prop_of(location(kind.location), kind.attr);
}

inline std::string text_of(const PhysicalKind& kind) {
  return "location " + std::to_string(kind.location) + ", memAttr " + std::to_string(kind.attr);
}

}  // namespace conformance::virtual_memory
