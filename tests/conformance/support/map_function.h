// SPDX-License-Identifier: Apache-2.0
// The rules common to aclrtMapMem and aclrtMemMapNoAccess, as checks that the tests of both call.
#pragma once

#include "support/argument_checks.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory {

struct MapFunction {
  const char* name;
  aclError (*map)(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                  uint64_t flags);
};

struct MapArguments {
  void* address;
  size_t size;
  size_t offset;
  aclrtDrvMemHandle handle;
  uint64_t flags;
};

inline ::testing::AssertionResult map_refused(const MapFunction& function, void* address,
                                              size_t size, aclrtDrvMemHandle handle) {
  clear_errors();
  return fails_as("", "", function.name, kRefused, "EE1017",
                  function.map(address, size, 0, handle, 0));
}

// In a reservation of 8 granules whose second one is mapped to a device.
inline void expect_map_checks_in_order(const MapFunction& function) {
  const Reservation reservation(8 * kGranule);
  const Physical mapped;
  const Mapping mapping(reservation.at(kGranule), kGranule, mapped);
  const Physical memory(2 * kGranule);
  const Physical host(2 * kGranule, prop_of(on_host()));
  const aclrtDrvMemHandle dead = dead_handle();
  char* const outside = reservation.at(8 * kGranule);
  expect_checked_in_order<MapArguments>(
      function.name, {reservation.at(4 * kGranule), kGranule, 0, memory, 0},
      [&](const MapArguments& a) {
        return function.map(a.address, a.size, a.offset, a.handle, a.flags);
      },
      {{"virPtr NULL", [](MapArguments& a) { a.address = nullptr; }, kBadArgument, "EH0008"},
       {"handle NULL", [](MapArguments& a) { a.handle = nullptr; }, kBadArgument, "EH0008"},
       {"size 0", [](MapArguments& a) { a.size = 0; }, kBadArgument},
       {"flags", [](MapArguments& a) { a.flags = 1; }, kBadArgument},
       {"offset", [](MapArguments& a) { a.offset = kGranule; }, kBadValue},
       {"handle dead", [=](MapArguments& a) { a.handle = dead; }, kBadValue},
       {"size not a multiple", [](MapArguments& a) { a.size = kGranule + 4096; }, kRefused,
        "EE1017"},
       {"outside", [=](MapArguments& a) { a.address = outside; }, kRefused, "EE1017"},
       {"larger than the handle", [](MapArguments& a) { a.size = 3 * kGranule; }, kRefused,
        "EE1017"},
       {"fixed to a device", [&](MapArguments& a) { a.handle = host; }, kRefused, "EE1017"},
       {"overlap", [&](MapArguments& a) { a.address = reservation.at(kGranule); }, kRefused,
        "EE1017"}});
}

inline void expect_maps_only_whole_granules_of_one_reservation(const MapFunction& function) {
  const Reservation reservation(4 * kGranule);
  const Physical memory(4 * kGranule);
  const DeviceBuffer device(8 * kGranule);
  int variable = 0;
  const auto up = reinterpret_cast<uintptr_t>(device.get()) + kGranule - 1;
  const MapArguments wrong[] = {
      {reservation.at(1), kGranule, 0, memory, 0},
      {reservation.at(4096), kGranule, 0, memory, 0},
      {reservation.at(kMebibyte), kGranule, 0, memory, 0},
      {reservation.at(), 1, 0, memory, 0},
      {reservation.at(), kMebibyte, 0, memory, 0},
      {reservation.at(), kGranule + 1, 0, memory, 0},
      {reservation.at(3 * kGranule), 2 * kGranule, 0, memory, 0},             // leaves it
      {reservation.at(4 * kGranule), kGranule, 0, memory, 0},                 // behind it
      {reinterpret_cast<void*>(up - up % kGranule), kGranule, 0, memory, 0},  // aclrtMalloc
      {&variable, kGranule, 0, memory, 0},
      {reservation.at(), SIZE_MAX - kGranule + 1, 0, memory, 0},
  };
  for (const MapArguments& row : wrong)
    EXPECT_TRUE(map_refused(function, row.address, row.size, row.handle)) << row.size;
}

// Nothing changes when a mapping would overlap another one.
inline void expect_never_overlaps(const MapFunction& function) {
  const Reservation reservation(6 * kGranule);
  const Physical first(2 * kGranule);
  const Physical second(6 * kGranule);
  const Mapping mapping(reservation.at(2 * kGranule), 2 * kGranule, first);
  EXPECT_OK(copy_to_device(reservation.at(2 * kGranule), pattern(2 * kGranule, 4)));
  const std::pair<size_t, size_t> ranges[] = {{2, 2}, {2, 1}, {3, 1}, {1, 2},
                                              {3, 2}, {0, 6}, {1, 4}};
  for (const auto& [start, count] : ranges) {
    EXPECT_TRUE(map_refused(function, reservation.at(start * kGranule), count * kGranule, second));
    EXPECT_TRUE(holds(reservation.at(2 * kGranule), 2 * kGranule, 4));
  }
  for (const size_t start : {0, 4}) {  // beside it
    EXPECT_TRUE(succeeds(
        function.name, function.map(reservation.at(start * kGranule), 2 * kGranule, 0, second, 0)));
    EXPECT_OK(aclrtUnmapMem(reservation.at(start * kGranule)));
  }
}

// The first mapping decides between device and host for the life of the reservation.
inline void expect_keeps_the_side_of_a_reservation(const MapFunction& function) {
  const Physical device;
  const Physical host(kGranule, prop_of(on_host()));
  const std::pair<aclrtDrvMemHandle, aclrtDrvMemHandle> orders[] = {{device, host}, {host, device}};
  for (const auto& [first, other] : orders) {
    const Reservation reservation(2 * kGranule);
    { const Mapping mapping(reservation.at(kGranule), kGranule, first); }
    EXPECT_TRUE(map_refused(function, reservation.at(), kGranule, other));
    EXPECT_TRUE(map_refused(function, reservation.at(kGranule), kGranule, other));
    EXPECT_TRUE(
        succeeds(function.name, function.map(reservation.at(kGranule), kGranule, 0, first, 0)));
    EXPECT_OK(aclrtUnmapMem(reservation.at(kGranule)));
  }
}

// A mapping that was refused decides nothing.
inline void expect_a_refused_mapping_fixes_nothing(const MapFunction& function) {
  const Reservation reservation(2 * kGranule);
  const Physical device;
  const Physical host(kGranule, prop_of(on_host()));
  EXPECT_TRUE(map_refused(function, reservation.at(), 2 * kGranule, device));
  EXPECT_TRUE(succeeds(function.name, function.map(reservation.at(), kGranule, 0, host, 0)));
  EXPECT_OK(aclrtUnmapMem(reservation.at()));
}

}  // namespace conformance::virtual_memory
