// SPDX-License-Identifier: Apache-2.0
// The four batch copies: what they refuse before they check single items, and in which order.
// Faults of items are in aclrtMemcpyBatch_items_test.cpp; bad streams and a missing failIndex are
// with the functions that have these parameters.
#include "support/batch.h"

namespace conformance::copies::aclrtMemcpyBatch_errors_test {
namespace {

class AclrtMemcpyBatchErrors : public WithBatchForm {
 protected:
  // A stream handle that the asynchronous forms refuse; the others ignore it.
  static aclrtStream bad_stream() { return unmapped_address(); }
};

TEST_P(AclrtMemcpyBatchErrors, RefusesNullSizesBeforeTheirNumber) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  BatchArguments arguments = batch.arguments(bad_stream());
  arguments.sizes = nullptr;
  expect_fails(ACL_ERROR_INVALID_PARAM, "EH0008", SIZE_MAX, arguments);
  arguments.count = 0;
  arguments.dsts = nullptr;
  expect_fails(ACL_ERROR_INVALID_PARAM, "EH0008", SIZE_MAX, arguments);
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, call(arguments));
  EXPECT_TRUE(text_has("sizes"));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_P(AclrtMemcpyBatchErrors, RefusesABatchWithoutItemsBeforeTheOtherArrays) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  BatchArguments arguments = batch.arguments(bad_stream());
  arguments.count = 0;
  expect_fails(ACL_ERROR_INVALID_PARAM, "EH0007", SIZE_MAX, arguments);
  arguments.dsts = nullptr;
  arguments.attr_count = 0;
  expect_fails(ACL_ERROR_INVALID_PARAM, "EH0007", SIZE_MAX, arguments);
}

TEST_P(AclrtMemcpyBatchErrors, ABatchOfEmptyItemsSucceedsWhateverTheOtherArguments) {
  std::vector<size_t> sizes(5000, 0);
  BatchArguments arguments = {};
  arguments.sizes = sizes.data();
  arguments.stream = bad_stream();
  for (const size_t count : {size_t{1}, size_t{5000}}) {
    arguments.count = count;
    expect_succeeds(arguments);
    on_new_thread([&] { expect_succeeds(arguments); });
  }
  EXPECT_EQ("", recent_text());
}

TEST_P(AclrtMemcpyBatchErrors, RefusesNullArraysInTheirOrder) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  batch.attrs[0].rsv[0] = 1;
  batch.dest_maxs[0] = 1;
  // Each step restores one array; the next missing one is named.
  BatchArguments arguments = batch.arguments(bad_stream());
  const BatchArguments whole = arguments;
  arguments.dsts = nullptr;
  arguments.dest_maxs = nullptr;
  arguments.srcs = nullptr;
  arguments.attrs = nullptr;
  arguments.attrs_indexes = nullptr;
  arguments.attr_count = 0;
  const auto check = [&](const char* missing) {
    expect_fails(ACL_ERROR_INVALID_PARAM, "EH0008", SIZE_MAX, arguments);
    EXPECT_EQ(ACL_ERROR_INVALID_PARAM, call(arguments));
    EXPECT_TRUE(text_has(std::string(missing) + " "));
  };
  check("dsts");
  arguments.dsts = whole.dsts;
  check("destMaxs");
  arguments.dest_maxs = whole.dest_maxs;
  check("srcs");
  arguments.srcs = whole.srcs;
  check("attrs");
  arguments.attrs = whole.attrs;
  check("attrsIndexes");
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_P(AclrtMemcpyBatchErrors, RefusesASizeAboveItsDestMaxAndNamesTheFirst) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 6);
  batch.dest_maxs[2] = 47;
  batch.dest_maxs[4] = 0;
  // The next checks would fail too.
  batch.attrs[0].rsv[3] = 9;
  const BatchArguments arguments = batch.arguments(bad_stream());
  expect_fails(ACL_ERROR_INVALID_PARAM, "EH0009", 2, arguments);
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, call(arguments));
  EXPECT_TRUE(text_has("[2]"));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_TRUE(batch.has_copied_nothing());
}

TEST_P(AclrtMemcpyBatchErrors, ASizeOfSizeMaxNeedsThatMuchRoom) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 2);
  batch.sizes[1] = SIZE_MAX;
  expect_fails(ACL_ERROR_INVALID_PARAM, "EH0009", 1, batch.arguments(stream_));
}

TEST_P(AclrtMemcpyBatchErrors, RefusesReservedBytesThatAreNotZero) {
  for (const size_t byte : {size_t{0}, size_t{15}}) {
    for (const size_t attr : {size_t{0}, size_t{2}}) {
      Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
      batch.give_each_item_an_attribute();
      batch.attrs[attr].rsv[byte] = 1;
      batch.attrs_indexes[0] = 1;
      batch.srcs[0] = nullptr;
      expect_fails(ACL_ERROR_INVALID_PARAM, "EH0007", SIZE_MAX, batch.arguments(bad_stream()));
      EXPECT_TRUE(batch.has_copied_nothing());
    }
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_P(AclrtMemcpyBatchErrors, LooksOnlyAtTheAttributesThatCount) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  batch.give_each_item_an_attribute();
  batch.attrs[1].rsv[0] = 1;
  batch.attrs_indexes[1] = 99;
  BatchArguments arguments = batch.arguments(stream_);
  arguments.attr_count = 1;
  expect_succeeds(arguments);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_P(AclrtMemcpyBatchErrors, NeedsAtLeastOneAttribute) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  batch.attrs_indexes[0] = 1;
  BatchArguments arguments = batch.arguments(stream_);
  arguments.attr_count = 0;
  expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1003", SIZE_MAX, arguments);
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, call(arguments));
  EXPECT_TRUE(text_has("numAttrs"));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
}

