// SPDX-License-Identifier: Apache-2.0
// Devices of different kinds in one process: objects of one kind are refused by the other with a
// text, and devices of the same kind work together as usual.
#include "support/devices.h"

#include <array>

namespace conformance::several_kinds_of_devices_test {
namespace {

constexpr size_t kSize = 4096;

// A program's objects on one device. Its streams are used with the device's own context current.
struct World {
  explicit World(int32_t device) {
    EXPECT_OK(aclrtSetDevice(device));
    context = current_context();
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
    EXPECT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    EXPECT_OK(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMallocHost(&pinned, kSize));
  }
  void enter() const { EXPECT_OK(aclrtSetCurrentContext(context)); }

  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  aclrtNotify notify = nullptr;
  void* memory = nullptr;
  void* pinned = nullptr;
};

void expect_text_says(const char* what, aclError code) {
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, code);
  EXPECT_NE(std::string::npos, recent_text().find(what)) << recent_text();
}

constexpr const char* kKinds = "different kinds of devices";
constexpr const char* kCannotUse = "cannot use";

// ---- events and notifies ----

// `one` has recorded its event, `other` tries to wait for it.
void expect_record_is_refused(const World& one, const World& other) {
  one.enter();
  EXPECT_OK(aclrtRecordEvent(one.event, one.stream));
  other.enter();
  expect_text_says(kKinds, aclrtStreamWaitEvent(other.stream, one.event));
  expect_text_says(kKinds, aclrtStreamWaitEventWithTimeout(other.stream, one.event, 1));
  one.enter();
  EXPECT_OK(aclrtSynchronizeStream(one.stream));
  other.enter();
  // The result is the same whether or not the event is complete.
  expect_text_says(kKinds, aclrtStreamWaitEvent(other.stream, one.event));
  EXPECT_OK(aclrtSynchronizeStream(other.stream));
  // The host can wait for events of any device, and a new record starts over.
  EXPECT_OK(aclrtSynchronizeEvent(one.event));
  EXPECT_OK(aclrtRecordEvent(one.event, other.stream));
  EXPECT_OK(aclrtStreamWaitEvent(other.stream, one.event));
  EXPECT_OK(aclrtSynchronizeStream(other.stream));
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, RefuseToWaitForEventsOfEachOther,
                   "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  expect_record_is_refused(cpu, null);
  expect_record_is_refused(null, cpu);
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, RefuseToRecordAnEventTheOtherWaitsFor,
                   "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  cpu.enter();
  EXPECT_OK(aclrtStreamWaitEvent(cpu.stream, cpu.event));
  null.enter();
  expect_text_says(kKinds, aclrtRecordEvent(cpu.event, null.stream));
  expect_text_says(kKinds, aclrtStreamWaitEvent(null.stream, cpu.event));
  // The wait still ends with a record of its own kind.
  cpu.enter();
  aclrtStream second = nullptr;
  EXPECT_OK(aclrtCreateStream(&second));
  EXPECT_OK(aclrtRecordEvent(cpu.event, second));
  EXPECT_OK(aclrtSynchronizeStream(cpu.stream));
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, RefuseNotifiesOfEachOther, "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  for (const auto& [one, other] : {std::array{&cpu, &null}, std::array{&null, &cpu}}) {
    other->enter();
    expect_text_says(kKinds, aclrtRecordNotify(one->notify, other->stream));
    expect_text_says(kKinds, aclrtWaitAndResetNotify(one->notify, other->stream, 0));
    EXPECT_OK(aclrtSynchronizeStream(other->stream));
  }
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, OfTheSameKindWaitForEachOther,
                   "FERRY_DEVICES=cpu,null,cpu") {
  const World first(0), null(1), second(2);
  first.enter();
  Gate gate(first.stream);
  EXPECT_OK(aclrtRecordEvent(first.event, first.stream));
  second.enter();
  EXPECT_OK(aclrtStreamWaitEvent(second.stream, first.event));
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(second.stream, &status));
  EXPECT_EQ(ACL_STREAM_STATUS_NOT_READY, status);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(second.stream));
}

// ---- memory ----

