// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatchAsync and aclrtMemcpyBatchAsyncV2: order, blocking, streams, and failures at
// execution. What all four forms share is in the aclrtMemcpyBatch files.
#include "support/batch.h"

namespace conformance::copies::aclrtMemcpyBatchAsync_test {
namespace {

class AclrtMemcpyBatchAsync : public WithBatchForm {};

TEST_P(AclrtMemcpyBatchAsync, PinnedItemsAreQueued) {
  for (const Way way : {Way::kToDevice, Way::kToHost}) {
    Batch batch(way, HostMemory::kPinned, 30);
    Gate gate(stream_);
    expect_succeeds(batch.arguments(stream_));
    EXPECT_TRUE(batch.has_copied_nothing()) << "copied too early";
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(batch.has_copied_all());
  }
}

TEST_P(AclrtMemcpyBatchAsync, TheArraysAreReadDuringTheCallOnly) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 30);
  Gate gate(stream_);
  {
    std::vector<void*> dsts = batch.dsts;
    std::vector<void*> srcs = batch.srcs;
    std::vector<size_t> sizes = batch.sizes;
    std::vector<aclrtMemcpyBatchAttr> attrs = batch.attrs;
    std::vector<size_t> indexes = batch.attrs_indexes;
    size_t fail_index = 0;
    expect_succeeds({dsts.data(), sizes.data(), srcs.data(), sizes.data(), 30, attrs.data(),
                     indexes.data(), 1, &fail_index, stream_});
    std::fill(dsts.begin(), dsts.end(), nullptr);
    std::fill(srcs.begin(), srcs.end(), nullptr);
    std::fill(sizes.begin(), sizes.end(), SIZE_MAX);
  }
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_P(AclrtMemcpyBatchAsync, KeepsItsPlaceInTheStream) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 30);
  std::vector<uint8_t> first(48, 0x66);
  PinnedBuffer seen(48);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(batch.dsts[5], 48, 0x66, 48, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(seen.get(), 48, batch.dsts[5], 48, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  expect_succeeds(batch.arguments(stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(first, seen.copy());
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_P(AclrtMemcpyBatchAsync, NullNamesTheDefaultStream) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  Gate gate(nullptr);
  expect_succeeds(batch.arguments(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(batch.has_copied_nothing());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_P(AclrtMemcpyBatchAsync, PageableItemsMakeTheCallWaitForTheStream) {
  for (const HostMemory memory : {HostMemory::kPageable, HostMemory::kMixed}) {
    Batch batch(Way::kToDevice, memory, 7);
    Gate gate(stream_);
    // The items must come after these fills.
    for (void* const place : batch.dsts)
      EXPECT_OK(aclrtMemsetAsync(place, 48, 0, 48, stream_));
    CallOnThread call_on_thread([&] { return call(batch.arguments(stream_)); });
    EXPECT_FALSE(call_on_thread.has_returned());
    gate.open();
    EXPECT_EQ(ACL_SUCCESS, call_on_thread.result()) << call_on_thread.text();
    // Pinned items are complete too: the call has waited for the stream.
    EXPECT_TRUE(batch.has_copied_all());
    // Copies that ran before the fills would be overwritten by now.
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(batch.has_copied_all());
  }
}

TEST_P(AclrtMemcpyBatchAsync, ReadsWhatTheStreamWroteBeforePageableItems) {
  Batch batch(Way::kToHost, HostMemory::kMixed, 4);
  Gate gate(stream_);
  for (void* const place : batch.srcs)
    EXPECT_OK(aclrtMemsetAsync(place, 48, 0x3c, 48, stream_));
  CallOnThread call_on_thread([&] { return call(batch.arguments(stream_)); });
  EXPECT_FALSE(call_on_thread.has_returned());
  gate.open();
  EXPECT_EQ(ACL_SUCCESS, call_on_thread.result()) << call_on_thread.text();
  for (void* const place : batch.dsts) {
    const auto* const bytes = static_cast<uint8_t*>(place);
    EXPECT_EQ(std::vector<uint8_t>(48, 0x3c), std::vector<uint8_t>(bytes, bytes + 48));
  }
}

TEST_P(AclrtMemcpyBatchAsync, PageableItemsGetTheFailureOfAnEarlierTask) {
  Batch batch(Way::kToDevice, HostMemory::kPageable, 4);
  const DeviceBuffer device(8);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 1000, 0, 1000, stream_));
  expect_fails(ACL_ERROR_RT_TS_ERROR, "", SIZE_MAX, batch.arguments(stream_));
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, last_error());
  EXPECT_TRUE(batch.has_copied_nothing());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  expect_succeeds(batch.arguments(stream_));
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_P(AclrtMemcpyBatchAsync, TheFailureNamesTheCallThatQueuedTheTask) {
  Batch batch(Way::kToDevice, HostMemory::kPageable, 4);
  const DeviceBuffer device(8);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 1000, 0, 1000, stream_));
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, call(batch.arguments(stream_)));
  EXPECT_TRUE(text_has("aclrtMemsetAsync"));
}

TEST_P(AclrtMemcpyBatchAsync, AFailureOfItsOwnPinnedItemsStopsThePageableOnes) {
  Batch batch(Way::kToDevice, HostMemory::kMixed, 6);
  PinnedBuffer small(8);
  batch.srcs[2] = small.get();
  expect_fails(ACL_ERROR_RT_TS_ERROR, "", SIZE_MAX, batch.arguments(stream_));
  for (const size_t index : {size_t{1}, size_t{3}, size_t{5}}) {
    std::vector<uint8_t> arrived(48);
    EXPECT_OK(aclrtMemcpy(arrived.data(), 48, batch.dsts[index], 48, ACL_MEMCPY_DEVICE_TO_HOST));
    const auto* const sent = static_cast<uint8_t*>(batch.srcs[index]);
    EXPECT_FALSE(std::equal(arrived.begin(), arrived.end(), sent)) << "item " << index;
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_P(AclrtMemcpyBatchAsync, TakesMoreThan4096Items) {
  for (const HostMemory memory : {HostMemory::kPinned, HostMemory::kMixed}) {
    Batch batch(Way::kToHost, memory, 9001, 3);
    expect_succeeds(batch.arguments(stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(batch.has_copied_all());
  }
}

TEST_P(AclrtMemcpyBatchAsync, TakesOneAttributeForEachOfMoreThan4096Items) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 5000, 3);
  batch.give_each_item_an_attribute();
  expect_succeeds(batch.arguments(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_P(AclrtMemcpyBatchAsync, RefusesHandlesThatAreNoStreamsBeforeTheAttributes) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  const BadStreams bad;
  for (const BadStreams::Entry& entry : bad.all()) {
    SCOPED_TRACE(entry.what);
    BatchArguments arguments = batch.arguments(entry.handle);
    expect_fails(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", SIZE_MAX, arguments);
    arguments.attr_count = 0;
    expect_fails(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", SIZE_MAX, arguments);
    EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
    on_new_thread([&] {
      expect_fails(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", SIZE_MAX, batch.arguments(entry.handle));
    });
  }
}

TEST_P(AclrtMemcpyBatchAsync, RefusesAStreamOfAnotherContextForPinnedItems) {
  const OtherContext other;
  for (const HostMemory memory : {HostMemory::kPinned, HostMemory::kMixed}) {
    Batch batch(Way::kToDevice, memory, 5);
    expect_fails(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010", SIZE_MAX, batch.arguments(other.stream()));
    EXPECT_EQ(ACL_ERROR_RT_STREAM_CONTEXT, last_error());
    EXPECT_OK(aclrtSynchronizeStream(other.stream()));
    EXPECT_TRUE(batch.has_copied_nothing());
    // Items are checked first.
    batch.sizes[4] = 0;
    expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1017", 4, batch.arguments(other.stream()));
  }
}

TEST_P(AclrtMemcpyBatchAsync, TakesAStreamOfAnotherContextForPageableItems) {
  const OtherContext other;
  Batch batch(Way::kToDevice, HostMemory::kPageable, 5);
  other.enter();
  Gate gate(other.stream());
  EXPECT_OK(aclrtMemsetAsync(batch.dsts[2], 48, 0, 48, other.stream()));
  other.leave();
  CallOnThread call_on_thread([&] { return call(batch.arguments(other.stream())); });
  EXPECT_FALSE(call_on_thread.has_returned());
  gate.open();
  EXPECT_EQ(ACL_SUCCESS, call_on_thread.result()) << call_on_thread.text();
  EXPECT_OK(aclrtSynchronizeStream(other.stream()));
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_P(AclrtMemcpyBatchAsync, AQueuedItemOutsideItsAllocationFailsOnTheStream) {
  const DeviceBuffer small(8);
  Batch to_device(Way::kToDevice, HostMemory::kPinned, 4, 100);
  to_device.dsts[3] = small.get();
  expect_succeeds(to_device.arguments(stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
  Batch to_host(Way::kToHost, HostMemory::kPinned, 4, 100);
  to_host.srcs[0] = small.get();
  expect_succeeds(to_host.arguments(stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
}

TEST_P(AclrtMemcpyBatchAsync, MemoryFreedBeforeTheBatchRunsFailsIt) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 4);
  void* device = nullptr;
  void* host = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 48, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMallocHost(&host, 48));
  void* const live_dst = batch.dsts[1];
  batch.dsts[1] = device;
  {
    Gate gate(stream_);
    expect_succeeds(batch.arguments(stream_));
    EXPECT_OK(aclrtFree(device));
    gate.open();
    EXPECT_TRUE(task_failed(stream_, name()));
  }
  batch.dsts[1] = live_dst;
  batch.srcs[1] = host;
  Gate gate(stream_);
  expect_succeeds(batch.arguments(stream_));
  EXPECT_OK(aclrtFreeHost(host));
  gate.open();
  EXPECT_TRUE(task_failed(stream_, name()));
}

TEST_P(AclrtMemcpyBatchAsync, AStoppedContextRefusesBatches) {
  for (const HostMemory memory : {HostMemory::kPinned, HostMemory::kPageable, HostMemory::kMixed}) {
    Batch batch(Way::kToDevice, memory, 4);
    {
      const StoppedContext stopped;
      expect_fails(ACL_ERROR_RT_TS_ERROR, "", SIZE_MAX, batch.arguments(stopped.stream()));
      expect_fails(ACL_ERROR_RT_TS_ERROR, "", SIZE_MAX, batch.arguments(nullptr));
      EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, last_error());
    }
    EXPECT_TRUE(batch.has_copied_nothing());
  }
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyBatchAsync, ::testing::ValuesIn(kAsyncBatchForms),
                         FormName());

using AclrtMemcpyBatchAsyncFailIndex = WithDevice;

TEST_F(AclrtMemcpyBatchAsyncFailIndex, MustNotBeNull) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpyBatchAsync(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                                     batch.sizes.data(), 3, batch.attrs.data(),
                                     batch.attrs_indexes.data(), 1, nullptr, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(batch.has_copied_nothing());
}

TEST_F(AclrtMemcpyBatchAsyncFailIndex, IsCheckedBeforeAnythingElse) {
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM,
            aclrtMemcpyBatchAsync(nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0,
                                  nullptr, unmapped_address()));
  EXPECT_TRUE(text_has("failIndex"));
  size_t zero = 0;
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtMemcpyBatchAsync(nullptr, nullptr, nullptr, &zero, 1,
                                                           nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_TRUE(text_has("failIndex"));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyBatchAsync_test
