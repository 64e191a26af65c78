// SPDX-License-Identifier: Apache-2.0
// Rules about what a program does again: copies, allocations, refused batches, whole rounds.
#include "advice/candidate.h"
#include "program.h"

#include <gtest/gtest.h>

namespace ferry::tools::advice {
namespace {

Block table(uint64_t hash) {
  return {.size = 1 << 20, .hash = hash};
}

Program with_contents() {
  Program program;
  program.trace().has_contents = true;
  return program;
}

TEST(RepeatedBytes, AreFoundByTheirHash) {
  Program program = with_contents();
  for (int i = 0; i < 5; ++i) {
    program.at(0x50).copy(3, table(99));
    program.copy(3, {.host = kHost + (4 << 20),
                     .device = kDevice + (4 << 20),
                     .hash = 100 + static_cast<uint64_t>(i)});
    program.wait(3);
  }
  const std::vector<Candidate> found = find_repeated_bytes(Survey(program.trace()));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.rule, "repeated-bytes");
  EXPECT_EQ(found[0].change.dropped, (WorkSet{3, 5, 7, 9}));
  EXPECT_EQ(found[0].advice.text.substr(0, 52),
            "4 copies H2D from pinned memory, 1.0 MiB each, moved");
}

TEST(RepeatedBytes, OtherContentsOrNoContentsAreNone) {
  Program changed = with_contents();
  Program unknown = with_contents();
  Program without;
  for (uint64_t i = 0; i < 5; ++i) {
    changed.copy(3, table(99 + i));
    unknown.copy(3, table(0));
    without.copy(3, table(99));
  }
  EXPECT_TRUE(find_repeated_bytes(Survey(changed.trace())).empty());
  EXPECT_TRUE(find_repeated_bytes(Survey(unknown.trace())).empty());
  EXPECT_TRUE(find_repeated_bytes(Survey(without.trace())).empty());
}

TEST(RepeatedBytes, AreNeededBehindAWriteToTheDestination) {
  Program overlapped = with_contents();
  Program kernels = with_contents();
  for (uint64_t i = 0; i < 5; ++i) {
    overlapped.copy(3, table(99));
    overlapped.copy(3, {.host = kHost + (4 << 20), .device = kDevice + 4096, .hash = 5});
    kernels.copy(3, table(99));
    kernels.kernel(3, 1000);  // may write anywhere
  }
  // The short copy itself is repeated only when the long one did not overwrite it.
  EXPECT_TRUE(find_repeated_bytes(Survey(overlapped.trace())).empty());
  EXPECT_TRUE(find_repeated_bytes(Survey(kernels.trace())).empty());
}

TEST(RepeatedBytes, AreNeededInNewMemory) {
  Program program = with_contents();
  for (uint64_t i = 0; i < 5; ++i) {
    program.memory("aclrtMalloc", "alloc", kDevice, 1 << 20);
    program.copy(3, table(99));
    program.memory("aclrtFree", "free", kDevice, 1 << 20);
  }
  EXPECT_TRUE(find_repeated_bytes(Survey(program.trace())).empty());
}

TEST(MemoryInLoop, RegistrationIsFound) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    program.at(0x60).memory("aclrtHostRegister", "register", kHost, 65536);
    program.at(0x61).copy(3, {.size = 65536, .memory = trace::Memory::kRegistered});
    program.at(0x62).wait(3);
    program.at(0x63).memory("aclrtHostUnregister", "unregister", kHost, 65536);
  }
  const std::vector<Candidate> found = find_memory_in_loops(Survey(program.trace()));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.title, "Register host memory once, not in a loop");
  // Nine pairs of an end and a beginning behind it; 5 us per call.
  EXPECT_EQ(found[0].advice.text,
            "Blocks of 64.0 KiB were registered with aclrtHostRegister, used and given back, 10 "
            "times. 18 calls for that took 90.0 us.");
  // The pause before the second copy holds one end and one beginning.
  EXPECT_EQ(found[0].change.saved_pauses.size(), 9U);
  EXPECT_EQ(found[0].change.saved_pauses.at(2), 10'000);
}

TEST(MemoryInLoop, AllocationIsFound) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    program.memory("aclrtMalloc", "alloc", kDevice + i * 65536, 4096);
    program.copy(3, {.device = kDevice + i * 65536 + 64, .size = 64});
    program.wait(3);
    program.memory("aclrtFree", "free", kDevice + i * 65536, 4096);
  }
  const std::vector<Candidate> found = find_memory_in_loops(Survey(program.trace()));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.title, "Allocate memory once, not in a loop");
}

