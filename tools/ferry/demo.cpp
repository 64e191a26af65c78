// SPDX-License-Identifier: Apache-2.0
// ferry demo: the example kv_offload, an ordinary AscendCL program, compiled into this one with
// another command line.
#include "commands.h"
#include "environment.h"
#include "help.h"
#include "kv_offload/kv_offload.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace ferry::tools {
namespace {

constexpr const char* kDemoName = "ferry demo";
constexpr const char* kDemoFooter =
    "What it does: as in a serving system, a KV cache is on the device, one tensor\n"
    "per layer, and a pool of blocks in pinned host memory. Each round moves\n"
    "scattered blocks out and back to other places, once with a loop of single\n"
    "copies and once with batches, and compares every byte. The source is the\n"
    "example kv_offload.\n"
    "\n"
    "Examples:\n"
    "  ferry demo                                  four sizes of blocks\n"
    "  ferry demo --block-size 72K --blocks 512    one size, more blocks\n"
    "  ferry demo --schedule shuffle:1             unusual orders: nothing may break\n"
    "  ferry demo --soc Ascend310P3                a product without batches\n"
    "\n"
    "Exit code: 0 when every byte was right, 1 when one was wrong or a call failed,\n"
    "2 wrong usage.";

constexpr const char* kNext =
    "\nWhat to try next:\n"
    "  ferry demo --schedule shuffle:1      the same in an unusual order: still right\n"
    "  ferry run -- ./my_program            a program built for CANN, unchanged\n"
    "  ferry run --check -- ./my_program    report races, leaks and other misuse\n"
    "  ferry explain aclrtMemcpyBatchAsync  what a function does, its codes in order\n"
    "  ferry bench                          measured against raw copies, two minutes\n";

struct DemoOptions {
  Settings settings;
  kv_offload::Options offload;
};

void add_number(CLI::App& command, const char* name, size_t& value, const char* help) {
  constexpr size_t kMost = 1000000;
  command.add_option(name, value, help)
      ->type_name("N")
      ->check(CLI::Range(size_t{1}, kMost).description(""));
}

// Turns "8K" into "8192". Returns "", or what is wrong with the text.
std::string read_size(std::string& text) {
  constexpr uint64_t kMost = uint64_t{1} << 32;
  uint64_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, bytes);
  const std::string_view suffix(unit, static_cast<size_t>(end - unit));
  const unsigned shift = suffix == "K" ? 10 : suffix == "M" ? 20 : 0;
  if (error != std::errc() || (!suffix.empty() && shift == 0) || bytes == 0 ||
      bytes > kMost >> shift || (bytes << shift) % 8 != 0) {
    return fmt::format("\"{}\" is not a multiple of 8 such as 512, 8K or 1M", text);
  }
  text = fmt::format("{}", bytes << shift);
  return {};
}

}  // namespace

Command add_demo(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  kv_offload::Options& offload = options->offload;
  CLI::App* command =
      app.add_subcommand("demo", "Move a KV cache out and back, and show how fast it went");
  command->formatter(help_with_usage("ferry demo [options]"));
  add_number(*command, "--blocks", offload.blocks, "Blocks per round (128, fewer for large ones)");
  command
      ->add_option("--block-size", offload.block_bytes,
                   "Bytes per block in one layer, multiples of 8 (512,8K,32K,128K)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(CLI::Validator(read_size, ""))
      ->type_name("LIST");
  add_number(*command, "--layers", offload.layers, "Layers, each with its own tensor (32)");
  add_number(*command, "--rounds", offload.rounds, "Measured rounds (5)");
  command->add_option("--device", offload.device, "Number of the device (0)")->type_name("N");
  options->settings.add_to(*command);
  command->footer(kDemoFooter);
  return {command, [options] {
            const int refused = options->settings.apply_and_check(kDemoName);
            if (refused != kExitSuccess) return refused;
            const int result = kv_offload::run(options->offload);
            if (result == kExitSuccess) fmt::print("{}", kNext);
            return result;
          }};
}

}  // namespace ferry::tools
