// SPDX-License-Identifier: Apache-2.0
// libacl_tdt_queue.so: attributes, routes and buffers work, queues refuse.
#include "support.h"

#include "acl/acl_tdt_queue.h"

#include <string>

namespace {

using companion_tests::kBadArgument;
using companion_tests::kRefused;
using companion_tests::recent_text;

TEST(TdtQueueAttribute, StartsWithDefaults) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  ASSERT_NE(nullptr, attr);
  const char* name = nullptr;
  size_t size = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof name, &size, &name));
  EXPECT_STREQ("", name);
  EXPECT_EQ(8u, size);
  uint32_t depth = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof depth, &size, &depth));
  EXPECT_EQ(8u, depth);
  EXPECT_EQ(4u, size);
  EXPECT_OK(acltdtDestroyQueueAttr(attr));
  EXPECT_FAILS(kBadArgument, acltdtDestroyQueueAttr(attr));
  EXPECT_FAILS(kBadArgument, acltdtDestroyQueueAttr(nullptr));
}

TEST(TdtQueueAttribute, KeepsNameAndDepth) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  const std::string longest(127, 'n');
  const char* text = longest.c_str();
  EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof text, &text));
  const uint32_t depth = 33;
  EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof depth, &depth));
  const char* name = nullptr;
  size_t size = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 16, &size, &name));
  EXPECT_EQ(longest, name);
  uint32_t read = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &size, &read));
  EXPECT_EQ(33u, read);

  const std::string too_long(128, 'n');
  const char* wrong = too_long.c_str();
  const char* none = nullptr;
  EXPECT_FAILS(kBadArgument, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, &wrong));
  EXPECT_FAILS(kBadArgument, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, &none));
  EXPECT_FAILS(kBadArgument, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 9, &text));
  EXPECT_FAILS(kBadArgument, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 5, &depth));
  EXPECT_FAILS(kBadArgument, acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, nullptr));
  EXPECT_FAILS(kBadArgument, acltdtSetQueueAttr(nullptr, ACL_TDT_QUEUE_NAME_PTR, 8, &text));
  const auto unknown = companion_tests::as_enum<acltdtQueueAttrType>(2);
  EXPECT_FAILS(kBadArgument, acltdtSetQueueAttr(attr, unknown, 4, &depth));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueAttr(attr, unknown, 8, &size, &name));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 7, &size, &name));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 3, &size, &read));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, nullptr, &name));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, &size, nullptr));
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, &size, &name));
  EXPECT_EQ(longest, name);  // failures have changed nothing
  EXPECT_OK(acltdtDestroyQueueAttr(attr));
}

TEST(TdtQueueRoute, HasItsParameters) {
  acltdtQueueRoute* route = acltdtCreateQueueRoute(3, 4);
  ASSERT_NE(nullptr, route);
  uint32_t value = 0;
  size_t size = 0;
  EXPECT_OK(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 4, &size, &value));
  EXPECT_EQ(3u, value);
  EXPECT_EQ(4u, size);
  EXPECT_OK(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_DST_UINT32, 4, &size, &value));
  EXPECT_EQ(4u, value);
  EXPECT_OK(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_STATUS_INT32, 4, &size, &value));
  EXPECT_EQ(0u, value);
  const auto source = ACL_TDT_QUEUE_ROUTE_SRC_UINT32;
  EXPECT_FAILS(kBadArgument, acltdtGetQueueRouteParam(route, source, 3, &size, &value));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueRouteParam(nullptr, source, 4, &size, &value));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueRouteParam(route, source, 4, nullptr, &value));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueRouteParam(route, source, 4, &size, nullptr));
  const auto unknown = companion_tests::as_enum<acltdtQueueRouteParamType>(3);
  EXPECT_FAILS(kBadArgument, acltdtGetQueueRouteParam(route, unknown, 4, &size, &value));
  EXPECT_OK(acltdtDestroyQueueRoute(route));
  EXPECT_FAILS(kBadArgument, acltdtDestroyQueueRoute(nullptr));
}

TEST(TdtQueueRouteList, CopiesRoutes) {
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  ASSERT_NE(nullptr, list);
  EXPECT_EQ(0u, acltdtGetQueueRouteNum(list));
  for (uint32_t i = 0; i < 20; ++i) {
    acltdtQueueRoute* route = acltdtCreateQueueRoute(i, 2 * i);
    EXPECT_OK(acltdtAddQueueRoute(list, route));
    EXPECT_OK(acltdtDestroyQueueRoute(route));
  }
  EXPECT_EQ(20u, acltdtGetQueueRouteNum(list));
  acltdtQueueRoute* out = acltdtCreateQueueRoute(0, 0);
  EXPECT_OK(acltdtGetQueueRoute(list, 7, out));
  uint32_t value = 0;
  size_t size = 0;
  EXPECT_OK(acltdtGetQueueRouteParam(out, ACL_TDT_QUEUE_ROUTE_DST_UINT32, 4, &size, &value));
  EXPECT_EQ(14u, value);
  EXPECT_FAILS(kBadArgument, acltdtGetQueueRoute(list, 20, out));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueRoute(nullptr, 0, out));
  EXPECT_FAILS(kBadArgument, acltdtGetQueueRoute(list, 0, nullptr));
  EXPECT_FAILS(kBadArgument, acltdtAddQueueRoute(nullptr, out));
  EXPECT_FAILS(kBadArgument, acltdtAddQueueRoute(list, nullptr));
  EXPECT_FAILS(0u, acltdtGetQueueRouteNum(nullptr));
  EXPECT_OK(acltdtDestroyQueueRoute(out));
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
  EXPECT_FAILS(kBadArgument, acltdtDestroyQueueRouteList(list));
}

