// SPDX-License-Identifier: Apache-2.0
// FERRY_CANN: what earlier releases of CANN answer differently, and which functions they lack.
#include "support/conformance.h"

#include <cstring>

namespace conformance::cann_releases_test {
namespace {

constexpr aclError kAbsent = 207000;

struct Expected {
  int32_t minor;
  const char* version;
  int32_t number;
};

void expect_versions(const Expected& expected) {
  int32_t major = 0;
  int32_t minor = 0;
  int32_t patch = -1;
  EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
  EXPECT_EQ(1, major);
  EXPECT_EQ(expected.minor, minor);
  EXPECT_EQ(0, patch);
  char package[] = "runtime";
  char text[ACL_PKG_VERSION_MAX_SIZE] = "";
  EXPECT_OK(aclsysGetVersionStr(package, text));
  EXPECT_STREQ(expected.version, text);
  int32_t number = 0;
  EXPECT_OK(aclsysGetVersionNum(package, &number));
  EXPECT_EQ(expected.number, number);
  aclCANNPackageVersion version = {};
  EXPECT_OK(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version));
  EXPECT_STREQ(expected.version, version.version);
  EXPECT_EQ(expected.version[0], version.majorVersion[0]);
  EXPECT_EQ(expected.version[2], version.minorVersion[0]);
}

void expect_absent(const char* release, aclError code) {
  EXPECT_EQ(kAbsent, code);
  EXPECT_EQ(kAbsent, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find(std::string("CANN ") + release)) << text;
  EXPECT_NE(std::string::npos, text.find("FERRY_CANN")) << text;
  clear_errors();
}

// ---- which functions there are ----

aclError call_function_of_9_0() {
  aclrtMemPool pool = nullptr;
  aclrtMemPoolProps properties = {};
  return aclrtMemPoolCreate(&pool, &properties);
}
aclError call_function_of_9_1() {
  return aclrtMemsetD32(nullptr, 0, 0, 0);
}
aclError call_newer_function() {
  return aclrtDeviceL2CacheFlush(nullptr);
}

FERRY_PROCESS_TEST(CannReleases, EachHasItsFunctions8_5, "FERRY_CANN=8.5") {
  ASSERT_OK(aclrtSetDevice(0));
  clear_errors();
  expect_absent("8.5", call_function_of_9_0());
  expect_absent("8.5", call_function_of_9_1());
  expect_absent("8.5", call_newer_function());
  expect_absent("8.5",
                aclrtMemcpyBatchV2(nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  expect_versions({16, "8.5.0", 80500000});
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(CannReleases, EachHasItsFunctions9_0, "FERRY_CANN=9.0") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_NE(kAbsent, call_function_of_9_0());
  clear_errors();
  expect_absent("9.0", call_function_of_9_1());
  expect_absent("9.0", call_newer_function());
  expect_versions({17, "9.0.0", 90000000});
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(CannReleases, EachHasItsFunctions9_1, "FERRY_CANN=9.1") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_NE(kAbsent, call_function_of_9_0());
  EXPECT_OK(call_function_of_9_1());
  clear_errors();
  expect_absent("9.1", call_newer_function());
  expect_versions({17, "9.1.0", 90100000});
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(CannReleases, WithoutTheVariableAllFunctionsAreThere, "FERRY_CANN=") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(call_function_of_9_1());
  EXPECT_OK(call_newer_function());
  expect_versions({17, "9.1.0", 90100000});
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(CannReleases, AbsenceIsSeenThroughTheLayers, "FERRY_CANN=8.5",
                   "FERRY_FAIL=aclrtMalloc:9=207001", "FERRY_CHECK=1") {
  clear_errors();
  expect_absent("8.5", call_function_of_9_1());
}

// ---- empty copies ----

// Counts of 0 are refused, after the pointers and kinds and before everything else.
void expect_empty_copies_refused() {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer device(64);
    PinnedBuffer host(64);
    const auto to_device = ACL_MEMCPY_HOST_TO_DEVICE;
    EXPECT_FAILS(107000, "EE1003", aclrtMemcpy(device.get(), 64, host.get(), 0, to_device));
    EXPECT_FAILS(100000, "EH0008", aclrtMemcpy(nullptr, 64, host.get(), 0, to_device));
    EXPECT_FAILS(107000, "EE1003",
                 aclrtMemcpyAsync(device.get(), 64, host.get(), 0, to_device, nullptr));
    EXPECT_FAILS(107000, "EE1003", aclrtMemset(device.get(), 64, 1, 0));
    EXPECT_FAILS(107000, "EE1003", aclrtMemsetAsync(device.get(), 64, 1, 0, nullptr));
    EXPECT_FAILS(100000, "EH0007", aclrtMemcpy2d(device.get(), 8, host.get(), 8, 0, 8, to_device));
    EXPECT_FAILS(100000, "EH0007", aclrtMemcpy2d(device.get(), 8, host.get(), 8, 8, 0, to_device));
    EXPECT_FAILS(100000, "EH0007",
                 aclrtMemcpy2dAsync(device.get(), 8, host.get(), 8, 8, 0, to_device, nullptr));
    EXPECT_OK(aclrtMemcpy2d(device.get(), 8, host.get(), 8, 8, 8, to_device));
  }
  EXPECT_OK(aclrtResetDevice(0));
}
FERRY_PROCESS_TEST(CannReleases, RefuseEmptyCopies8_5, "FERRY_CANN=8.5") {
  expect_empty_copies_refused();
}
FERRY_PROCESS_TEST(CannReleases, RefuseEmptyCopies9_0, "FERRY_CANN=9.0") {
  expect_empty_copies_refused();
}
FERRY_PROCESS_TEST(CannReleases, TakeEmptyCopies9_1, "FERRY_CANN=9.1") {
  EXPECT_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT));
  EXPECT_OK(aclrtMemset(nullptr, 0, 0, 0));
  EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, 0, ACL_MEMCPY_DEFAULT));
}

