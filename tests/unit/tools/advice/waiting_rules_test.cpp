// SPDX-License-Identifier: Apache-2.0
// Rules about where the host waits.
#include "advice/candidate.h"
#include "program.h"

#include <gtest/gtest.h>

namespace ferry::tools::advice {
namespace {

using trace::Direction;
using trace::Memory;

Block chunk(uint64_t number, uint64_t size = 65536) {
  return {.host = kHost + number * size, .device = kDevice + number * size, .size = size};
}

TEST(WaitPerCopy, IsFoundWhereCopiesTouchDifferentBytes) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    program.at(0x10).copy(3, chunk(i));
    program.at(0x20).wait(3);
  }
  const std::vector<Candidate> found = find_waits_after_copies(Survey(program.trace()));
  ASSERT_EQ(found.size(), 1U);
  const Advice& advice = found[0].advice;
  EXPECT_EQ(advice.rule, "wait-per-copy");
  EXPECT_EQ(
      advice.text.substr(0, 88),
      "10 copies H2D from pinned memory, 64.0 KiB each, were followed by a wait of their own; t");
  EXPECT_NE(advice.text.find("so 9 of the waits could be left out"), std::string::npos);
  ASSERT_EQ(advice.places.size(), 2U);
  EXPECT_EQ(advice.places[1].function, "aclrtSynchronizeStream");
  // The last wait stays.
  EXPECT_EQ(found[0].change.without_wait.size(), 9U);
  EXPECT_FALSE(found[0].change.without_wait.contains(10));
}

TEST(WaitPerCopy, AWaitForAnEventBehindTheCopyCounts) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    program.copy(3, chunk(i));
    program.record(3, i + 1);
    program.wait(3);
  }
  EXPECT_EQ(find_waits_after_copies(Survey(program.trace())).size(), 1U);
}

TEST(WaitPerCopy, ABufferThatIsUsedAgainNeedsTheWait) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    program.copy(3, {.host = kHost + i % 2 * 65536, .device = kDevice + i * 65536, .size = 65536});
    program.wait(3);
  }
  EXPECT_TRUE(find_waits_after_copies(Survey(program.trace())).empty());
}

TEST(WaitPerCopy, AResultThatIsUsedNeedsTheWait) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    Block block = chunk(i);
    block.direction = Direction::kDeviceToHost;
    program.copy(3, block);
    program.wait(3);
    program.compute(50'000);
  }
  EXPECT_TRUE(find_waits_after_copies(Survey(program.trace())).empty());
}

TEST(WaitPerCopy, OneWaitForManyIsFine) {
  Program program;
  for (uint64_t i = 0; i < 40; ++i) {
    program.copy(3, chunk(i));
    if (i % 4 == 3) program.wait(3);
  }
  EXPECT_TRUE(find_waits_after_copies(Survey(program.trace())).empty());
}

TEST(SerialStreams, AreFoundWhereWaitsSeparateThem) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    Block in = chunk(2 * i);
    Block out = chunk(2 * i + 1);
    out.direction = Direction::kDeviceToHost;
    program.at(0x10).copy(3, in);
    program.at(0x20).wait(3);
    program.at(0x30).copy(4, out);
    program.at(0x40).wait(4);
  }
  const Survey survey(program.trace());
  EXPECT_TRUE(find_waits_after_copies(survey).empty());
  const std::vector<Candidate> found = find_serial_streams(survey);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].advice.text.find("20 copies on 2 streams never overlapped"),
            std::string::npos);
  EXPECT_EQ(found[0].change.without_wait.size(), 18U);
}

TEST(SerialStreams, ThatNeedEachOtherAreNone) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    Block out = chunk(i);
    out.direction = Direction::kDeviceToHost;
    out.host += 1 << 24;
    program.copy(3, chunk(i));
    program.wait(3);
    program.copy(4, out);  // of the same bytes of the device
    program.wait(4);
  }
  EXPECT_TRUE(find_serial_streams(Survey(program.trace())).empty());
}

TEST(SerialStreams, AroundKernelsAreNone) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    program.copy(3, chunk(i));
    program.wait(3);
    program.kernel(4, 1000);  // may use what was copied
    program.wait(4);
  }
  EXPECT_TRUE(find_serial_streams(Survey(program.trace())).empty());
}

TEST(SerialStreams, ThatAreBusyTogetherAreNone) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    program.copy(3, chunk(2 * i));
    program.copy(4, chunk(2 * i + 1));
    program.wait(3);
    program.wait(4);
  }
  EXPECT_TRUE(find_serial_streams(Survey(program.trace())).empty());
}

TEST(PageableAsync, IsFoundWithTheTimeThatTheHostWasBlocked) {
  Program program;
  for (uint64_t i = 0; i < 8; ++i) {
    Block block = chunk(i);
    block.memory = Memory::kPageable;
    program.at(0x77).blocking_copy(3, block);
  }
  const std::vector<Candidate> found = find_pageable(Survey(program.trace()));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.rule, "pageable-async");
  // Eight times 65536 bytes at 8 per ns, 500 ns per copy and 100 per call.
  EXPECT_EQ(found[0].advice.text.substr(0, 79),
            "8 asynchronous copies H2D from pageable memory blocked the host for 70.3 us: wi");
  EXPECT_EQ(found[0].change.pinned.size(), 8U);
  EXPECT_EQ(found[0].advice.places[0].site, 0x77U);
}

TEST(PageableAsync, PinnedMemoryAndBlockingFunctionsAreNone) {
  Program program;
  program.copy(3, chunk(0));
  Block block = chunk(1);
  block.memory = Memory::kPageable;
  program.blocking_copy(3, block);
  program.trace().calls.back().function = program.trace().texts.id_of("aclrtMemcpy");
  EXPECT_TRUE(find_pageable(Survey(program.trace())).empty());
}

}  // namespace
}  // namespace ferry::tools::advice
