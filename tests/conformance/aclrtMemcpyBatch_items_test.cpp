// SPDX-License-Identifier: Apache-2.0
// The four batch copies: what they refuse in single items, in which order, and that nothing is
// copied then.
#include "support/batch.h"

namespace conformance::copies::aclrtMemcpyBatch_items_test {
namespace {

constexpr aclrtMemLocation kHost = {0, ACL_MEM_LOCATION_TYPE_HOST};
constexpr aclrtMemLocation kDevice = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
constexpr aclrtMemLocation kDevice1 = {1, ACL_MEM_LOCATION_TYPE_DEVICE};

class AclrtMemcpyBatchItems : public WithBatchForm {
 protected:
  // A faulty item: 107000, nothing is copied, and nothing is queued.
  void expect_item_at_fault(const char* message_code, size_t fail_index, Batch& batch) {
    clear_errors();
    expect_fails(ACL_ERROR_RT_PARAM_INVALID, message_code, fail_index, batch.arguments(stream_));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(batch.has_copied_nothing());
  }

  // As above, with a word that the text must contain.
  void expect_item_at_fault(const char* message_code, size_t fail_index, Batch& batch,
                            const char* word) {
    expect_item_at_fault(message_code, fail_index, batch);
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, call(batch.arguments(stream_)));
    EXPECT_TRUE(text_has(word));
  }
};

TEST_P(AclrtMemcpyBatchItems, RefusesAnEmptyItemAmongOthers) {
  for (const size_t index : {size_t{0}, size_t{2}, size_t{4}}) {
    Batch batch(Way::kToDevice, HostMemory::kMixed, 5);
    batch.sizes[index] = 0;
    batch.srcs[index] = nullptr;
    expect_item_at_fault("EE1017", index, batch);
  }
}

TEST_P(AclrtMemcpyBatchItems, RefusesANullSourceBeforeANullDestination) {
  for (const size_t index : {size_t{0}, size_t{2}, size_t{4}}) {
    Batch batch(Way::kToDevice, HostMemory::kMixed, 5);
    batch.srcs[index] = nullptr;
    batch.dsts[index] = nullptr;
    expect_item_at_fault("EE1004", index, batch, "src");
  }
}

TEST_P(AclrtMemcpyBatchItems, RefusesANullDestination) {
  for (const size_t index : {size_t{0}, size_t{2}, size_t{4}}) {
    Batch batch(Way::kToHost, HostMemory::kMixed, 5);
    batch.dsts[index] = nullptr;
    expect_item_at_fault("EE1004", index, batch, "dst");
  }
}

TEST_P(AclrtMemcpyBatchItems, NullIsFoundBeforeAWrongLocation) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  batch.attrs[0].dstLoc = kHost;
  batch.dsts[0] = nullptr;
  expect_item_at_fault("EE1004", 0, batch);
}

TEST_P(AclrtMemcpyBatchItems, RefusesADestinationElsewhereThanItsAttributeSays) {
  Batch to_device(Way::kToDevice, HostMemory::kPinned, 3);
  to_device.attrs[0].dstLoc = kHost;
  expect_item_at_fault("EE1017", 0, to_device, "dst");
  to_device.attrs[0].dstLoc = kDevice1;
  expect_item_at_fault("EE1017", 0, to_device, "dst");
  Batch to_host(Way::kToHost, HostMemory::kPageable, 3);
  to_host.attrs[0].dstLoc = kDevice;
  expect_item_at_fault("EE1017", 0, to_host, "dst");
}

TEST_P(AclrtMemcpyBatchItems, RefusesASourceElsewhereThanItsAttributeSays) {
  Batch to_host(Way::kToHost, HostMemory::kPinned, 3);
  to_host.attrs[0].srcLoc = kHost;
  expect_item_at_fault("EE1017", 0, to_host, "src");
  to_host.attrs[0].srcLoc = kDevice1;
  expect_item_at_fault("EE1017", 0, to_host, "src");
  Batch to_device(Way::kToDevice, HostMemory::kPageable, 3);
  to_device.attrs[0].srcLoc = kDevice;
  expect_item_at_fault("EE1017", 0, to_device, "src");
}

TEST_P(AclrtMemcpyBatchItems, TheDestinationIsJudgedBeforeTheSource) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  batch.attrs[0].dstLoc = kHost;
  batch.attrs[0].srcLoc = kDevice;
  expect_item_at_fault("EE1017", 0, batch, "dst");
}

TEST_P(AclrtMemcpyBatchItems, TypesThatNeverFit) {
  for (const int type : {int{ACL_MEM_LOCATION_TYPE_UNREGISTERED},
                         int{ACL_MEM_LOCATION_TYPE_MANAGED}, 5, -1, 0x7FFFFFFF}) {
    const aclrtMemLocation location = {0, static_cast<aclrtMemLocationType>(type)};
    Batch to_device(Way::kToDevice, HostMemory::kPageable, 2);
    to_device.attrs[0].srcLoc = location;
    expect_item_at_fault("EE1017", 0, to_device, "src");
    to_device.attrs[0].dstLoc = location;
    expect_item_at_fault("EE1017", 0, to_device, "dst");
  }
}