// ---- batches ----

// A batch of one item from the host to the device.
struct Batch {
  void** dsts = &dst;
  size_t* dest_maxs = &size;
  void** srcs = &src;
  size_t* sizes = &size;
  size_t count = 1;
  aclrtMemcpyBatchAttr* attributes = &attribute;
  size_t* indexes = &index;
  size_t* fail_index = &failed;

  void* dst = nullptr;
  void* src = nullptr;
  size_t size = 64;
  size_t index = 0;
  size_t failed = 7;
  aclrtMemcpyBatchAttr attribute = {};

  aclError copy() {
    return aclrtMemcpyBatch(dsts, dest_maxs, srcs, sizes, count, attributes, indexes, 1,
                            fail_index);
  }
};

class Memory {
 public:
  Batch batch(aclrtMemLocationType host_type = ACL_MEM_LOCATION_TYPE_HOST) {
    Batch made;
    made.dst = device_.get();
    made.src = host_.get();
    made.attribute.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    made.attribute.srcLoc = {0, host_type};
    // Copying a Batch would leave pointers into the other one.
    made.dsts = nullptr;
    return made;
  }
  static void connect(Batch& batch) {
    batch.dsts = &batch.dst;
    batch.dest_maxs = &batch.size;
    batch.srcs = &batch.src;
    batch.sizes = &batch.size;
    batch.attributes = &batch.attribute;
    batch.indexes = &batch.index;
    batch.fail_index = &batch.failed;
  }

 private:
  DeviceBuffer device_{64};
  PinnedBuffer host_{64};
};

void expect_pointers_checked_first() {
  ASSERT_OK(aclrtSetDevice(0));
  {
    Memory memory;
    Batch batch = memory.batch();
    Memory::connect(batch);
    EXPECT_OK(batch.copy());
    // All are wrong; each one that is put right uncovers the next.
    const Batch right = batch;
    batch.dsts = nullptr;
    batch.dest_maxs = nullptr;
    batch.srcs = nullptr;
    batch.sizes = nullptr;
    batch.count = 0;
    batch.attributes = nullptr;
    batch.indexes = nullptr;
    batch.fail_index = nullptr;
    const auto expect_blame = [&](const char* argument) {
      EXPECT_EQ(100000, batch.copy());
      const std::string text = recent_text();
      EXPECT_EQ(0u, text.find(std::string("aclrtMemcpyBatch: ") + argument)) << text;
    };
    expect_blame("dsts");
    batch.dsts = right.dsts;
    expect_blame("destMaxs");
    batch.dest_maxs = right.dest_maxs;
    expect_blame("srcs");
    batch.srcs = right.srcs;
    expect_blame("sizes");
    batch.sizes = right.sizes;
    expect_blame("attrs");
    batch.attributes = right.attributes;
    expect_blame("attrsIndexes");
    batch.indexes = right.indexes;
    expect_blame("failIndex");
    batch.fail_index = right.fail_index;
    expect_blame("numBatches");
    batch.count = 1;
    batch.size = 0;
    EXPECT_EQ(107000, batch.copy());
    EXPECT_EQ(0u, batch.failed);
    clear_errors();
  }
  EXPECT_OK(aclrtResetDevice(0));
}
FERRY_PROCESS_TEST(CannReleases, CheckPointersOfBatchesFirst8_5, "FERRY_CANN=8.5") {
  expect_pointers_checked_first();
}
FERRY_PROCESS_TEST(CannReleases, CheckPointersOfBatchesFirst9_0, "FERRY_CANN=9.0") {
  expect_pointers_checked_first();
}

aclError copy_with_numa() {
  EXPECT_OK(aclrtSetDevice(0));
  aclError code = 0;
  {
    Memory memory;
    Batch batch = memory.batch(ACL_MEM_LOCATION_TYPE_HOST_NUMA);
    Memory::connect(batch);
    code = batch.copy();
    clear_errors();
  }
  EXPECT_OK(aclrtResetDevice(0));
  return code;
}
FERRY_PROCESS_TEST(CannReleases, NumaNodesInBatches8_5, "FERRY_CANN=8.5") {
  EXPECT_EQ(107000, copy_with_numa());
}
FERRY_PROCESS_TEST(CannReleases, NumaNodesInBatches9_0, "FERRY_CANN=9.0") {
  EXPECT_EQ(0, copy_with_numa());
}

