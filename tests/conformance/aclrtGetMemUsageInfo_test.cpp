// SPDX-License-Identifier: Apache-2.0
// aclrtGetMemUsageInfo: how much device memory each module of the program has allocated.
#include "support/device_allocator.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace conformance::memory::aclrtGetMemUsageInfo_test {
namespace {

using AclrtGetMemUsageInfo = WithDevice;

constexpr size_t kMebibyte = size_t{1} << 20;

std::vector<aclrtMemUsageInfo> usage(size_t room = 1000) {
  std::vector<aclrtMemUsageInfo> list(room);
  size_t count = 0;
  EXPECT_OK(aclrtGetMemUsageInfo(0, list.data(), list.size(), &count));
  EXPECT_LE(count, room);
  list.resize(std::min(count, room));
  return list;
}

std::map<std::string, aclrtMemUsageInfo> usage_by_name() {
  std::map<std::string, aclrtMemUsageInfo> by_name;
  for (const aclrtMemUsageInfo& info : usage())
    EXPECT_TRUE(by_name.emplace(info.name, info).second) << info.name << " is listed twice";
  return by_name;
}

// The names whose memory grew between two queries.
std::vector<std::string> grown(const std::map<std::string, aclrtMemUsageInfo>& before,
                               const std::map<std::string, aclrtMemUsageInfo>& after) {
  std::vector<std::string> names;
  for (const auto& [name, info] : after) {
    const auto old = before.find(name);
    if (info.curMemSize > (old == before.end() ? 0 : old->second.curMemSize)) names.push_back(name);
  }
  return names;
}

void* allocate_for(uint16_t module, size_t size) {
  aclrtMallocAttribute attribute = {ACL_RT_MEM_ATTR_MODULE_ID, {}};
  attribute.value.moduleId = module;
  aclrtMallocConfig config = {&attribute, 1};
  void* address = nullptr;
  EXPECT_OK(aclrtMallocWithCfg(&address, size, kAnyPolicy, &config));
  return address;
}

TEST_F(AclrtGetMemUsageInfo, CountsTheMemoryOfAModule) {
  const auto before = usage_by_name();
  void* first = allocate_for(1234, 3 * kMebibyte);
  const auto with_one = usage_by_name();
  const std::vector<std::string> names = grown(before, with_one);
  ASSERT_EQ(names.size(), 1u);
  const aclrtMemUsageInfo one = with_one.at(names[0]);
  EXPECT_GE(one.curMemSize, 3 * kMebibyte);
  EXPECT_GE(one.memPeakSize, one.curMemSize);

  void* second = allocate_for(1234, 2 * kMebibyte);
  const aclrtMemUsageInfo two = usage_by_name().at(names[0]);
  EXPECT_GE(two.curMemSize, one.curMemSize + 2 * kMebibyte);
  EXPECT_GE(two.memPeakSize, two.curMemSize);

  EXPECT_OK(aclrtFree(second));
  EXPECT_OK(aclrtFree(first));
  const auto after = usage_by_name();
  EXPECT_TRUE(grown(before, after).empty());
  const auto left = after.find(names[0]);
  if (left != after.end()) {
    EXPECT_EQ(left->second.memPeakSize, two.memPeakSize);
  }
}

TEST_F(AclrtGetMemUsageInfo, KeepsModulesApartLargestFirst) {
  const auto before = usage_by_name();
  void* small = allocate_for(2001, 1 * kMebibyte);
  void* large = allocate_for(2002, 5 * kMebibyte);
  const std::vector<std::string> names = grown(before, usage_by_name());
  EXPECT_EQ(names.size(), 2u);
  const std::vector<aclrtMemUsageInfo> list = usage();
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), [](const auto& left, const auto& right) {
    return left.curMemSize > right.curMemSize;
  }));
  EXPECT_OK(aclrtFree(small));
  EXPECT_OK(aclrtFree(large));
}