// `user` is current; `owner` owns the memory.
void expect_device_memory_is_refused(const World& user, const World& owner) {
  std::vector<uint8_t> host(kSize);
  void* const theirs = owner.memory;
  const aclrtStream stream = user.stream;
  expect_text_says(kCannotUse,
                   aclrtMemcpy(theirs, kSize, host.data(), kSize, ACL_MEMCPY_HOST_TO_DEVICE));
  expect_text_says(kCannotUse,
                   aclrtMemcpy(host.data(), kSize, theirs, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  expect_text_says(kCannotUse,
                   aclrtMemcpy(user.memory, kSize, theirs, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE));
  expect_text_says(kCannotUse, aclrtMemcpyAsync(theirs, kSize, user.pinned, kSize,
                                                ACL_MEMCPY_HOST_TO_DEVICE, stream));
  expect_text_says(kCannotUse, aclrtMemcpyAsync(theirs, kSize, host.data(), kSize,
                                                ACL_MEMCPY_HOST_TO_DEVICE, stream));
  expect_text_says(kCannotUse,
                   aclrtMemcpy2d(theirs, 64, host.data(), 64, 64, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  expect_text_says(kCannotUse, aclrtMemcpy2dAsync(theirs, 64, user.pinned, 64, 64, 4,
                                                  ACL_MEMCPY_HOST_TO_DEVICE, stream));
  expect_text_says(kCannotUse, aclrtMemset(theirs, kSize, 0, kSize));
  expect_text_says(kCannotUse, aclrtMemsetAsync(theirs, kSize, 0, kSize, stream));
  expect_text_says(kCannotUse,
                   aclrtMemcpyAsyncWithDesc(theirs, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, RefuseDeviceMemoryOfEachOther, "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  cpu.enter();
  expect_device_memory_is_refused(cpu, null);
  EXPECT_OK(aclrtSynchronizeStream(cpu.stream));
  null.enter();
  expect_device_memory_is_refused(null, cpu);
  EXPECT_OK(aclrtSynchronizeStream(null.stream));
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, RefusePinnedMemoryOfEachOtherInTasks,
                   "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  for (const auto& [user, owner] : {std::array{&cpu, &null}, std::array{&null, &cpu}}) {
    user->enter();
    expect_text_says(kCannotUse, aclrtMemcpyAsync(user->memory, kSize, owner->pinned, kSize,
                                                  ACL_MEMCPY_HOST_TO_DEVICE, user->stream));
    expect_text_says(kCannotUse, aclrtMemcpyAsync(owner->pinned, kSize, user->memory, kSize,
                                                  ACL_MEMCPY_DEVICE_TO_HOST, user->stream));
    expect_text_says(kCannotUse, aclrtMemcpy2dAsync(user->memory, 64, owner->pinned, 64, 64, 4,
                                                    ACL_MEMCPY_HOST_TO_DEVICE, user->stream));
    EXPECT_OK(aclrtSynchronizeStream(user->stream));
  }
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, RefusePinnedMemoryOfEachOtherInBatches,
                   "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  cpu.enter();
  void* dsts[] = {cpu.memory};
  void* srcs[] = {null.pinned};
  size_t sizes[] = {kSize}, indexes[] = {0}, fail_index = 0;
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attribute.dstLoc.id = 0;
  attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  expect_text_says(kCannotUse, aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 1, &attribute,
                                                     indexes, 1, &fail_index, cpu.stream));
  EXPECT_EQ(SIZE_MAX, fail_index);
}

// Two items that do not lie in one range on each side.
struct ScatteredBatch {
  ScatteredBatch(const World& to, const void* first, const void* second) {
    dsts[0] = to.memory;
    dsts[1] = static_cast<char*>(to.memory) + kSize / 2;
    srcs[0] = const_cast<void*>(first);
    srcs[1] = const_cast<void*>(second);
    attribute.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    attribute.srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST};
  }
  aclError queue(aclrtStream stream) {
    return aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 2, &attribute, indexes, 1, &fail_index,
                                 stream);
  }
  aclError copy() {
    return aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 2, &attribute, indexes, 1, &fail_index);
  }

  void* dsts[2] = {};
  void* srcs[2] = {};
  size_t sizes[2] = {kSize / 4, kSize / 4}, indexes[1] = {0}, fail_index = 0;
  aclrtMemcpyBatchAttr attribute{};
};

FERRY_PROCESS_TEST(SeveralKindsOfDevices, RefuseOneItemOfEachOtherInABatch,
                   "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  cpu.enter();
  expect_text_says(kCannotUse, ScatteredBatch(cpu, cpu.pinned, null.pinned).queue(cpu.stream));
  expect_text_says(kCannotUse, ScatteredBatch(cpu, null.pinned, cpu.pinned).queue(cpu.stream));
  void* other = nullptr;
  ASSERT_OK(aclrtMallocHost(&other, kSize));
  EXPECT_OK(ScatteredBatch(cpu, cpu.pinned, other).queue(cpu.stream));
  EXPECT_OK(aclrtSynchronizeStream(cpu.stream));
  EXPECT_OK(ScatteredBatch(cpu, other, null.pinned).copy());
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, AreNoPeers, "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  int32_t can = -1;
  EXPECT_OK(aclrtDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(0, can);
  cpu.enter();
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001", aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &can));
  EXPECT_EQ(0, can);
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, CopyFromPinnedMemoryOfEachOtherDuringTheCall,
                   "FERRY_DEVICES=cpu,null") {
  const World cpu(0), null(1);
  const std::vector<uint8_t> bytes = pattern(kSize);
  std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t*>(null.pinned));
  cpu.enter();
  EXPECT_OK(aclrtMemcpy(cpu.memory, kSize, null.pinned, kSize, ACL_MEMCPY_HOST_TO_DEVICE));
  std::vector<uint8_t> back(kSize);
  EXPECT_OK(aclrtMemcpy(back.data(), kSize, cpu.memory, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(bytes, back);
}

FERRY_PROCESS_TEST(SeveralKindsOfDevices, OfTheSameKindUseEachOthersPinnedMemory,
                   "FERRY_DEVICES=cpu,null,cpu") {
  const World first(0), null(1), second(2);
  const std::vector<uint8_t> bytes = pattern(kSize);
  std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t*>(first.pinned));
  second.enter();
  EXPECT_OK(aclrtMemcpyAsync(second.memory, kSize, first.pinned, kSize, ACL_MEMCPY_HOST_TO_DEVICE,
                             second.stream));
  EXPECT_OK(aclrtSynchronizeStream(second.stream));
  std::vector<uint8_t> back(kSize);
  EXPECT_OK(aclrtMemcpy(back.data(), kSize, second.memory, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(bytes, back);
}

}  // namespace
}  // namespace conformance::several_kinds_of_devices_test
