// SPDX-License-Identifier: Apache-2.0
// Tables of other versions: earlier minor versions are accepted, and missing slots read as absent.
#include "core/backend_registry.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace ferry {
namespace {

constexpr uint32_t kLengthOf10 = offsetof(ferryx_backend, device_name);

int open_nothing(const ferryx_host* /*host*/, const ferryx_settings* settings,
                 uint32_t* device_count) {
  *device_count = settings->number;
  return 0;
}

const char* name_behind_the_end(ferryx_device* /*device*/) {
  return "not part of the table";
}

// Backends stay registered for the rest of the process: each test uses another name.
ferryx_backend* add_table(const char* name, uint32_t struct_size) {
  auto* table = new ferryx_backend{};
  table->struct_size = struct_size;
  table->abi_major = FERRYX_ABI_MAJOR;
  table->name = name;
  table->open = open_nothing;
  table->device_name = name_behind_the_end;
  add_builtin_backend(table);
  return table;
}

std::string open_one(const char* name, std::vector<DeviceSource>& devices) {
  Config config;
  config.devices = {{.backend = name, .number = 1}};
  return open_backends(config, ferryx_host{}, devices);
}

TEST(BackendRegistry, TakesAShorterTableAndReadsWhatItLacksAsAbsent) {
  const ferryx_backend* table = add_table("shorter", kLengthOf10);
  std::vector<DeviceSource> devices;
  ASSERT_EQ(open_one("shorter", devices), "");
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].backend->open, table->open);
  EXPECT_EQ(devices[0].backend->device_name, nullptr);
  EXPECT_EQ(devices[0].backend->queue_copy_columns, nullptr);
}

TEST(BackendRegistry, UsesAFullTableAsItIs) {
  const ferryx_backend* table = add_table("full", sizeof(ferryx_backend));
  std::vector<DeviceSource> devices;
  ASSERT_EQ(open_one("full", devices), "");
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].backend, table);
}

TEST(BackendRegistry, RefusesATableWithoutTheFirstSlots) {
  add_table("stump", kLengthOf10 - 1);
  std::vector<DeviceSource> devices;
  EXPECT_NE(open_one("stump", devices).find("backend stump has interface version 1.0"),
            std::string::npos);
}

TEST(BackendRegistry, RefusesAnotherMajorVersion) {
  add_table("stranger", sizeof(ferryx_backend))->abi_major = FERRYX_ABI_MAJOR + 1;
  std::vector<DeviceSource> devices;
  EXPECT_NE(open_one("stranger", devices).find("backend stranger has interface version 2.0"),
            std::string::npos);
}

}  // namespace
}  // namespace ferry
