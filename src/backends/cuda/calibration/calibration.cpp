// SPDX-License-Identifier: Apache-2.0
// The text is a title, the key, and one line per direction and way: costs in whole nanoseconds, so
// that no locale changes how numbers look.
#include "backends/cuda/calibration/calibration.h"

#include "base/user_file.h"

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace ferry::cuda {
namespace {

constexpr std::string_view kTitle = "ferry cuda calibration 2\n";
constexpr double kNanoseconds = 1000;
// A cost beyond this many microseconds is an error: that is a second for one item of 1 MiB.
constexpr double kMostPrice = 1e6;

template <class Each>
void for_each_price(Calibration& calibration, Each each) {
  for (auto& bus : calibration.costs) {
    for (WayCost& cost : bus) {
      for (double& price : cost.batch)
        each(price);
      for (double& price : cost.item)
        each(price);
    }
  }
}

bool take_number(std::string_view& text, uint64_t& number) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
    text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

// FNV-1a: the same in every process.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace

std::string to_text(const Calibration& calibration, std::string_view key) {
  std::string text(kTitle);
  text.append(key).append("\n");
  Calibration copy = calibration;
  size_t written = 0;
  for_each_price(copy, [&](double price) {
    text += std::to_string(std::llround(price * kNanoseconds));
    text += ++written % (2 * kMeasuredSizes.size()) == 0 ? '\n' : ' ';
  });
  return text;
}

bool from_text(std::string_view text, std::string_view key, Calibration& calibration) {
  if (!take(text, kTitle) || !take(text, key) || !take(text, "\n")) return false;
  Calibration read;
  bool is_whole = true;
  for_each_price(read, [&](double& price) {
    uint64_t number = 0;
    is_whole = is_whole && take_number(text, number);
    price = static_cast<double>(number) / kNanoseconds;
  });
  if (!is_whole || text != "\n" || !is_plausible(read)) return false;
  calibration = read;
  return true;
}

bool is_plausible(const Calibration& calibration) {
  for (const auto& bus : calibration.costs) {
    for (const WayCost& cost : bus) {
      for (size_t i = 0; i < kMeasuredSizes.size(); ++i) {
        if (!(cost.batch[i] >= 0 && cost.batch[i] < kMostPrice)) return false;
        if (!(cost.item[i] > 0 && cost.item[i] < kMostPrice)) return false;
      }
    }
  }
  return true;
}

std::string cache_path(const char* cache_home, const char* home, std::string_view key) {
  std::string folder;
  if (cache_home != nullptr && cache_home[0] == '/') {
    folder = cache_home;
  } else if (home != nullptr && home[0] == '/') {
    folder = std::string(home) + "/.cache";
  } else {
    return {};
  }
  char name[40];
  std::snprintf(name, sizeof name, "/ferry/cuda_%016llx",
                static_cast<unsigned long long>(hash_of(key)));
  return folder + name;
}

bool load(const std::string& path, std::string_view key, Calibration& calibration) {
  constexpr uint64_t kMostBytes = 65536;  // more than any version of the text has
  std::string text;
  return read_user_file(path, kMostBytes, text).empty() && from_text(text, key, calibration);
}

bool save(const std::string& path, std::string_view key, const Calibration& calibration) {
  if (path.empty()) return false;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (error) return false;
  const std::string unfinished = path + "." + std::to_string(getpid());
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file << to_text(calibration, key);
  file.close();
  if (file) std::filesystem::rename(unfinished, path, error);
  if (file && !error) return true;
  std::filesystem::remove(unfinished, error);
  return false;
}

}  // namespace ferry::cuda
