// SPDX-License-Identifier: Apache-2.0
// ferry info: devices, the emulated product, versions. What a program loads is in info_program.cpp,
// which way batches take in info_ways.cpp.
#include "commands.h"
#include "environment.h"
#include "help.h"
#include "info_functions.h"
#include "info_program.h"
#include "info_ways.h"
#include "library.h"
#include "text.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tools {
namespace {

constexpr const char* kInfoName = "ferry info";
constexpr const char* kInfoFooter =
    "Examples:\n"
    "  ferry info                       devices, product, versions\n"
    "  ferry info --products            all values of FERRY_SOC and --soc\n"
    "  ferry info --functions           which functions of AscendCL work, by chapter\n"
    "  ferry info --json                devices, product, all functions as JSON\n"
    "  ferry info --fabric              what running programs do with memory of other hosts\n"
    "  ferry info ./my_program          which libascendcl.so would it load?\n"
    "  FERRY_DEVICES=cpu:4 ferry info   what a program would see then\n"
    "  FERRY_DEVICES=cuda ferry info    and which way batches take on a GPU";

struct InfoOptions {
  bool wants_products = false;
  bool wants_functions = false;
  bool wants_json = false;
  bool wants_fabric = false;
  std::string program;
};

// What a product supports, in terms of the API.
struct Feature {
  const char* head;
  const char* description;
  int ferryProduct::*has;
};
constexpr Feature kFeatures[] = {
    {"batch", "batch copies: aclrtMemcpyBatch and its variants", &ferryProduct::batchCopy},
    {"descriptor", "descriptor and offset copies: aclrtMemcpyAsyncWithDesc, ...Offset",
     &ferryProduct::descriptorCopy},
    {"memset D32", "filling with 32-bit values: aclrtMemsetD32 and its variants",
     &ferryProduct::memsetD32},
    {"2D inside", "copies of rows inside a device: aclrtMemcpy2dAsync",
     &ferryProduct::copy2dInsideDevice},
    {"peer access", "aclrtDeviceEnablePeerAccess is needed before copies between devices",
     &ferryProduct::peerAccessNeeded},
};

Cell yes_or_no(int value) {
  return value != 0 ? Cell("yes", Paint::kGood) : Cell("no", Paint::kDim);
}

std::optional<ferryProduct> find_product(std::string_view name) {
  ferryProduct product{};
  for (size_t i = 0; ferryGetProduct(i, &product) == ACL_SUCCESS; ++i) {
    if (product.name == name) return product;
  }
  return {};
}

void show_products() {
  std::vector<std::string> heads{"product", "family"};
  for (const Feature& feature : kFeatures)
    heads.emplace_back(feature.head);
  Table table(heads);
  ferryProduct product{};
  for (size_t i = 0; ferryGetProduct(i, &product) == ACL_SUCCESS; ++i) {
    std::vector<Cell> row{product.name, product.family};
    for (const Feature& feature : kFeatures)
      row.push_back(yes_or_no(product.*feature.has));
    table.add(std::move(row));
  }
  fmt::print("{}\n", table.text());
  for (const Feature& feature : kFeatures)
    fmt::print("{:<12} {}\n", feature.head, feature.description);
  fmt::print(
      "\nA call that a product lacks returns 207000 (ferry explain 207000).\n"
      "Choose with FERRY_SOC or ferry run --soc.\n");
}

std::string library_text() {
  int32_t major = 0;
  int32_t minor = 0;
  int32_t patch = 0;
  char package[] = "cann";
  char version[ACL_PKG_VERSION_MAX_SIZE] = "?";
  static_cast<void>(aclrtGetVersion(&major, &minor, &patch));
  static_cast<void>(aclsysGetVersionStr(package, version));
  return fmt::format("Ferry {}, AscendCL interface {}.{}.{}, as of CANN {}", ferryVersion(), major,
                     minor, patch, version);
}

std::string schedule_text() {
  uint64_t seed = 0;
  const std::string_view name = ferryGetSchedule(&seed);
  return name == "shuffle" ? fmt::format("shuffle:{}", seed) : std::string(name);
}

std::string latest_reason() {
  const char* text = aclGetRecentErrMsg();
  return text != nullptr ? text : "the library gives no reason";
}

struct DeviceRow {
  std::vector<Cell> cells;
  std::string name;  // "" when the device has no name beyond its kind
};

// {} after a complaint when the device does not respond.
std::optional<DeviceRow> describe_device(int32_t device) {
  ferryDevice described{};
  size_t free_bytes = 0;
  size_t total = 0;
  if (ferryGetDevice(device, &described) != ACL_SUCCESS || aclrtSetDevice(device) != ACL_SUCCESS ||
      aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total) != ACL_SUCCESS) {
    complain(kInfoName, fmt::format("device {}: {}", device, latest_reason()));
    return {};
  }
  static_cast<void>(aclrtResetDevice(device));
  return DeviceRow{{fmt::format("{}", device), described.kind, size_text(described.memory),
                    size_text(free_bytes)},
                   described.name};
}