TEST_F(AclrtGetMemUsageInfo, CountsMemoryAllocatedWithoutAModule) {
  const auto before = usage_by_name();
  const DeviceBuffer device(kMebibyte);
  EXPECT_EQ(grown(before, usage_by_name()).size(), 1u);
}

TEST_F(AclrtGetMemUsageInfo, FillsNoMoreThanThereIsRoomFor) {
  void* small = allocate_for(3001, 1 * kMebibyte);
  void* large = allocate_for(3002, 5 * kMebibyte);
  aclrtMemUsageInfo list[3];
  std::memset(list, 0x5a, sizeof list);
  const aclrtMemUsageInfo filler = list[2];
  size_t count = 77;
  EXPECT_OK(aclrtGetMemUsageInfo(0, list, 1, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_GE(list[0].curMemSize, 5 * kMebibyte);
  EXPECT_EQ(std::memcmp(&list[1], &filler, sizeof filler), 0);
  EXPECT_EQ(std::memcmp(&list[2], &filler, sizeof filler), 0);
  EXPECT_OK(aclrtFree(small));
  EXPECT_OK(aclrtFree(large));
}

TEST_F(AclrtGetMemUsageInfo, FillsInNamesThatEndAndZeros) {
  void* address = allocate_for(65535, kMebibyte);
  std::vector<aclrtMemUsageInfo> list(10);
  std::memset(list.data(), 0x5a, list.size() * sizeof(aclrtMemUsageInfo));
  size_t count = 0;
  EXPECT_OK(aclrtGetMemUsageInfo(0, list.data(), list.size(), &count));
  ASSERT_GE(count, 1u);
  for (size_t i = 0; i < count; ++i) {
    const size_t length = strnlen(list[i].name, sizeof list[i].name);
    EXPECT_GT(length, 0u);
    EXPECT_LT(length, sizeof list[i].name);
    for (const size_t word : list[i].reserved)
      EXPECT_EQ(word, 0u);
  }
  EXPECT_OK(aclrtFree(address));
}

TEST_F(AclrtGetMemUsageInfo, NeedsNoContext) {
  void* address = allocate_for(1, kMebibyte);
  on_new_thread([] { EXPECT_FALSE(usage().empty()); });
  EXPECT_OK(aclrtFree(address));
}

TEST_F(AclrtGetMemUsageInfo, RefusesNullAndNoRoomBeforeTheDevice) {
  aclrtMemUsageInfo info;
  std::memset(&info, 0x5a, sizeof info);
  const aclrtMemUsageInfo filler = info;
  size_t count = 77;
  for (const int32_t device : {0, 99}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclrtGetMemUsageInfo(device, nullptr, 1, &count));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclrtGetMemUsageInfo(device, &info, 1, nullptr));
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclrtGetMemUsageInfo(device, &info, 0, &count));
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(count, 77u);
  EXPECT_EQ(std::memcmp(&info, &filler, sizeof info), 0);
}

TEST_F(AclrtGetMemUsageInfo, RefusesADeviceThereIsNot) {
  uint32_t devices = 0;
  ASSERT_OK(aclrtGetDeviceCount(&devices));
  for (const int32_t device : {-1, static_cast<int32_t>(devices), 0x7fffffff}) {
    aclrtMemUsageInfo info;
    size_t count = 77;
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtGetMemUsageInfo(device, &info, 1, &count));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(count, 77u);
  }
}

FERRY_PROCESS_TEST(AclrtGetMemUsageInfoProcess, CountsEachDeviceByItself, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(1));
  void* address = allocate_for(5, kMebibyte);
  aclrtMemUsageInfo list[10];
  size_t count = 0;
  EXPECT_OK(aclrtGetMemUsageInfo(1, list, 10, &count));
  ASSERT_EQ(count, 1u);
  EXPECT_GE(list[0].curMemSize, kMebibyte);
  EXPECT_OK(aclrtGetMemUsageInfo(0, list, 10, &count));
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(list[i].curMemSize, 0u);
  EXPECT_OK(aclrtFree(address));
}

}  // namespace
}  // namespace conformance::memory::aclrtGetMemUsageInfo_test
