// SPDX-License-Identifier: Apache-2.0
// The table of releases.
#include "base/release.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <iterator>

namespace ferry {
namespace {

constexpr Release k91{.number = ReleaseNumber::k91,
                      .name = "9.1",
                      .version = "9.1.0",
                      .version_number = 90100000,
                      .runtime_version = {1, 17, 0},
                      .empty_copies_succeed = true,
                      .batch_checks_sizes_first = true,
                      .batch_takes_numa = true,
                      .batch_takes_managed = true,
                      .rows_inside_device = true,
                      .waits_for_any_stream = true,
                      .checks_buffered_kind = true,
                      .stream_priority_attribute = true,
                      .pageable_in_capture = ACL_ERROR_RT_PARAM_INVALID};

// 9.1 and the functions that came after it.
constexpr Release kNewest = [] {
  Release release = k91;
  release.number = ReleaseNumber::kNewest;
  release.name = "";
  return release;
}();

constexpr Release k90 = [] {
  Release release = k91;
  release.number = ReleaseNumber::k90;
  release.name = "9.0";
  release.version = "9.0.0";
  release.version_number = 90000000;
  release.empty_copies_succeed = false;
  release.batch_checks_sizes_first = false;
  release.batch_takes_managed = false;
  release.waits_for_any_stream = false;
  release.checks_buffered_kind = false;
  release.stream_priority_attribute = false;
  release.pageable_in_capture = ACL_ERROR_RT_STREAM_CAPTURED;
  return release;
}();

constexpr Release k85 = [] {
  Release release = k90;
  release.number = ReleaseNumber::k85;
  release.name = "8.5";
  release.version = "8.5.0";
  release.version_number = 80500000;
  release.runtime_version[1] = 16;
  release.batch_takes_numa = false;
  release.rows_inside_device = false;
  return release;
}();

constexpr Release kReleases[] = {k85, k90, k91, kNewest};

}  // namespace

std::span<const Release> known_releases() {
  return kReleases;
}

const Release* find_release(std::string_view name) {
  const auto* found = std::find_if(std::begin(kReleases), std::end(kReleases),
                                   [&](const Release& release) { return release.name == name; });
  return found == std::end(kReleases) ? nullptr : found;
}

const Release& newest_release() {
  return *(std::end(kReleases) - 1);
}

}  // namespace ferry
