// SPDX-License-Identifier: Apache-2.0
// The four batch copies: what they copy, and the ways to describe it.
#include "support/batch.h"

namespace conformance::copies::aclrtMemcpyBatch_success_test {
namespace {

class AclrtMemcpyBatchSuccess : public WithBatchForm {
 protected:
  // Makes the call, waits, and checks that exactly the items have arrived.
  void expect_copies(Batch& batch) { expect_copies(batch, batch.arguments(stream_)); }
  void expect_copies(Batch& batch, const BatchArguments& arguments) {
    expect_succeeds(arguments);
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(batch.has_copied_all());
  }
};

TEST_P(AclrtMemcpyBatchSuccess, CopiesBothWaysAllSortsOfHostMemoryAndAnyNumberOfItems) {
  for (const Way way : {Way::kToDevice, Way::kToHost}) {
    for (const HostMemory memory :
         {HostMemory::kPinned, HostMemory::kPageable, HostMemory::kMixed}) {
      for (const size_t count : {size_t{1}, size_t{2}, size_t{7}, size_t{300}}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(way)) + ", " +
                     std::to_string(static_cast<int>(memory)) + ", " + std::to_string(count));
        Batch batch(way, memory, count);
        expect_copies(batch);
      }
    }
  }
}

TEST_P(AclrtMemcpyBatchSuccess, ItemsMayHaveAnySize) {
  for (const size_t size :
       {size_t{1}, size_t{2}, size_t{64}, size_t{4097}, (size_t{1} << 20) + 1}) {
    for (const HostMemory memory : {HostMemory::kPinned, HostMemory::kMixed}) {
      Batch batch(Way::kToHost, memory, 3, size);
      expect_copies(batch);
    }
  }
}

TEST_P(AclrtMemcpyBatchSuccess, SizesOfOneBatchMayDiffer) {
  static constexpr size_t kCount = 200;
  PinnedBuffer source(kCount * kCount);
  const DeviceBuffer device(kCount * kCount);
  source.fill(pattern(source.size()));
  EXPECT_OK(aclrtMemset(device.get(), device.size(), 0, device.size()));
  Batch batch(Way::kToDevice, HostMemory::kPinned, kCount, 1);
  std::vector<uint8_t> expected(device.size(), 0);
  for (size_t index = 0; index < kCount; ++index) {
    batch.dsts[index] = device.at(index * kCount);
    batch.srcs[index] = source.bytes() + index * kCount;
    batch.sizes[index] = index + 1;
    batch.dest_maxs[index] = index % 2 == 0 ? index + 1 : SIZE_MAX;
    std::copy_n(source.bytes() + index * kCount, index + 1,
                expected.begin() + static_cast<ptrdiff_t>(index * kCount));
  }
  expect_succeeds(batch.arguments(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(expected, device.read());
}

TEST_P(AclrtMemcpyBatchSuccess, TakesOneAttributeForEachOf4096Items) {
  for (const HostMemory memory : {HostMemory::kPinned, HostMemory::kMixed}) {
    Batch batch(Way::kToDevice, memory, 4096, 16);
    batch.give_each_item_an_attribute();
    expect_copies(batch);
  }
}

TEST_P(AclrtMemcpyBatchSuccess, TakesOneAttributeForAllOf4096Items) {
  Batch batch(Way::kToHost, HostMemory::kPinned, 4096, 16);
  expect_copies(batch);
}

TEST_P(AclrtMemcpyBatchSuccess, TakesAttributesForGroupsOfItems) {
  Batch batch(Way::kToDevice, HostMemory::kMixed, 10);
  batch.attrs.assign(2, batch.attr());
  batch.attrs_indexes = {0, 6};
  expect_copies(batch);
  batch.reset();
  batch.attrs_indexes = {0, 9};
  expect_copies(batch);
}

TEST_P(AclrtMemcpyBatchSuccess, DestMaxsMayBeTheArrayOfSizes) {
  Batch batch(Way::kToDevice, HostMemory::kMixed, 10);
  BatchArguments arguments = batch.arguments(stream_);
  arguments.dest_maxs = arguments.sizes;
  expect_copies(batch, arguments);
}

TEST_P(AclrtMemcpyBatchSuccess, TheNumberOfAHostLocationDoesNotCount) {
  for (const uint32_t id : {0u, 1u, 7u, UINT32_MAX}) {
    Batch to_device(Way::kToDevice, HostMemory::kMixed, 4);
    to_device.attrs[0].srcLoc.id = id;
    expect_copies(to_device);
    Batch to_host(Way::kToHost, HostMemory::kMixed, 4);
    to_host.attrs[0].dstLoc.id = id;
    expect_copies(to_host);
  }
}

TEST_P(AclrtMemcpyBatchSuccess, HostNumaCountsAsHost) {
  for (const HostMemory memory : {HostMemory::kPinned, HostMemory::kPageable}) {
    Batch to_device(Way::kToDevice, memory, 4);
    to_device.attrs[0].srcLoc = {3, ACL_MEM_LOCATION_TYPE_HOST_NUMA};
    expect_copies(to_device);
    Batch to_host(Way::kToHost, memory, 4);
    to_host.attrs[0].dstLoc = {3, ACL_MEM_LOCATION_TYPE_HOST_NUMA};
    expect_copies(to_host);
  }
}

TEST_P(AclrtMemcpyBatchSuccess, RegisteredMemoryIsHostMemory) {
  HostPages pages(1);
  ASSERT_OK(aclrtHostRegisterV2(pages.at(0), pages.size(), ACL_HOST_REG_PINNED));
  {
    Batch batch(Way::kToDevice, HostMemory::kPinned, 4);
    for (size_t index = 0; index < 4; ++index) {
      std::copy_n(static_cast<uint8_t*>(batch.srcs[index]), 48, pages.at(index * 100));
      batch.srcs[index] = pages.at(index * 100);
    }
    expect_copies(batch);
  }
  EXPECT_OK(aclrtHostUnregister(pages.at(0)));
}

TEST_P(AclrtMemcpyBatchSuccess, SuccessLeavesTheLastErrorAlone) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 2);
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(stream_, 0));
  recent_text();
  expect_copies(batch);
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  EXPECT_EQ("", recent_text());
}

TEST_P(AclrtMemcpyBatchSuccess, OneSourceMayGoToManyPlaces) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 50);
  for (size_t index = 1; index < 50; ++index)
    batch.srcs[index] = batch.srcs[0];
  expect_succeeds(batch.arguments(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  std::vector<uint8_t> sent(48);
  std::copy_n(static_cast<uint8_t*>(batch.srcs[0]), 48, sent.begin());
  for (void* const place : batch.dsts) {
    std::vector<uint8_t> arrived(48);
    EXPECT_OK(aclrtMemcpy(arrived.data(), 48, place, 48, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(sent, arrived);
  }
}

TEST_P(AclrtMemcpyBatchSuccess, ThreadsCopyAtOnce) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      Batch batch(index % 2 == 0 ? Way::kToDevice : Way::kToHost,
                  index < 2 ? HostMemory::kPinned : HostMemory::kMixed, 60);
      for (int round = 0; round < 20; ++round) {
        batch.reset();
        expect_copies(batch);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyBatchSuccess, ::testing::ValuesIn(kBatchForms), FormName());

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyBatch_success_test