TEST_P(AclrtMemcpyBatchErrors, TakesAtMostOneAttributeForEachItem) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
  batch.give_each_item_an_attribute();
  batch.attrs.push_back(batch.attr());
  batch.attrs_indexes.push_back(3);
  batch.attrs_indexes[0] = 1;
  expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1017", SIZE_MAX, batch.arguments(stream_));
}

TEST_P(AclrtMemcpyBatchErrors, TheFirstAttributeBeginsWithItemZero) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 4);
  batch.attrs.assign(2, batch.attr());
  batch.attrs_indexes = {1, 1};
  batch.srcs[0] = nullptr;
  expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1003", SIZE_MAX, batch.arguments(stream_));
  batch.attrs_indexes = {SIZE_MAX, 2};
  expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1003", SIZE_MAX, batch.arguments(stream_));
  EXPECT_TRUE(batch.has_copied_nothing());
}

TEST_P(AclrtMemcpyBatchErrors, TheIndexesOfAttributesRiseAndStayBelowTheNumberOfItems) {
  const std::vector<std::vector<size_t>> wrong = {{0, 0, 1}, {0, 1, 1},        {0, 2, 1}, {0, 1, 4},
                                                  {0, 4, 5}, {0, 1, SIZE_MAX}, {0, 5, 2}};
  for (const std::vector<size_t>& indexes : wrong) {
    Batch batch(Way::kToDevice, HostMemory::kPinned, 4);
    batch.attrs.assign(3, batch.attr());
    batch.attrs_indexes = indexes;
    batch.sizes[0] = 0;
    expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1017", SIZE_MAX, batch.arguments(stream_));
    EXPECT_TRUE(batch.has_copied_nothing());
  }
}

TEST_P(AclrtMemcpyBatchErrors, OnlyTheAsynchronousFormsNeedAContext) {
  Batch batch(Way::kToDevice, HostMemory::kMixed, 4);
  on_new_thread([&] {
    if (!form().is_async) {
      expect_succeeds(batch.arguments());
      return;
    }
    BatchArguments arguments = batch.arguments(stream_);
    expect_fails(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", SIZE_MAX, arguments);
    arguments.stream = nullptr;
    expect_fails(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", SIZE_MAX, arguments);
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
    // Checked before the items and after the attributes.
    batch.srcs[0] = nullptr;
    expect_fails(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", SIZE_MAX, arguments);
    batch.attrs_indexes[0] = 2;
    expect_fails(ACL_ERROR_RT_PARAM_INVALID, "EE1003", SIZE_MAX, arguments);
  });
  EXPECT_TRUE(form().is_async ? batch.has_copied_nothing() : batch.has_copied_all());
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyBatchErrors, ::testing::ValuesIn(kBatchForms), FormName());

// The codes of a product without batch copies, for all four forms.
void check_product_without_batches() {
  ASSERT_OK(aclrtSetDevice(0));
  {
    Batch batch(Way::kToDevice, HostMemory::kPinned, 3);
    for (const BatchForm& form : kBatchForms) {
      SCOPED_TRACE(form.name);
      clear_errors();
      batch.fail_index = Batch::kNotWritten;
      BatchArguments arguments = batch.arguments(unmapped_address());
      EXPECT_TRUE(
          failed_as(form.name, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "", call_batch(form, arguments)));
      EXPECT_EQ(form.has_fail_index ? SIZE_MAX : Batch::kNotWritten, batch.fail_index);
      EXPECT_EQ(ACL_SUCCESS, last_error());
      arguments.attr_count = 0;
      EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, call_batch(form, arguments));
      arguments.sizes = nullptr;
      EXPECT_EQ(ACL_ERROR_INVALID_PARAM, call_batch(form, arguments));
      batch.dest_maxs[1] = 1;
      EXPECT_EQ(ACL_ERROR_INVALID_PARAM, call_batch(form, batch.arguments()));
      batch.dest_maxs[1] = batch.sizes[1];
      std::vector<size_t> zeros(3, 0);
      arguments.sizes = zeros.data();
      EXPECT_OK(call_batch(form, arguments));
    }
    EXPECT_TRUE(batch.has_copied_nothing());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtMemcpyBatchProducts, Ascend310PHasNone, "FERRY_SOC=Ascend310P3") {
  check_product_without_batches();
}

FERRY_PROCESS_TEST(AclrtMemcpyBatchProducts, Ascend310BHasNone, "FERRY_SOC=Ascend310B4") {
  check_product_without_batches();
}

FERRY_PROCESS_TEST(AclrtMemcpyBatchProducts, TheFirstAscend910HasNone, "FERRY_SOC=Ascend910A") {
  check_product_without_batches();
}

// The codes of a product with batch copies, for all four forms.
void check_product_with_batches() {
  ASSERT_OK(aclrtSetDevice(0));
  {
    Batch batch(Way::kToHost, HostMemory::kMixed, 3);
    for (const BatchForm& form : kBatchForms) {
      SCOPED_TRACE(form.name);
      batch.reset();
      EXPECT_OK(call_batch(form, batch.arguments()));
      EXPECT_OK(aclrtSynchronizeStream(nullptr));
      EXPECT_TRUE(batch.has_copied_all());
    }
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtMemcpyBatchProducts, A3HasThem, "FERRY_SOC=Ascend910_9392") {
  check_product_with_batches();
}

FERRY_PROCESS_TEST(AclrtMemcpyBatchProducts, Ascend950HasThem, "FERRY_SOC=Ascend950PR_9599") {
  check_product_with_batches();
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyBatch_errors_test
