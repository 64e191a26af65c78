// SPDX-License-Identifier: Apache-2.0
// Which tables are accepted, what entries of FERRY_DEVICES mean to a backend, and the answer to a
// name that no backend has.
#include "core/backend_registry.h"

#include "base/entries.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace ferry {
namespace {

constexpr uint32_t kLengthOf20 = offsetof(ferryx_backend, flag_clear) + sizeof(void*);

int check_counts(const ferryx_backend* self, const ferryx_runtime* runtime,
                 const ferryx_settings* settings, uint32_t* counts) {
  uint32_t total = 0;
  return count_entries(*self, *runtime, *settings, counts, total);
}

std::vector<std::string> texts_seen;
std::string options_seen;

int open_counts(const ferryx_backend* self, const ferryx_runtime* runtime,
                const ferryx_settings* settings, uint32_t* counts, ferryx_instance** instance) {
  for (uint32_t i = 0; i < settings->entry_count; ++i)
    texts_seen.emplace_back(settings->entries[i] != nullptr ? settings->entries[i] : "none");
  options_seen = settings->options;
  *instance = nullptr;
  return check_counts(self, runtime, settings, counts);
}

// Registered for the rest of the process, as backends are: each test has a name of its own.
ferryx_backend* add_table(const char* name, uint32_t struct_size) {
  auto* table = new ferryx_backend{};
  table->struct_size = struct_size;
  table->abi_major = FERRYX_ABI_MAJOR;
  table->name = name;
  table->check_settings = check_counts;
  table->open = open_counts;
  add_builtin_backend(table);
  return table;
}

std::string sentence_of(const Problem& problem) {
  return problem == nullptr ? std::string() : problem->sentence();
}

Config config_of(std::vector<DeviceSpec> devices) {
  Config config;
  config.devices = std::move(devices);
  return config;
}

std::string open_one(const char* name, std::vector<DeviceSource>& devices) {
  return sentence_of(
      open_backends(config_of({{.backend = name, .text = "1"}}), ferryx_runtime{}, devices));
}

TEST(BackendRegistry, UsesAFullTableAsItIs) {
  const ferryx_backend* table = add_table("full", sizeof(ferryx_backend));
  std::vector<DeviceSource> devices;
  ASSERT_EQ(open_one("full", devices), "");
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].backend, table);
}

TEST(BackendRegistry, RefusesATableWithoutTheFirstSlots) {
  add_table("stump", kLengthOf20 - 1);
  std::vector<DeviceSource> devices;
  EXPECT_NE(open_one("stump", devices).find("backend stump has interface version 2.0"),
            std::string::npos);
}

TEST(BackendRegistry, RefusesAnotherMajorVersion) {
  add_table("stranger", sizeof(ferryx_backend))->abi_major = FERRYX_ABI_MAJOR + 1;
  std::vector<DeviceSource> devices;
  EXPECT_NE(open_one("stranger", devices).find("backend stranger has interface version 3.0"),
            std::string::npos);
}

TEST(BackendRegistry, HandsEntriesAndOptionsOverUnparsed) {
  add_table("abacus", sizeof(ferryx_backend));
  Config config =
      config_of({{.backend = "abacus", .text = "2"}, {.backend = "abacus", .text = {}}});
  config.options["abacus"] = "beads=ten of them\n";
  texts_seen.clear();
  std::vector<DeviceSource> devices;
  ASSERT_EQ(open_backends(config, ferryx_runtime{}, devices), nullptr);
  EXPECT_EQ(texts_seen, (std::vector<std::string>{"2", "none"}));
  EXPECT_EQ(options_seen, "beads=ten of them\n");
  ASSERT_EQ(devices.size(), 3u);
  EXPECT_EQ(devices[2].index, 2u);
}

TEST(BackendRegistry, AsksABackendWhatAnEntryMeansBeforeItIsOpened) {
  add_table("counted", sizeof(ferryx_backend));
  const auto check = [](const char* text) {
    return sentence_of(check_devices(config_of({{.backend = "counted", .text = text}})));
  };
  EXPECT_EQ(check("64"), "");
  for (const char* wrong : {"", "0", "65", "x", "1x", "-1", "99999999999999999999"}) {
    EXPECT_EQ(check(wrong),
              std::string("FERRY_DEVICES names counted:") + wrong + ", a count is 1 to 64");
  }
}

TEST(BackendRegistry, ComparesVisibleDevicesWithThoseThereAre) {
  add_table("pair", sizeof(ferryx_backend));
  Config config = config_of({{.backend = "pair", .text = "2"}});
  config.visible_devices = {{1}};
  EXPECT_EQ(check_devices(config), nullptr);
  config.visible_devices = {{2}};
  EXPECT_EQ(sentence_of(check_devices(config)),
            "ASCEND_RT_VISIBLE_DEVICES names device 2, allowed is 0 to 1");
}

TEST(BackendRegistry, AnswersAnUnknownNameWithThoseFoundAndTheFoldersSearched) {
  add_table("known", sizeof(ferryx_backend));
  Config config = config_of({{.backend = "unknown", .text = {}}});
  config.plugin_folders = {"/nowhere/at/all"};
  const std::string wrong = sentence_of(check_devices(config));
  EXPECT_NE(wrong.find("FERRY_DEVICES names unknown"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find(" known"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("/nowhere/at/all"), std::string::npos) << wrong;
}

TEST(BackendRegistry, TakesOnlyFilesForPlugins) {
  char folder[] = "/tmp/ferry_plugins_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string fifo = std::string(folder) + "/libferry_fifo.so";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  Config config = config_of({{.backend = "fifo", .text = {}}});
  config.plugin_folders = {folder};
  EXPECT_NE(sentence_of(check_devices(config)).find("names fifo, which is no backend"),
            std::string::npos);
  unlink(fifo.c_str());
  rmdir(folder);
}

}  // namespace
}  // namespace ferry
