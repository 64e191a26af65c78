// SPDX-License-Identifier: Apache-2.0
// libacl_tdt_channel.so: data items and data sets work, channels refuse.
#include "support.h"

#include "acl/acl_tdt.h"

#include <vector>

namespace {

using companion_tests::kBadArgument;
using companion_tests::kRefused;
using companion_tests::recent_text;

TEST(TdtDataItem, HoldsWhatItWasGiven) {
  const int64_t dims[] = {2, 3, 4};
  float data[24] = {};
  acltdtDataItem* item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 3, ACL_FLOAT, data, sizeof data);
  ASSERT_NE(nullptr, item);
  EXPECT_EQ(ACL_TENSOR_DATA_TENSOR, acltdtGetTensorTypeFromItem(item));
  EXPECT_EQ(ACL_FLOAT, acltdtGetDataTypeFromItem(item));
  EXPECT_EQ(data, acltdtGetDataAddrFromItem(item));
  EXPECT_EQ(sizeof data, acltdtGetDataSizeFromItem(item));
  EXPECT_EQ(3u, acltdtGetDimNumFromItem(item));
  int64_t read[4] = {};
  EXPECT_OK(acltdtGetDimsFromItem(item, read, 4));
  EXPECT_EQ(4, read[2]);
  size_t slices = 9;
  size_t slice = 9;
  EXPECT_OK(acltdtGetSliceInfoFromItem(item, &slices, &slice));
  EXPECT_EQ(0u, slices);
  EXPECT_EQ(0u, slice);
  EXPECT_OK(acltdtDestroyDataItem(item));
  EXPECT_FAILS(kBadArgument, acltdtDestroyDataItem(item));
  EXPECT_FAILS(0u, acltdtGetDimNumFromItem(item));
}

TEST(TdtDataItem, RefusesWrongDimensions) {
  const std::vector<int64_t> dims(129, 1);
  const auto create = [&](acltdtTensorType type, const int64_t* given, size_t count) {
    return acltdtCreateDataItem(type, given, count, ACL_FLOAT, nullptr, 0);
  };
  EXPECT_EQ(nullptr, create(ACL_TENSOR_DATA_TENSOR, nullptr, 1));
  EXPECT_EQ(nullptr, create(ACL_TENSOR_DATA_TENSOR, dims.data(), 0));
  EXPECT_EQ(nullptr, create(ACL_TENSOR_DATA_TENSOR, dims.data(), 129));
  EXPECT_EQ(nullptr, create(ACL_TENSOR_DATA_END_OF_SEQUENCE, dims.data(), 1));
  EXPECT_EQ(0u, recent_text().find("acltdtCreateDataItem: "));
  acltdtDataItem* most = create(ACL_TENSOR_DATA_TENSOR, dims.data(), 128);
  ASSERT_NE(nullptr, most);
  int64_t read[128];
  EXPECT_FAILS(kBadArgument, acltdtGetDimsFromItem(most, read, 127));
  EXPECT_FAILS(kBadArgument, acltdtGetDimsFromItem(most, nullptr, 128));
  EXPECT_FAILS(kBadArgument, acltdtGetDimsFromItem(most, read, 0));
  EXPECT_OK(acltdtGetDimsFromItem(most, read, 128));
  EXPECT_OK(acltdtDestroyDataItem(most));
}

TEST(TdtDataItem, ThatIsNoTensorHasNoData) {
  char data[4] = {};
  acltdtDataItem* end = acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, nullptr, 0, ACL_FLOAT,
                                             data, sizeof data);
  ASSERT_NE(nullptr, end);
  EXPECT_EQ(ACL_TENSOR_DATA_END_OF_SEQUENCE, acltdtGetTensorTypeFromItem(end));
  EXPECT_EQ(ACL_DT_UNDEFINED, acltdtGetDataTypeFromItem(end));
  EXPECT_EQ(nullptr, acltdtGetDataAddrFromItem(end));
  EXPECT_EQ(0u, acltdtGetDataSizeFromItem(end));
  EXPECT_OK(acltdtGetDimsFromItem(end, nullptr, 0));
  EXPECT_OK(acltdtDestroyDataItem(end));
}

TEST(TdtDataItem, AnswersNull) {
  size_t slices = 0;
  int64_t dims[1];
  EXPECT_FAILS(ACL_TENSOR_DATA_UNDEFINED, acltdtGetTensorTypeFromItem(nullptr));
  EXPECT_FAILS(ACL_DT_UNDEFINED, acltdtGetDataTypeFromItem(nullptr));
  EXPECT_FAILS(nullptr, acltdtGetDataAddrFromItem(nullptr));
  EXPECT_FAILS(0u, acltdtGetDataSizeFromItem(nullptr));
  EXPECT_FAILS(0u, acltdtGetDimNumFromItem(nullptr));
  EXPECT_FAILS(kBadArgument, acltdtGetSliceInfoFromItem(nullptr, &slices, &slices));
  EXPECT_FAILS(kBadArgument, acltdtGetDimsFromItem(nullptr, dims, 1));
  EXPECT_FAILS(kBadArgument, acltdtDestroyDataItem(nullptr));
  // An address that never was one.
  EXPECT_FAILS(0u, acltdtGetDimNumFromItem(reinterpret_cast<acltdtDataItem*>(16)));
}

