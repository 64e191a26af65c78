// SPDX-License-Identifier: Apache-2.0
// aclrtValueWrite: one store of 64 bits to device memory, in stream order.
#include "support/argument_checks.h"
#include "support/values.h"

#include <algorithm>

namespace conformance::aclrtValueWrite_test {
namespace {

using streams::kBadValue;
using streams::kTaskFailed;
using values::DeviceValue;
using values::MappedValue;

constexpr uint64_t kAllBits = 0xFEDCBA9876543210;

using AclrtValueWrite = WithStream;

TEST_F(AclrtValueWrite, StoresAll64Bits) {
  const DeviceValue value;
  EXPECT_OK(aclrtValueWrite(value.get(), kAllBits, 0, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(kAllBits, value.value());
}

TEST_F(AclrtValueWrite, TouchesNothingBesides) {
  DeviceBuffer buffer(24);
  buffer.write(std::vector<uint8_t>(24, 0xAB));
  EXPECT_OK(aclrtValueWrite(buffer.at(8), 0, 0, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  std::vector<uint8_t> expected(24, 0xAB);
  std::fill(expected.begin() + 8, expected.begin() + 16, uint8_t{0});
  EXPECT_EQ(expected, buffer.read());
}

TEST_F(AclrtValueWrite, StoresInStreamOrder) {
  const DeviceValue value;
  Gate gate(stream_);
  EXPECT_OK(aclrtValueWrite(value.get(), 1, 0, stream_));
  EXPECT_OK(aclrtValueWrite(value.get(), 2, 0, stream_));
  gate.wait_until_reached();
  EXPECT_EQ(0u, value.value());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(2u, value.value());
}

TEST_F(AclrtValueWrite, TakesTheDefaultStreamForNull) {
  const DeviceValue value;
  EXPECT_OK(aclrtValueWrite(value.get(), 7, 0, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(7u, value.value());
}

TEST_F(AclrtValueWrite, IsVisibleToTheHostInMappedMemory) {
  MappedValue value;
  EXPECT_OK(aclrtValueWrite(value.get(), kAllBits, 0, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(kAllBits, value.load());
}

TEST_F(AclrtValueWrite, ChecksItsArgumentsInOrder) {
  values::expect_value_arguments_checked_in_order(
      "aclrtValueWrite", stream_, 1, [](void* address, uint32_t flag, aclrtStream stream) {
        return aclrtValueWrite(address, 1, flag, stream);
      });
}

TEST_F(AclrtValueWrite, RefusesUnalignedAddresses) {
  const DeviceBuffer buffer(64);
  for (const size_t offset : {1, 2, 4, 7}) {
    EXPECT_FAILS(kBadValue, "EE1003", aclrtValueWrite(buffer.at(offset), 1, 0, stream_));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtValueWrite, NeedsAContext) {
  const DeviceValue value;
  on_new_thread([&] {
    EXPECT_FAILS(streams::kNoContext, "EE1018", aclrtValueWrite(value.get(), 1, 0, nullptr));
  });
}

TEST_F(AclrtValueWrite, FailsWhenItsMemoryIsFreedBeforeItRuns) {
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  Gate gate(stream_);
  EXPECT_OK(aclrtValueWrite(freed, 1, 0, stream_));
  gate.wait_until_reached();
  EXPECT_OK(aclrtFree(freed));
  gate.open();
  EXPECT_EQ(kTaskFailed, aclrtSynchronizeStream(stream_));
  EXPECT_NE(std::string::npos, recent_text().find("aclrtValueWrite")) << recent_text();
}

TEST_F(AclrtValueWrite, IsDroppedByAnAbort) {
  const DeviceValue value;
  Gate gate(stream_);
  EXPECT_OK(aclrtValueWrite(value.get(), 1, 0, stream_));
  gate.wait_until_reached();
  EXPECT_OK(aclrtStreamAbort(stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(0u, value.value());
}

}  // namespace
}  // namespace conformance::aclrtValueWrite_test
