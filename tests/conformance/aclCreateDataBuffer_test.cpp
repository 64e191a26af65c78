// SPDX-License-Identifier: Apache-2.0
// aclCreateDataBuffer: an object that holds an address and a size.
#include "support/at_once.h"
#include "support/conformance.h"

#include <set>

namespace conformance::aclCreateDataBuffer_test {
namespace {

TEST(AclCreateDataBuffer, NotesAddressAndSize) {
  char data[10] = {};
  for (const size_t size : {size_t{0}, size_t{1}, size_t{10}, size_t{1} << 40, SIZE_MAX}) {
    aclDataBuffer* buffer = aclCreateDataBuffer(data, size);
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(aclGetDataBufferAddr(buffer), data);
    EXPECT_EQ(aclGetDataBufferSizeV2(buffer), size);
    EXPECT_OK(aclDestroyDataBuffer(buffer));
  }
}

TEST(AclCreateDataBuffer, TakesNullWithSizeZero) {
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 0);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 0u);
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(AclCreateDataBuffer, RefusesNullWithASize) {
  EXPECT_EQ(aclCreateDataBuffer(nullptr, 1), nullptr);
  EXPECT_NE(recent_text().find("aclCreateDataBuffer: data is NULL and size is 1"),
            std::string::npos);
  EXPECT_EQ(aclCreateDataBuffer(nullptr, SIZE_MAX), nullptr);
}

TEST(AclCreateDataBuffer, NeverReadsOrWritesTheMemory) {
  void* nowhere = reinterpret_cast<void*>(uintptr_t{0x10});
  aclDataBuffer* buffer = aclCreateDataBuffer(nowhere, 4096);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nowhere);
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(AclCreateDataBuffer, MakesADifferentBufferEachTime) {
  char data = 0;
  std::set<aclDataBuffer*> buffers;
  for (int i = 0; i < 100; ++i)
    buffers.insert(aclCreateDataBuffer(&data, static_cast<size_t>(i)));
  EXPECT_EQ(buffers.size(), 100u);
  EXPECT_EQ(buffers.count(nullptr), 0u);
  for (aclDataBuffer* buffer : buffers)
    EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(AclCreateDataBuffer, ServesManyThreadsAtOnce) {
  at_once(4, [&](size_t) {
    char data = 0;
    for (size_t round = 0; round < 200; ++round) {
      aclDataBuffer* buffer = aclCreateDataBuffer(&data, round);
      EXPECT_EQ(aclGetDataBufferAddr(buffer), &data);
      EXPECT_EQ(aclGetDataBufferSizeV2(buffer), round);
      EXPECT_OK(aclDestroyDataBuffer(buffer));
    }
  });
}

FERRY_PROCESS_TEST(AclCreateDataBufferProcess, WorksWhereThereIsNoDevice, "FERRY_DEVICES=none") {
  char data = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&data, 1);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &data);
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

}  // namespace
}  // namespace conformance::aclCreateDataBuffer_test
