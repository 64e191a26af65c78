// SPDX-License-Identifier: Apache-2.0
// Profiles: looking numbers up, writing and reading them.
#include "replay/profile.h"

#include <gtest/gtest.h>

#include <string>

namespace ferry::tools::replay {
namespace {

using trace::Direction;
using trace::Memory;

Profile example() {
  Profile profile;
  profile.device = "Ascend910B1";
  profile.synchronize_ns = 22.5;
  profile.record_ns = 100;
  profile.wait_ns = 50;
  profile.cross_ns = 1000;
  profile.fill_submit_ns = 70;
  profile.fill_bytes_per_ns = 12.5;
  profile.overlaps = {{4096, 1, 1.25}, {1 << 20, 1.5, 2}};
  Lane lane;
  lane.direction = Direction::kHostToDevice;
  lane.memory = Memory::kPinned;
  lane.submit_ns = 60;
  lane.batch_submit_ns = 150;
  lane.item_submit_ns = 0.5;
  lane.batch_ns = 20;
  lane.curves = {{1 << 10, {{100, 10, 20, 30, 5}, {300, 20, 40, 60, 10}}},
                 {1 << 20, {{100, 20, 40, 60, 10}}}};
  profile.lanes.push_back(lane);
  lane.direction = Direction::kDeviceToHost;
  profile.lanes.push_back(lane);
  lane.memory = Memory::kPageable;
  profile.lanes.push_back(lane);
  return profile;
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = profile_text(example());
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  Profile profile;
  return read_profile(text, profile);
}

TEST(ReplayProfile, IsReadAsItWasWritten) {
  const std::string text = profile_text(example());
  Profile profile;
  ASSERT_EQ(read_profile(text, profile), "");
  EXPECT_EQ(profile_text(profile), text);
  EXPECT_EQ(profile.lanes.size(), 3U);
  EXPECT_EQ(profile.lanes[2].memory, Memory::kPageable);
  EXPECT_DOUBLE_EQ(profile.lanes[0].curves[0].points[1].copy_ns, 20);
}

TEST(ReplayProfile, InterpolatesSizesAndFootprints) {
  const Profile profile = example();
  const Lane& lane = profile.lanes[0];
  EXPECT_DOUBLE_EQ(lane.at(50, 1 << 10).copy_ns, 10) << "the smallest size";
  EXPECT_DOUBLE_EQ(lane.at(200, 1 << 10).copy_ns, 15);
  EXPECT_DOUBLE_EQ(lane.at(600, 1 << 10).call_ns, 120) << "twice the largest size";
  EXPECT_DOUBLE_EQ(lane.at(100, 1 << 15).copy_ns, 15) << "half-way between the footprints";
  EXPECT_DOUBLE_EQ(lane.at(100, 1).item_ns, 5);
  EXPECT_DOUBLE_EQ(lane.at(100, 1 << 30).item_ns, 10);
  EXPECT_DOUBLE_EQ(profile.overlap_at(1).both_ways, 1.25);
  EXPECT_DOUBLE_EQ(profile.overlap_at(1 << 16).same_way, 1.25);
  EXPECT_DOUBLE_EQ(profile.overlap_at(1 << 30).same_way, 1.5);
}

TEST(ReplayProfile, FindsTheLaneThatFitsBest) {
  const Profile profile = example();
  EXPECT_EQ(profile.lane_of(Direction::kDeviceToHost, Memory::kPageable), &profile.lanes[2]);
  EXPECT_EQ(profile.lane_of(Direction::kDeviceToHost, Memory::kRegistered), &profile.lanes[1]);
  EXPECT_EQ(profile.lane_of(Direction::kHostToDevice, Memory::kPageable), &profile.lanes[0]);
  EXPECT_NE(profile.lane_of(Direction::kDeviceToDevice, Memory::kDevice), nullptr);
}

TEST(ReplayProfile, RefusesWhatItCannotUse) {
  EXPECT_EQ(refusal(""), "it is not JSON");
  EXPECT_EQ(refusal("{"), "it is not JSON");
  EXPECT_EQ(refusal("[]"), "it has no member \"ferry_profile\"");
  EXPECT_EQ(refusal("{}"), "it has no member \"ferry_profile\"");
  EXPECT_EQ(refusal(R"({"ferry_profile": 2})"),
            "\"ferry_profile\" is not 1, the only format known");
  EXPECT_EQ(refusal(R"({"ferry_profile": 1})"), "\"device\" is missing");
  EXPECT_EQ(refusal(replaced("22.5", "-1")),
            "\"synchronize_ns\" is -1, allowed is 0 to 1000000000000000");
  EXPECT_EQ(refusal(replaced("22.5", "\"x\"")), "\"synchronize_ns\" is not a number");
  EXPECT_EQ(refusal(replaced("22.5", "1e999")), "it is not JSON") << "no such number";
  EXPECT_EQ(refusal(replaced("12.5", "0")),
            "\"fill_bytes_per_ns\" is 0, allowed is 1e-09 to 1000000000");
  EXPECT_EQ(refusal(replaced("\"H2D\"", "\"X2D\"")), "\"direction\" is \"X2D\", which is unknown");
  EXPECT_EQ(refusal(replaced("\"bytes\": 300", "\"bytes\": 100")), "\"bytes\" does not rise");
  EXPECT_EQ(refusal(replaced("\"bytes\": 300", "\"bytes\": 0")),
            "\"bytes\" is 0, allowed is 1 to 140737488355328");
  EXPECT_EQ(refusal(replaced("\"lanes\"", "\"roads\"")), "\"lanes\" is missing");
  EXPECT_EQ(refusal(replaced("true", "1")), "\"has_batch\" is neither true nor false");
  EXPECT_EQ(refusal(R"({"ferry_profile": 1, "device": "", "has_batch": true,
    "synchronize_ns": 1, "record_ns": 1, "wait_ns": 1, "cross_ns": 1, "fill_submit_ns": 1,
    "fill_bytes_per_ns": 1, "overlaps": []})"),
            "\"overlaps\" is not a list of 1 to 4096 entries");
}

TEST(ReplayProfile, FilesAreNamedInErrors) {
  Profile profile;
  EXPECT_EQ(load_profile("/nowhere/profile.json", profile),
            "/nowhere/profile.json: it cannot be opened");
  EXPECT_EQ(load_profile("/dev/null", profile), "/dev/null: it is empty or cannot be read");
}

}  // namespace
}  // namespace ferry::tools::replay