void print_devices(const std::vector<DeviceRow>& rows) {
  const bool have_names =
      std::any_of(rows.begin(), rows.end(), [](const DeviceRow& row) { return !row.name.empty(); });
  std::vector<std::string> heads{"device", "kind", "memory", "free"};
  if (have_names) heads.emplace_back("name");
  Table table(heads);
  for (const DeviceRow& row : rows) {
    std::vector<Cell> cells = row.cells;
    if (have_names) cells.emplace_back(row.name);
    table.add(std::move(cells));
  }
  fmt::print("{}", table.text());
}

int show_devices(bool has_batches) {
  uint32_t count = 0;
  if (aclrtGetDeviceCount(&count) != ACL_SUCCESS) {
    complain(kInfoName, latest_reason());
    return kExitFailure;
  }
  if (count == 0) {
    fmt::print("no device is visible: ASCEND_RT_VISIBLE_DEVICES is empty\n");
    return kExitSuccess;
  }
  std::vector<DeviceRow> rows;
  for (uint32_t device = 0; device < count; ++device) {
    if (auto row = describe_device(static_cast<int32_t>(device))) rows.push_back(std::move(*row));
  }
  print_devices(rows);
  bool is_well = rows.size() == count;
  for (uint32_t device = 0; has_batches && is_well && device < count; ++device) {
    is_well = show_ways(static_cast<int32_t>(device));
    if (!is_well) complain(kInfoName, fmt::format("device {}: {}", device, latest_reason()));
  }
  return is_well ? kExitSuccess : kExitFailure;
}

int show_all() {
  if (const std::vector<Problem> problems = environment_problems(); !problems.empty()) {
    complain(kInfoName, problems.front().text);
    return kExitFailure;
  }
  static_cast<void>(ferryClearFailures());  // FERRY_FAIL is for programs, not for this query
  const char* soc = aclrtGetSocName();
  const std::optional<ferryProduct> product = find_product(soc != nullptr ? soc : "");
  fmt::print("{}\n\n", painted(Paint::kBold, library_text()));
  fmt::print("library   {}\n", library_path().string());
  fmt::print("product   {} (family {})\n", product ? product->name : "?",
             product ? product->family : "?");
  fmt::print("schedule  {}\n\n", schedule_text());
  const int result = show_devices(product && product->batchCopy != 0);
  if (!product) return result;

  fmt::print("\n{}\n", painted(Paint::kBold, product->name));
  for (const Feature& feature : kFeatures) {
    const Cell answer = yes_or_no((*product).*feature.has);
    fmt::print("  {}{}{}\n", painted(answer.paint, answer.text),
               std::string(5 - answer.text.size(), ' '), feature.description);
  }
  return result;
}

// Programs tell it themselves while they run.
int show_fabric() {
  std::string text;
  for (size_t length = ferryFabricReport(1, nullptr, 0); length > text.size();) {
    text.resize(length);
    // It may have changed meanwhile.
    length = ferryFabricReport(1, text.data(), text.size() + 1);
    if (length < text.size()) text.resize(length);
  }
  fmt::print("{}", text.empty() ? "no process of this user has a fabric (FERRY_FABRIC)\n" : text);
  return kExitSuccess;
}

int show(const CLI::App& command, const InfoOptions& options) {
  const bool has_program = command.count("PROGRAM") > 0;
  const int wanted = options.wants_products + options.wants_functions + options.wants_json +
                     options.wants_fabric + has_program;
  if (wanted > 1) {
    complain(kInfoName,
             "--products, --functions, --json, --fabric and a program do not go together");
    return kExitUsage;
  }
  if (options.wants_json) return show_json();
  if (options.wants_fabric) return show_fabric();
  if (has_program) return show_program(options.program);
  if (!options.wants_products && !options.wants_functions) return show_all();
  options.wants_products ? show_products() : show_functions();
  return kExitSuccess;
}

}  // namespace

Command add_info(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand(
      "info", "Show devices and product, or which libascendcl.so a program would load");
  command->formatter(
      help_with_usage("ferry info [--products | --functions | --json | --fabric | PROGRAM]"));
  command->add_flag("--products", options->wants_products, "All products, and what each supports");
  command->add_flag("--functions", options->wants_functions, "Which functions work, by chapter");
  command->add_flag("--json", options->wants_json, "Devices, product and all functions as JSON");
  command->add_flag("--fabric", options->wants_fabric,
                    "Peers, transports and bytes of running programs with FERRY_FABRIC");
  command->add_option("PROGRAM", options->program, "A program or shared library to inspect");
  command->footer(kInfoFooter);
  return {command, [command, options] { return show(*command, *options); }};
}

}  // namespace ferry::tools
