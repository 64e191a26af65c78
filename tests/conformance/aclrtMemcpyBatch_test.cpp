// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatch and aclrtMemcpyBatchV2: what only the blocking forms do. What all four forms
// share is in the other aclrtMemcpyBatch files.
#include "support/batch.h"

namespace conformance::copies::aclrtMemcpyBatch_test {
namespace {

class AclrtMemcpyBatch : public WithBatchForm {};

TEST_P(AclrtMemcpyBatch, IsDoneWhenTheCallReturnsAndWaitsForNoStream) {
  Batch batch(Way::kToDevice, HostMemory::kMixed, 20);
  Gate gate(stream_);
  Gate default_gate(nullptr);
  // Runs after the batch, since the stream is blocked until then.
  EXPECT_OK(aclrtMemsetAsync(batch.dsts[3], 48, 0x33, 48, stream_));
  expect_succeeds(batch.arguments());
  EXPECT_TRUE(batch.has_copied_all());
  gate.open();
  default_gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(batch.has_copied_all());
}

TEST_P(AclrtMemcpyBatch, TakesUpTo4096Items) {
  Batch largest(Way::kToDevice, HostMemory::kPinned, 4096, 3);
  expect_succeeds(largest.arguments());
  EXPECT_TRUE(largest.has_copied_all());
  Batch batch(Way::kToDevice, HostMemory::kPinned, 4097, 3);
  // The attributes are checked after the number of items, but their number before it.
  batch.attrs_indexes[0] = 1;
  expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1003", SIZE_MAX, batch.arguments());
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, call(batch.arguments()));
  EXPECT_TRUE(text_has("numBatches"));
  batch.attrs.assign(4098, batch.attr());
  batch.attrs_indexes.assign(4098, 0);
  expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1017", SIZE_MAX, batch.arguments());
  EXPECT_TRUE(batch.has_copied_nothing());
}

TEST_P(AclrtMemcpyBatch, WorksOnAThreadWithoutAContext) {
  for (const Way way : {Way::kToDevice, Way::kToHost}) {
    Batch batch(way, HostMemory::kMixed, 10);
    on_new_thread([&] {
      expect_succeeds(batch.arguments());
      batch.sizes[4] = 0;
      expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1017", 4, batch.arguments());
    });
    EXPECT_TRUE(batch.has_copied_all());
  }
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyBatch, ::testing::ValuesIn(kSyncBatchForms), FormName());

using AclrtMemcpyBatchFailIndex = WithDevice;

TEST_F(AclrtMemcpyBatchFailIndex, MustNotBeNull) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpyBatch(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                                batch.sizes.data(), 3, batch.attrs.data(),
                                batch.attrs_indexes.data(), 1, nullptr));
  EXPECT_TRUE(batch.has_copied_nothing());
}

TEST_F(AclrtMemcpyBatchFailIndex, IsCheckedBeforeAnythingElse) {
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM,
            aclrtMemcpyBatch(nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0, nullptr));
  EXPECT_TRUE(text_has("failIndex"));
  size_t zero = 0;
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM,
            aclrtMemcpyBatch(nullptr, nullptr, nullptr, &zero, 1, nullptr, nullptr, 0, nullptr));
  EXPECT_TRUE(text_has("failIndex"));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

// Items 0 and 1 are on devices 0 and 1, each with its own attribute.
FERRY_PROCESS_TEST(AclrtMemcpyBatchDevices, OneBatchMayServeTwoDevices, "FERRY_DEVICES=cpu:2") {
  TwoDevices devices(48);
  for (const BatchForm& form : kSyncBatchForms) {
    Batch batch(Way::kToDevice, HostMemory::kPinned, 2);
    batch.give_each_item_an_attribute();
    batch.attrs[1].dstLoc.id = 1;
    const std::vector<void*> sources = batch.srcs;
    for (int32_t device = 0; device < 2; ++device)
      batch.dsts[static_cast<size_t>(device)] = devices.buffer(device).get();
    EXPECT_OK(call_batch(form, batch.arguments()));
    for (int32_t device = 0; device < 2; ++device) {
      const auto* const sent = static_cast<uint8_t*>(sources[static_cast<size_t>(device)]);
      EXPECT_EQ(std::vector<uint8_t>(sent, sent + 48), devices.buffer(device).read());
    }
  }
}

FERRY_PROCESS_TEST(AclrtMemcpyBatchDevices, TheNumberOfTheDeviceIsCompared, "FERRY_DEVICES=cpu:2") {
  TwoDevices devices(48);
  for (const BatchForm& form : kBatchForms) {
    SCOPED_TRACE(form.name);
    Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
    batch.dsts[2] = devices.buffer(1).get();
    EXPECT_TRUE(failed_as(form.name, ACL_ERROR_RT_PARAM_INVALID, "EE1017",
                          call_batch(form, batch.arguments())));
    EXPECT_EQ(form.has_fail_index ? 2 : Batch::kNotWritten, batch.fail_index);
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_TRUE(batch.has_copied_nothing());
    EXPECT_EQ(pattern(48, 2), devices.buffer(1).read());
  }
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyBatch_test
