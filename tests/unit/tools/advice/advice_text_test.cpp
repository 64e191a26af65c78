// SPDX-License-Identifier: Apache-2.0
// Advice as people and programs read it.
#include "advice/advice.h"
#include "advice/advice_json.h"

#include <gtest/gtest.h>

namespace ferry::tools::advice {
namespace {

Advice some_advice() {
  Advice advice;
  advice.rule = "small-copies";
  advice.title = "Copy many small blocks with one call";
  advice.text = "9 copies were submitted one by one.";
  advice.places = {{.function = "aclrtMemcpyAsync", .site = 0x401234, .calls = 8},
                   {.function = "aclrtMemcpyAsync", .script = "load  kv.py:7", .calls = 1}};
  advice.evidence = {.works = {3, 4, 5}, .work_count = 9, .calls = {7}, .call_count = 9};
  advice.now = 10'400'000;
  advice.predicted = 7'200'000;
  advice.to_do = "Collect the blocks.";
  advice.hint = {"aclrtMemcpyBatchAsync(...);"};
  return advice;
}

std::string named(uint64_t site) {
  return site == 0x401234 ? "load_pages kv.cpp:42" : "";
}

TEST(AdviceText, SaysGainPlaceAndWhatToDo) {
  EXPECT_EQ(advice_text({some_advice()}, named, 100),
            "1. Copy many small blocks with one call\n"
            "   gain  about 3.2 ms of 10.4 ms (31 %)\n"
            "   seen  9 copies were submitted one by one.\n"
            "   at    load_pages kv.cpp:42  (aclrtMemcpyAsync, 8 calls)\n"
            "         load  kv.py:7  (aclrtMemcpyAsync, 1 call)\n"
            "   do    Collect the blocks.\n"
            "           aclrtMemcpyBatchAsync(...);\n"
            "   trace work 3, 4, 5, … 9 in all\n"
            "   more  docs/tracing.md#small-copies\n");
}

TEST(AdviceText, NamesAddressesWithoutSymbols) {
  EXPECT_EQ(place_text({.function = "f", .site = 0x99}, named), "0x99");
  EXPECT_EQ(place_text({.function = "f", .site = 0x99}, nullptr), "0x99");
  EXPECT_EQ(place_text({.function = "f"}, named), "unknown");
}

TEST(AdviceText, IsEmptyWithoutAdvice) {
  EXPECT_EQ(advice_text({}, named, 100), "");
  EXPECT_EQ(advice_json({}, named).dump(), "[]");
}

TEST(AdviceJson, HasAllMembers) {
  const nlohmann::ordered_json json = advice_json({some_advice()}, named);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["rule"], "small-copies");
  EXPECT_EQ(json[0]["gain_ns"], 3'200'000);
  EXPECT_EQ(json[0]["now_ns"], 10'400'000);
  EXPECT_EQ(json[0]["places"][0]["place"], "load_pages kv.cpp:42");
  EXPECT_EQ(json[0]["places"][0]["site"], "0x401234");
  EXPECT_EQ(json[0]["places"][1].contains("site"), false);
  EXPECT_EQ(json[0]["works"], (std::vector<uint64_t>{3, 4, 5}));
  EXPECT_EQ(json[0]["work_count"], 9);
  EXPECT_EQ(json[0]["link"], "docs/tracing.md#small-copies");
}

}  // namespace
}  // namespace ferry::tools::advice