TEST(MemoryInLoop, APoolThatIsAllocatedOnceIsNone) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i)
    program.memory("aclrtMalloc", "alloc", kDevice + i * 65536, 65536);
  for (uint64_t i = 0; i < 10; ++i)
    program.copy(3, {.device = kDevice + i * 65536, .size = 65536});
  program.wait(3);
  for (uint64_t i = 0; i < 10; ++i)
    program.memory("aclrtFree", "free", kDevice + i * 65536, 65536);
  EXPECT_TRUE(find_memory_in_loops(Survey(program.trace())).empty());
}

TEST(MemoryInLoop, MemoryOfDifferentSizesIsNone) {
  Program program;
  for (uint64_t i = 0; i < 10; ++i) {
    program.memory("aclrtMalloc", "alloc", kDevice, 4096 + i);
    program.copy(3, {});
    program.memory("aclrtFree", "free", kDevice, 4096 + i);
  }
  EXPECT_TRUE(find_memory_in_loops(Survey(program.trace())).empty());
}

void fall_back(Program& program, uint64_t copies) {
  program.at(0x80).refused_batch();
  for (uint64_t i = 0; i < copies; ++i)
    program.at(0x81).copy(3, {.host = kHost + i * 8192, .device = kDevice + i * 8192});
  program.at(0x82).wait(3);
}

TEST(RefusedBatches, AreFoundBeforeALoopOfCopies) {
  Program program;
  program.trace().soc = "Ascend310P3";
  for (int i = 0; i < 3; ++i)
    fall_back(program, 20);
  const Survey survey(program.trace());
  const std::vector<Candidate> found = find_refused_batches(survey);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(
      found[0].advice.text,
      "aclrtMemcpyBatchAsync returned 207000 (not supported on Ascend310P3) 3 times. 60 single "
      "copies H2D from pinned memory, 4.0 KiB each, did the work instead.");
  EXPECT_EQ(found[0].change.batched.size(), 60U);
  EXPECT_EQ(found[0].change.saved_pauses.at(21), 1500);
  EXPECT_TRUE(find_small_copies(survey).empty());
}

TEST(RefusedBatches, WithoutALoopBehindAreNone) {
  Program program;
  fall_back(program, 1);
  EXPECT_TRUE(find_refused_batches(Survey(program.trace())).empty());
}

void round_of(Program& program, uint64_t works, uint64_t offset) {
  for (uint64_t i = 0; i < works; ++i) {
    program.at(0x90 + i).copy(3 + static_cast<int32_t>(i % 2),
                              {.host = kHost + i * 8192 + offset, .device = kDevice + i * 8192});
  }
}

TEST(Capture, EqualRoundsAreFound) {
  Program program;
  program.at(0x88).copy(3, {.size = 17});  // before the loop
  for (int round = 0; round < 30; ++round) {
    round_of(program, 6, 0);
    program.at(0x99).wait(3);
    program.at(0x9a).wait(4);
  }
  const std::vector<Candidate> found = find_capturable(Survey(program.trace()));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice.rule, "capture");
  EXPECT_EQ(
      found[0].advice.text,
      "30 rounds submitted the same 6 works each, with the same addresses, sizes and streams. "
      "The host spent 144.0 us in these calls.");
  EXPECT_EQ(found[0].change.captured.size(), 180U);
  size_t launches = 0;
  for (const auto& [work, is_first] : found[0].change.captured)
    launches += is_first ? 1 : 0;
  EXPECT_EQ(launches, 30U);
}

TEST(Capture, RoundsWithOtherAddressesAreNone) {
  Program program;
  for (uint64_t round = 0; round < 30; ++round) {
    round_of(program, 6, round * 65536);
    program.wait(3);
  }
  EXPECT_TRUE(find_capturable(Survey(program.trace())).empty());
}

TEST(Capture, FewRoundsOrShortOnesAreNone) {
  Program few;
  Program brief;
  for (int round = 0; round < 7; ++round) {
    round_of(few, 6, 0);
    few.wait(3);
  }
  for (int round = 0; round < 30; ++round) {
    round_of(brief, 3, 0);
    brief.wait(3);
  }
  EXPECT_TRUE(find_capturable(Survey(few.trace())).empty());
  EXPECT_TRUE(find_capturable(Survey(brief.trace())).empty());
}

TEST(Capture, AWaitInTheMiddleOfARoundCannotBeCaptured) {
  Program program;
  for (int round = 0; round < 30; ++round) {
    round_of(program, 6, 0);
    program.at(0x98).wait(3);
    round_of(program, 6, 65536);
    program.at(0x99).wait(3);
  }
  EXPECT_TRUE(find_capturable(Survey(program.trace())).empty());
}

TEST(Capture, WorksOfAModelAreCapturedAlready) {
  Program program;
  for (int round = 0; round < 30; ++round)
    program.run_model(3, {{}, {}, {}, {}, {}});
  EXPECT_TRUE(find_capturable(Survey(program.trace())).empty());
}

}  // namespace
}  // namespace ferry::tools::advice