TEST(TdtDataset, HoldsItemsInOrder) {
  acltdtDataset* set = acltdtCreateDataset();
  ASSERT_NE(nullptr, set);
  EXPECT_STREQ("", acltdtGetDatasetName(set));
  std::vector<acltdtDataItem*> items;
  for (int i = 0; i < 100; ++i) {
    items.push_back(
        acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, nullptr, 0, ACL_FLOAT, nullptr, 0));
    EXPECT_OK(acltdtAddDataItem(set, items.back()));
  }
  EXPECT_EQ(100u, acltdtGetDatasetSize(set));
  for (size_t i = 0; i < items.size(); ++i)
    EXPECT_EQ(items[i], acltdtGetDataItem(set, i));
  EXPECT_FAILS(nullptr, acltdtGetDataItem(set, 100));
  EXPECT_OK(acltdtDestroyDataset(set));
  for (acltdtDataItem* item : items)
    EXPECT_OK(acltdtDestroyDataItem(item));  // not destroyed with the set
  EXPECT_FAILS(kBadArgument, acltdtDestroyDataset(set));
}

TEST(TdtDataset, DoesNotMixHostAndDevice) {
  ASSERT_OK(aclrtSetDevice(0));
  void* device = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  char host[64];
  const auto item = [](void* data) {
    return acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, nullptr, 0, ACL_INT8, data, 64);
  };
  acltdtDataItem* on_device = item(device);
  acltdtDataItem* on_host = item(host);
  acltdtDataItem* nowhere = item(nullptr);
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_OK(acltdtAddDataItem(set, nowhere));
  EXPECT_OK(acltdtAddDataItem(set, on_device));
  EXPECT_OK(acltdtAddDataItem(set, on_device));
  EXPECT_FAILS(kBadArgument, acltdtAddDataItem(set, on_host));
  EXPECT_EQ(3u, acltdtGetDatasetSize(set));
  EXPECT_OK(acltdtDestroyDataset(set));
  for (acltdtDataItem* one : {on_device, on_host, nowhere})
    EXPECT_OK(acltdtDestroyDataItem(one));
  EXPECT_OK(aclrtFree(device));
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(TdtDataset, AnswersNull) {
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_FAILS(kBadArgument, acltdtAddDataItem(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, acltdtAddDataItem(set, nullptr));
  EXPECT_FAILS(0u, acltdtGetDatasetSize(nullptr));
  EXPECT_FAILS(nullptr, acltdtGetDataItem(nullptr, 0));
  EXPECT_FAILS(nullptr, acltdtGetDatasetName(nullptr));
  EXPECT_FAILS(kBadArgument, acltdtDestroyDataset(nullptr));
  EXPECT_OK(acltdtDestroyDataset(set));
}

TEST(TdtChannel, Refuses) {
  EXPECT_FAILS(nullptr, acltdtCreateChannel(0, "channel"));
  EXPECT_FAILS(nullptr, acltdtCreateChannel(0, nullptr));
  EXPECT_FAILS(nullptr, acltdtCreateChannelWithCapacity(0, "channel", 2));
  auto* const channel = reinterpret_cast<acltdtChannelHandle*>(16);
  acltdtDataset* set = acltdtCreateDataset();
  size_t size = 0;
  EXPECT_FAILS(kRefused, acltdtStopChannel(channel));
  EXPECT_FAILS(kRefused, acltdtDestroyChannel(channel));
  EXPECT_FAILS(kRefused, acltdtCleanChannel(channel));
  EXPECT_FAILS(kRefused, acltdtSendTensor(channel, set, -1));
  EXPECT_FAILS(kRefused, acltdtReceiveTensor(channel, set, -1));
  EXPECT_FAILS(kRefused, acltdtQueryChannelSize(channel, &size));
  EXPECT_FAILS(kBadArgument, acltdtStopChannel(nullptr));
  EXPECT_FAILS(kBadArgument, acltdtDestroyChannel(nullptr));
  EXPECT_FAILS(kBadArgument, acltdtSendTensor(channel, nullptr, -1));
  EXPECT_EQ(kBadArgument, acltdtReceiveTensor(nullptr, set, -1));
  EXPECT_EQ("acltdtReceiveTensor: handle is NULL (EH0009)", recent_text());
  EXPECT_EQ(kBadArgument, acltdtQueryChannelSize(channel, nullptr));
  EXPECT_EQ("acltdtQueryChannelSize: size is NULL (EH0009)", recent_text());
  EXPECT_OK(acltdtDestroyDataset(set));
}

}  // namespace