FERRY_PROCESS_TEST(CannReleases, ManagedMemoryInBatches9_0, "FERRY_CANN=9.0") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    void* managed = nullptr;
    ASSERT_OK(aclrtMemAllocManaged(&managed, 4096, ACL_RT_MEM_ATTACH_GLOBAL));
    Memory memory;
    Batch batch = memory.batch();
    Memory::connect(batch);
    batch.src = managed;
    batch.attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_MANAGED;
    EXPECT_FAILS_WITH(107000,
                      aclrtMemcpyBatch(batch.dsts, batch.dest_maxs, batch.srcs, batch.sizes, 1,
                                       batch.attributes, batch.indexes, 1, batch.fail_index));
    EXPECT_OK(aclrtFree(managed));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

// ---- rows, kinds, streams ----

void expect_rows_inside_device(aclError now, aclError async) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer one(64);
    const DeviceBuffer other(64);
    const auto inside = ACL_MEMCPY_DEVICE_TO_DEVICE;
    EXPECT_OK(aclrtMemset(one.get(), 64, 1, 64));
    EXPECT_EQ(now, aclrtMemcpy2d(other.get(), 8, one.get(), 8, 8, 8, inside));
    EXPECT_EQ(async, aclrtMemcpy2dAsync(other.get(), 8, one.get(), 8, 8, 8, inside, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    clear_errors();
  }
  EXPECT_OK(aclrtResetDevice(0));
}
FERRY_PROCESS_TEST(CannReleases, RowsInsideADevice8_5, "FERRY_CANN=8.5") {
  expect_rows_inside_device(100000, 100000);
}
FERRY_PROCESS_TEST(CannReleases, RowsInsideADevice9_0, "FERRY_CANN=9.0") {
  expect_rows_inside_device(207000, 0);
}

void expect_kind_and_streams(bool is_old) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    DeviceBuffer device(64);
    PinnedBuffer host(64);
    device.write(pattern(64, 9));
    const auto buffered = ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
    const aclError code = aclrtMemcpyAsync(host.get(), 64, device.get(), 64, buffered, nullptr);
    EXPECT_EQ(is_old ? 0 : 107000, code);
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(is_old, host.copy() == pattern(64, 9));
    EXPECT_OK(aclrtMemcpyAsync(device.get(), 64, host.get(), 64, buffered, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    clear_errors();
  }
  for (const uint32_t flag : {ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY}) {
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, flag));
    EXPECT_EQ(is_old ? 507000 : 0, aclrtSynchronizeStream(stream));
    EXPECT_EQ(is_old ? 507000 : 0, aclrtSynchronizeStreamWithTimeout(stream, 1000));
    clear_errors();
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  aclrtStream persistent = nullptr;
  ASSERT_OK(aclrtCreateStreamWithConfig(&persistent, 0, ACL_STREAM_PERSISTENT));
  EXPECT_OK(aclrtSynchronizeStream(persistent));
  aclrtStreamAttrValue value = {};
  EXPECT_EQ(is_old ? 107000 : 0,
            aclrtGetStreamAttribute(persistent, ACL_STREAM_ATTR_PRIORITY, &value));
  clear_errors();
  EXPECT_OK(aclrtDestroyStream(persistent));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclrtResetDevice(0));
}
FERRY_PROCESS_TEST(CannReleases, KindsAndStreams8_5, "FERRY_CANN=8.5") {
  expect_kind_and_streams(true);
}
FERRY_PROCESS_TEST(CannReleases, KindsAndStreams9_0, "FERRY_CANN=9.0") {
  expect_kind_and_streams(true);
}
FERRY_PROCESS_TEST(CannReleases, KindsAndStreams9_1, "FERRY_CANN=9.1") {
  expect_kind_and_streams(false);
}

// ---- captures ----

void expect_pageable_in_capture(aclError code) {
  EXPECT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer device(64);
    uint8_t pageable[64] = {};
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    EXPECT_FAILS(
        code, "EE1016",
        aclrtMemcpyAsync(device.get(), 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_FAILS(
        code, "EE1016",
        aclrtMemcpy2dAsync(device.get(), 8, pageable, 8, 8, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    auto status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, nullptr));
    EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status);
    aclmdlRI model = nullptr;
    EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
    EXPECT_OK(aclmdlRIDestroy(model));
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  EXPECT_OK(aclrtResetDevice(0));
}
FERRY_PROCESS_TEST(CannReleases, PageableMemoryInACapture8_5, "FERRY_CANN=8.5") {
  expect_pageable_in_capture(107027);
}
FERRY_PROCESS_TEST(CannReleases, PageableMemoryInACapture9_0, "FERRY_CANN=9.0") {
  expect_pageable_in_capture(107027);
}
FERRY_PROCESS_TEST(CannReleases, PageableMemoryInACapture9_1, "FERRY_CANN=9.1") {
  expect_pageable_in_capture(107000);
}

}  // namespace
}  // namespace conformance::cann_releases_test
