// SPDX-License-Identifier: Apache-2.0
// The generator gives the blocks that its authors have published, and takes them in order.
#include "core/philox.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

using Words = Philox::Words;

TEST(Philox, GivesThePublishedBlocks) {
  EXPECT_EQ((Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}), Philox::block_of(0, {}));
  EXPECT_EQ((Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}),
            Philox::block_of(UINT64_MAX, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}));
  EXPECT_EQ((Words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}),
            Philox::block_of(0x299F31D0A4093822, {0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}));
}

TEST(Philox, CountsBlocksOfWhichAWordWasTaken) {
  Philox words(1, {UINT32_MAX, UINT32_MAX, 5, 0});
  EXPECT_EQ((Words{UINT32_MAX, UINT32_MAX, 5, 0}), words.counter());
  const uint32_t first = words.next();
  EXPECT_EQ(Philox::block_of(1, {UINT32_MAX, UINT32_MAX, 5, 0})[0], first);
  EXPECT_EQ((Words{0, 0, 6, 0}), words.counter());
  for (int i = 0; i < 3; ++i)
    words.next();
  EXPECT_EQ((Words{0, 0, 6, 0}), words.counter());
  EXPECT_EQ(Philox::block_of(1, {0, 0, 6, 0})[0], words.next());
  EXPECT_EQ((Words{1, 0, 6, 0}), words.counter());
}

}  // namespace
}  // namespace ferry