TEST(TdtQueueRouteQuery, TakesItsParameters) {
  acltdtQueueRouteQueryInfo* query = acltdtCreateQueueRouteQueryInfo();
  ASSERT_NE(nullptr, query);
  const uint32_t value = 1;
  const auto mode = ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM;
  EXPECT_OK(acltdtSetQueueRouteQueryInfo(query, mode, 4, &value));
  EXPECT_OK(
      acltdtSetQueueRouteQueryInfo(query, ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32, 4, &value));
  EXPECT_FAILS(kBadArgument, acltdtSetQueueRouteQueryInfo(query, mode, 5, &value));
  EXPECT_FAILS(kBadArgument, acltdtSetQueueRouteQueryInfo(query, mode, 4, nullptr));
  EXPECT_FAILS(kBadArgument, acltdtSetQueueRouteQueryInfo(nullptr, mode, 4, &value));
  const auto unknown = companion_tests::as_enum<acltdtQueueRouteQueryInfoParamType>(3);
  EXPECT_FAILS(kBadArgument, acltdtSetQueueRouteQueryInfo(query, unknown, 4, &value));
  EXPECT_OK(acltdtDestroyQueueRouteQueryInfo(query));
  EXPECT_FAILS(kBadArgument, acltdtDestroyQueueRouteQueryInfo(nullptr));
}

// The buffers are those of the runtime, whatever that answers.
TEST(TdtBuffers, AreThoseOfTheRuntime) {
  acltdtBuf buf = nullptr;
  EXPECT_FAILS(kBadArgument, acltdtAllocBuf(64, 2, &buf));
  const aclError expected = aclrtAllocBuf(&buf, 64);
  if (expected == ACL_SUCCESS) {
    EXPECT_OK(aclrtFreeBuf(buf));
  }
  buf = nullptr;
  EXPECT_EQ(expected, acltdtAllocBuf(64, ACL_TDT_DVPP_MEM, &buf));
  void* data = nullptr;
  size_t size = 0;
  EXPECT_EQ(aclrtGetBufData(buf, &data, &size), acltdtGetBufData(buf, &data, &size));
  EXPECT_EQ(aclrtFreeBuf(nullptr), acltdtFreeBuf(nullptr));
  if (expected == ACL_SUCCESS) {
    EXPECT_OK(acltdtFreeBuf(buf));
  }
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  recent_text();
}

TEST(TdtQueue, Refuses) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  acltdtQueueRouteQueryInfo* query = acltdtCreateQueueRouteQueryInfo();
  uint32_t id = 0;
  uint32_t permission = 0;
  char data[4] = {};
  size_t size = 0;
  acltdtBuf buf = data;
  EXPECT_FAILS(kRefused, acltdtCreateQueue(attr, &id));
  EXPECT_FAILS(kRefused, acltdtDestroyQueue(0));
  EXPECT_FAILS(kRefused, acltdtEnqueue(0, buf, 0));
  EXPECT_FAILS(kRefused, acltdtDequeue(0, &buf, 0));
  EXPECT_FAILS(kRefused, acltdtEnqueueData(0, data, 4, nullptr, 0, 0, 0));
  EXPECT_FAILS(kRefused, acltdtDequeueData(0, data, 4, &size, nullptr, 0, 0));
  EXPECT_FAILS(kRefused, acltdtGrantQueue(0, 1, 1, 0));
  EXPECT_FAILS(kRefused, acltdtAttachQueue(0, 0, &permission));
  EXPECT_FAILS(kRefused, acltdtBindQueueRoutes(list));
  EXPECT_FAILS(kRefused, acltdtUnbindQueueRoutes(list));
  EXPECT_FAILS(kRefused, acltdtQueryQueueRoutes(query, list));
  EXPECT_FAILS(kBadArgument, acltdtCreateQueue(nullptr, &id));
  EXPECT_FAILS(kBadArgument, acltdtCreateQueue(attr, nullptr));
  EXPECT_FAILS(kBadArgument, acltdtEnqueue(0, nullptr, 0));
  EXPECT_FAILS(kBadArgument, acltdtDequeue(0, nullptr, 0));
  EXPECT_FAILS(kBadArgument, acltdtEnqueueData(0, nullptr, 4, nullptr, 0, 0, 0));
  EXPECT_FAILS(kBadArgument, acltdtDequeueData(0, data, 4, nullptr, nullptr, 0, 0));
  EXPECT_FAILS(kBadArgument, acltdtAttachQueue(0, 0, nullptr));
  EXPECT_FAILS(kBadArgument, acltdtBindQueueRoutes(nullptr));
  EXPECT_FAILS(kBadArgument, acltdtUnbindQueueRoutes(nullptr));
  EXPECT_FAILS(kBadArgument, acltdtQueryQueueRoutes(nullptr, list));
  EXPECT_FAILS(kBadArgument, acltdtQueryQueueRoutes(query, nullptr));
  EXPECT_OK(acltdtDestroyQueueRouteQueryInfo(query));
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
  EXPECT_OK(acltdtDestroyQueueAttr(attr));
}

}  // namespace