TEST_P(AclrtMemcpyBatchItems, EachItemIsComparedWithItsOwnAttribute) {
  Batch batch(Way::kToDevice, HostMemory::kMixed, 10);
  batch.attrs.assign(2, batch.attr());
  batch.attrs_indexes = {0, 6};
  batch.attrs[1].srcLoc = kDevice;
  expect_item_at_fault("EE1017", 6, batch);
  batch.attrs_indexes = {0, 9};
  expect_item_at_fault("EE1017", 9, batch);
  batch.give_each_item_an_attribute();
  batch.attrs[3].dstLoc = kDevice1;
  expect_item_at_fault("EE1017", 3, batch);
}

TEST_P(AclrtMemcpyBatchItems, RefusesBothSidesOnTheHost) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  PinnedBuffer pinned(48);
  std::vector<uint8_t> pageable(48);
  batch.give_each_item_an_attribute();
  batch.attrs[2].dstLoc = kHost;
  for (void* const address : {pinned.get(), static_cast<void*>(pageable.data())}) {
    batch.dsts[2] = address;
    expect_item_at_fault("EE1016", 2, batch);
  }
}

TEST_P(AclrtMemcpyBatchItems, RefusesBothSidesOnADevice) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  const DeviceBuffer device(48);
  batch.give_each_item_an_attribute();
  batch.attrs[1].srcLoc = kDevice;
  batch.srcs[1] = device.get();
  expect_item_at_fault("EE1016", 1, batch);
}

TEST_P(AclrtMemcpyBatchItems, RefusesTwoDirectionsInOneCall) {
  for (const Way way : {Way::kToDevice, Way::kToHost}) {
    Batch batch(way, HostMemory::kMixed, 5);
    batch.give_each_item_an_attribute();
    for (const size_t index : {size_t{3}, size_t{4}}) {
      std::swap(batch.dsts[index], batch.srcs[index]);
      std::swap(batch.attrs[index].dstLoc, batch.attrs[index].srcLoc);
    }
    expect_item_at_fault("", 3, batch);
  }
}

TEST_P(AclrtMemcpyBatchItems, TheFirstItemAtFaultIsNamedWhateverItsFault) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 6);
  batch.give_each_item_an_attribute();
  std::swap(batch.dsts[1], batch.srcs[1]);
  std::swap(batch.attrs[1].dstLoc, batch.attrs[1].srcLoc);
  batch.attrs[2].srcLoc = kDevice;
  batch.srcs[3] = nullptr;
  batch.sizes[4] = 0;
  expect_item_at_fault("", 1, batch);
  std::swap(batch.dsts[1], batch.srcs[1]);
  std::swap(batch.attrs[1].dstLoc, batch.attrs[1].srcLoc);
  expect_item_at_fault("EE1017", 2, batch);
  batch.attrs[2].srcLoc = kHost;
  expect_item_at_fault("EE1004", 3, batch);
}

TEST_P(AclrtMemcpyBatchItems, TheLastOfManyItemsIsCheckedToo) {
  for (const HostMemory memory : {HostMemory::kPinned, HostMemory::kMixed}) {
    Batch batch(Way::kToHost, memory, 4096, 3);
    batch.srcs[4095] = nullptr;
    expect_item_at_fault("EE1004", 4095, batch);
  }
}

TEST_P(AclrtMemcpyBatchItems, RangesOfPageableItemsAreJudgedAtTheCall) {
  Batch batch(Way::kToDevice, HostMemory::kMixed, 6);
  batch.srcs[3] = unmapped_address();
  expect_item_at_fault("", 3, batch);
  Batch back(Way::kToHost, HostMemory::kMixed, 6);
  back.dsts[5] = unmapped_address();
  expect_item_at_fault("", 5, back);
}

TEST_P(AclrtMemcpyBatchItems, PagesWithoutAccessAreUnmapped) {
  HostPages pages(2);
  pages.forbid(1);
  Batch batch(Way::kToDevice, HostMemory::kPinned, 4);
  batch.srcs[2] = pages.at(HostPages::page() - 10);
  expect_item_at_fault("", 2, batch);
}

TEST_P(AclrtMemcpyBatchItems, TheDeviceSideOfAPageableItemIsJudgedAtTheCall) {
  Batch batch(Way::kToDevice, HostMemory::kMixed, 4);
  const DeviceBuffer small(8);
  std::vector<uint8_t> host(padded(8) + 1);
  batch.dsts[1] = small.get();
  batch.srcs[1] = host.data();
  batch.sizes[1] = host.size();
  batch.dest_maxs[1] = host.size();
  expect_item_at_fault("", 1, batch);
}

TEST_P(AclrtMemcpyBatchItems, RangesOfPinnedItemsAreJudgedWhenTheCopyRuns) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 4);
  PinnedBuffer small(8);
  batch.srcs[2] = small.get();
  if (form().is_async) {
    expect_succeeds(batch.arguments(stream_));
    EXPECT_TRUE(task_failed(stream_, name()));
  } else {
    expect_item_at_fault("", 2, batch);
  }
}

TEST_P(AclrtMemcpyBatchItems, ABadRangeIsAFaultOfItsItem) {
  Batch batch(Way::kToDevice, HostMemory::kPageable, 4);
  batch.srcs[1] = unmapped_address();
  batch.sizes[2] = 0;
  expect_item_at_fault("", 1, batch);
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyBatchItems, ::testing::ValuesIn(kBatchForms), FormName());

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyBatch_items_test
