// SPDX-License-Identifier: Apache-2.0
// Storing and loading a calibration.
#include "backends/cuda/calibration/calibration.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace ferry::cuda {
namespace {

constexpr const char* kKey = "NVIDIA H200, driver 13000";

bool is_same(const Calibration& a, const Calibration& b) {
  return to_text(a, "") == to_text(b, "");
}

TEST(Calibration, ComesBackFromItsText) {
  Calibration read;
  ASSERT_TRUE(from_text(to_text(default_calibration(), kKey), kKey, read));
  EXPECT_TRUE(is_same(read, default_calibration()));
}

TEST(Calibration, RefusesWhatIsForeignOrDamaged) {
  const std::string text = to_text(default_calibration(), kKey);
  Calibration read;
  const Calibration untouched;
  EXPECT_FALSE(from_text(text, "NVIDIA H100, driver 13000", read));
  EXPECT_FALSE(from_text("", kKey, read));
  EXPECT_FALSE(from_text("something else", kKey, read));
  EXPECT_FALSE(from_text(text.substr(0, text.size() / 2), kKey, read));
  EXPECT_FALSE(from_text(text + "1\n", kKey, read));
  std::string letters = text;
  letters[letters.size() - 3] = 'x';
  EXPECT_FALSE(from_text(letters, kKey, read));
  EXPECT_TRUE(is_same(read, untouched));
}

TEST(Calibration, RefusesImplausiblePrices) {
  EXPECT_TRUE(is_plausible(default_calibration()));
  for (const double price : {0.0, -1.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    Calibration wrong = default_calibration();
    wrong.costs[1][2].item[3] = price;
    EXPECT_FALSE(is_plausible(wrong)) << price;
  }
}

TEST(Calibration, LiesInTheCacheFolder) {
  EXPECT_EQ(cache_path("/cache", "/home/me", kKey).find("/cache/ferry/cuda_"), 0u);
  EXPECT_EQ(cache_path(nullptr, "/home/me", kKey).find("/home/me/.cache/ferry/cuda_"), 0u);
  EXPECT_EQ(cache_path("", "/home/me", kKey), cache_path(nullptr, "/home/me", kKey));
  EXPECT_EQ(cache_path("relative", nullptr, kKey), "");
  EXPECT_NE(cache_path("/cache", nullptr, kKey), cache_path("/cache", nullptr, "another"));
}

class CalibrationFile : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ =
      ::testing::TempDir() + "ferry_calibration_" + std::to_string(getpid());
  const std::string path_ = cache_path(folder_.c_str(), nullptr, kKey);
};

TEST_F(CalibrationFile, IsSavedAndLoaded) {
  Calibration read;
  EXPECT_FALSE(load(path_, kKey, read));
  ASSERT_TRUE(save(path_, kKey, default_calibration()));
  ASSERT_TRUE(load(path_, kKey, read));
  EXPECT_TRUE(is_same(read, default_calibration()));
}

TEST_F(CalibrationFile, IsRewrittenWhenItCannotBeUnderstood) {
  ASSERT_TRUE(save(path_, kKey, default_calibration()));
  std::ofstream(path_) << "damaged";
  Calibration read;
  EXPECT_FALSE(load(path_, kKey, read));
  ASSERT_TRUE(save(path_, kKey, default_calibration()));
  EXPECT_TRUE(load(path_, kKey, read));
}

TEST_F(CalibrationFile, IsNotNeeded) {
  EXPECT_FALSE(save("", kKey, default_calibration()));
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ + "/file") << "in the way";
  EXPECT_FALSE(save(folder_ + "/file/ferry/cuda_0", kKey, default_calibration()));
}

}  // namespace
}  // namespace ferry::cuda
