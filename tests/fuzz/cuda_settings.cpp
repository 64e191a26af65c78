// SPDX-License-Identifier: Apache-2.0
// The texts of the CUDA backend: entries of FERRY_DEVICES, options, and the calibration in the
// user's cache folder.
#include "backends/cuda/calibration/calibration.h"
#include "backends/cuda/plugin/options.h"
#include "fuzz.h"

#include <string>
#include <vector>

using namespace ferry;

namespace {

void parse_settings(const char* text) {
  cuda::Overrides overrides;
  static_cast<void>(cuda::parse_options(text, overrides));
  ferryx_settings settings{};
  settings.entries = &text;
  settings.entry_count = 1;
  uint32_t count = 0;
  const bool is_right = cuda::check_entries(settings, &count).empty();
  fuzz::require(!is_right || count == 1 || count == FERRYX_ALL, "one GPU or all");
  std::vector<int> ordinals;
  if (cuda::list_ordinals(settings, 8, &count, ordinals).empty()) {
    fuzz::require(is_right && ordinals.size() == count, "as many GPUs as counted");
  }
}

void parse_calibration(std::string_view text) {
  constexpr std::string_view kKey = "key";
  cuda::Calibration calibration;
  if (!cuda::from_text(text, kKey, calibration)) return;
  fuzz::require(cuda::is_plausible(calibration), "costs are plausible");
  cuda::Calibration again;
  fuzz::require(cuda::from_text(cuda::to_text(calibration, kKey), kKey, again), "it can be saved");
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(fuzz::text_of(data, size));
  parse_settings(text.c_str());
  parse_calibration(text);
  return 0;
}
