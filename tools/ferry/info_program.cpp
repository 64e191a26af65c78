// SPDX-License-Identifier: Apache-2.0
// ferry info PROGRAM: asks the program's own loader which libraries it would load, as ldd does.
#include "info_program.h"

#include "commands.h"
#include "environment.h"
#include "library.h"
#include "process.h"
#include "program_file.h"
#include "text.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace ferry::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgramInfoName = "ferry info";
constexpr int kMostScripts = 4;
constexpr std::array<std::string_view, 2> kLibraries{"libascendcl.so", "libacl_rt.so"};

// Which AscendCL library a loader finds: "" when the program needs none, "not found", or a path.
struct Found {
  std::array<std::string, kLibraries.size()> paths;
};

// Lines have the form "name => path (address)", "name => not found" or "path (address)".
void read_line(std::string_view line, Found& found) {
  while (line.starts_with('\t') || line.starts_with(' '))
    line.remove_prefix(1);
  const size_t arrow = line.find(" => ");
  std::string_view path = arrow == std::string_view::npos ? line : line.substr(arrow + 4);
  const std::string_view name =
      arrow == std::string_view::npos ? line.substr(0, line.rfind(" (")) : line.substr(0, arrow);
  if (path.ends_with(')')) path = path.substr(0, path.rfind(" ("));
  for (size_t i = 0; i < kLibraries.size(); ++i) {
    if (fs::path(name).filename() == kLibraries[i]) found.paths[i] = path;
  }
}

// The command that makes a loader print a list instead of running the program. glibc's loader goes
// on after a missing library only when asked by the variable, which other loaders ignore.
std::vector<std::string> listing_command(const ProgramFile& program) {
  const std::string path = fs::absolute(program.path).string();
  if (fs::path(program.interpreter).filename().string().starts_with("ld-linux")) {
    return {"env", "LD_TRACE_LOADED_OBJECTS=1", program.interpreter, path};
  }
  return {program.interpreter, "--list", path};
}

std::optional<Found> list_libraries(const ProgramFile& program, std::string& output) {
  if (run_and_read(listing_command(program), output) != 0) return {};
  Found found;
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    read_line(line, found);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return found;
}

std::string describe(const std::string& path, std::string_view none) {
  if (path.empty()) return std::string(none);
  if (path == "not found") return "not found: it would not start";
  std::error_code ignored;
  const fs::path real = fs::canonical(path, ignored);
  return real == library_path() ? fmt::format("{}  (this Ferry)", real.string()) : path;
}

int show_dynamic(const ProgramFile& program) {
  std::string output;
  const std::optional<Found> alone = list_libraries(program, output);
  std::optional<Found> led;
  if (alone) {
    if (const std::string wrong = lead_to_library(program); !wrong.empty()) {
      complain(kProgramInfoName, wrong);
      return kExitFailure;
    }
    led = list_libraries(program, output);
  }
  if (!alone || !led) {
    complain(kProgramInfoName, fmt::format("{}: its loader {} lists no libraries: {}",
                                           program.path.string(), program.interpreter, output));
    return kExitFailure;
  }
  for (size_t i = 0; i < kLibraries.size(); ++i) {
    // The second name is newer and rarer: it is shown only if the program needs it.
    if (i > 0 && alone->paths[i].empty()) continue;
    fmt::print("{}\n", painted(Paint::kBold, kLibraries[i]));
    fmt::print("  by itself        {}\n",
               describe(alone->paths[i], "none: the program is not linked with it"));
    fmt::print("  under ferry run  {}\n", describe(led->paths[i], "none"));
  }
  if (alone->paths[0].empty() && alone->paths[1].empty()) {
    fmt::print("\n{}\n", wrapped("It may still load the library by name while it runs, as Python "
                                 "modules and dlopen do: under ferry run it gets this Ferry.",
                                 0, text_width()));
  }
  return kExitSuccess;
}

}  // namespace

int show_program(const std::string& name) {
  ProgramFile program = find_program(name);
  // An interpreter may be a script itself.
  for (int depth = 0; depth < kMostScripts && program.kind == ProgramFile::Kind::kScript; ++depth) {
    fmt::print("{} is a script that {} runs; what follows is about that program.\n",
               program.path.string(), program.interpreter);
    const std::string interpreter = program.interpreter;
    program = find_program(interpreter);
    if (program.kind == ProgramFile::Kind::kNotFound) {
      complain(kProgramInfoName, fmt::format("{}: there is no such interpreter", interpreter));
      return kExitFailure;
    }
  }
  switch (program.kind) {
    case ProgramFile::Kind::kNotFound:
      complain(kProgramInfoName, fmt::format("\"{}\": no such program", name));
      return kExitFailure;
    case ProgramFile::Kind::kStatic:
      fmt::print(
          "{} is linked statically: it loads no shared library, neither by itself nor under "
          "ferry run.\nTo run it on Ferry, link it with -lascendcl and without -static.\n",
          program.path.string());
      return kExitSuccess;
    case ProgramFile::Kind::kDynamic:
    case ProgramFile::Kind::kLibrary:
      return show_dynamic(program);
    case ProgramFile::Kind::kScript:
    case ProgramFile::Kind::kOther:
      break;
  }
  complain(kProgramInfoName, fmt::format("{}: is neither a 64-bit program nor a script with \"#!\"",
                                         program.path.string()));
  return kExitFailure;
}

}  // namespace ferry::tools
