// SPDX-License-Identifier: Apache-2.0
#include "page/page.h"

#include "page/page_data.h"
#include "page/sources.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

namespace ferry::tools::page {
namespace {

// What page.html has in the place of each part.
constexpr std::string_view kStylePlace = "@STYLE@";
constexpr std::string_view kDataPlace = "@DATA@";
constexpr std::string_view kScriptPlace = "@SCRIPT@";

std::string what_failed() {
  const int code = errno;
  return code != 0 ? std::string(": ") + std::strerror(code) : std::string();
}

// Writes the page in one pass, so that text of the trace is never searched for places.
void write_parts(std::ofstream& file, const std::string& data) {
  std::string_view rest = html();
  const auto write_until = [&](std::string_view place, std::string_view part) {
    const size_t at = rest.find(place);
    file << rest.substr(0, at) << part;
    rest.remove_prefix(at + place.size());
  };
  write_until(kStylePlace, style());
  write_until(kDataPlace, data);
  write_until(kScriptPlace, {});
  for (const std::string_view script : scripts()) {
    file << script;
  }
  file << rest;
}

}  // namespace

std::string write_page(const trace::Trace& trace, const Extras& extras, const std::string& path) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) return "cannot be created" + what_failed();
  write_parts(file, page_data(trace, extras));
  file.close();
  if (!file) return "cannot be written" + what_failed();
  return {};
}

}  // namespace ferry::tools::page
