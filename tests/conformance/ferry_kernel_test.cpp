// SPDX-License-Identifier: Apache-2.0
// The functions of ferry/kernel.h: registering stand-ins, and what happens when they run.
#include "support/kernels.h"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <stdexcept>

namespace conformance::kernels::ferry_kernel_test {
namespace {

using FerryRegisterKernel = WithKernels;
using FerryKernelAddress = WithKernels;
using FerryGetKernel = WithKernels;

aclError launch_with(aclrtFuncHandle kernel, const void* args, size_t size, aclrtStream stream) {
  return aclrtLaunchKernelWithHostArgs(kernel, 1, stream, nullptr, const_cast<void*>(args), size,
                                       nullptr, 0);
}

aclError launch_empty(aclrtFuncHandle kernel, aclrtStream stream) {
  const uint64_t nothing = 0;
  return launch_with(kernel, &nothing, sizeof nothing, stream);
}

// ---- registering ----

TEST_F(FerryRegisterKernel, RefusesWhatIsWrong) {
  EXPECT_FAILS(100000, "EH0008", ferryRegisterKernelEx(nullptr));
  EXPECT_FAILS(100000, "EH0008", ferryRegisterKernel(nullptr, record, nullptr));
  EXPECT_FAILS(100000, "EH0008", ferryRegisterKernel("ct_wrong", nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0009", ferryRegisterKernel("", record, nullptr));
  EXPECT_FAILS(100000, "EH0009",
               ferryRegisterKernel(std::string(1024, 'a').c_str(), record, nullptr));
  ferryKernel wrong = kernel("ct_wrong");
  wrong.structSize = 8;
  EXPECT_FAILS(100000, "EH0007", ferryRegisterKernelEx(&wrong));
  wrong = kernel("ct_wrong", record, 0x100);
  EXPECT_FAILS(100000, "EH0007", ferryRegisterKernelEx(&wrong));
  EXPECT_FAILS(100000, "EH0009", ferryUnregisterKernel("ct_wrong"));
  EXPECT_FAILS(100000, "EH0008", ferryUnregisterKernel(nullptr));
}

TEST_F(FerryRegisterKernel, RefusesWrongParameterTables) {
  ferryKernel wrong = kernel("ct_wrong");
  wrong.parameterCount = 1;
  EXPECT_FAILS(100000, "EH0009", ferryRegisterKernelEx(&wrong));
  const ferryKernelParameter tables[][2] = {{{0, 8}, {7, 8}},
                                            {{0, 8}, {8, 0}},
                                            {{0, 8}, {65536, 1}},
                                            {{0, 8}, {8, SIZE_MAX}},
                                            {{8, 8}, {0, 9}}};
  for (const auto& table : tables) {
    wrong.parameters = table;
    wrong.parameterCount = 2;
    EXPECT_FAILS(100000, "EH0007", ferryRegisterKernelEx(&wrong));
  }
  wrong.parameterCount = 129;
  EXPECT_FAILS(100000, "EH0007", ferryRegisterKernelEx(&wrong));
}

TEST_F(FerryRegisterKernel, RefusesNamesOfOtherKernels) {
  ferryKernel other = kernel("ct_other");
  other.symbol = &kTableSymbol;
  EXPECT_FAILS(100000, "EH0009", ferryRegisterKernelEx(&other));
  other = kernel("ct_other", record, FERRY_KERNEL_HAS_ENTRY);
  other.entry = kTableEntry;
  EXPECT_FAILS(100000, "EH0009", ferryRegisterKernelEx(&other));
  other = kernel("ct_other");
  const ferryKernelVariable variables[] = {{"ct_variable", &kVariableSymbol, kVariableSize + 1},
                                           {nullptr, &kVariableSymbol, kVariableSize},
                                           {"ct_variable", nullptr, kVariableSize},
                                           {nullptr, nullptr, 8},
                                           {"ct_empty", nullptr, 0}};
  for (const ferryKernelVariable& variable : variables) {
    other.variables = &variable;
    other.variableCount = 1;
    EXPECT_FAILS_WITH(100000, ferryRegisterKernelEx(&other));
  }
  other.variables = nullptr;
  EXPECT_FAILS(100000, "EH0009", ferryRegisterKernelEx(&other));
}

std::atomic<int> g_first{0};
std::atomic<int> g_second{0};

int count_first(uint32_t, const void*, size_t, const ferryKernelContext*) {
  ++g_first;
  return 0;
}

int count_second(uint32_t, const void*, size_t, const ferryKernelContext*) {
  ++g_second;
  return 0;
}

TEST_F(FerryRegisterKernel, QueuedLaunchesKeepTheirStandIn) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  g_first = g_second = 0;
  ASSERT_OK(ferryRegisterKernel("ct_replaced", count_first, nullptr));
  const aclrtFuncHandle kernel = function("ct_replaced");
  Gate gate(stream_);
  EXPECT_OK(launch_empty(kernel, stream_));
  ASSERT_OK(ferryRegisterKernel("ct_replaced", count_second, nullptr));
  EXPECT_OK(launch_empty(kernel, stream_));
  EXPECT_OK(ferryUnregisterKernel("ct_replaced"));
  EXPECT_FAILS_IN("aclrtLaunchKernelWithHostArgs", 507027, "EE1017", launch_empty(kernel, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(1, g_first);
  EXPECT_EQ(1, g_second);
}

int pass_data(uint32_t, const void*, size_t, const ferryKernelContext* context) {
  ++*static_cast<std::atomic<int>*>(context->data);
  return 0;
}

TEST_F(FerryRegisterKernel, PassesTheDataOn) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  std::atomic<int> calls{0};
  ASSERT_OK(ferryRegisterKernel("ct_data", pass_data, &calls));
  EXPECT_OK(launch_empty(function("ct_data"), stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(1, calls);
  EXPECT_OK(ferryUnregisterKernel("ct_data"));
}

// ---- running ----

TEST_F(FerryRegisterKernel, RunsBetweenTheCopiesOfItsStream) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  DeviceBuffer device(64);
  PinnedBuffer first(64);
  PinnedBuffer second(64);
  const IncrementArguments args{device.get(), 64};
  const aclrtFuncHandle kernel = function("ct_increment");
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 10, 64, stream_));
  EXPECT_OK(launch_with(kernel, &args, sizeof args, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(first.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(launch_with(kernel, &args, sizeof args, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(second.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(64, 11), first.copy());
  EXPECT_EQ(std::vector<uint8_t>(64, 12), second.copy());
}

TEST_F(FerryRegisterKernel, ANumberOtherThanZeroIsAKernelException) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  EXPECT_OK(launch_empty(function("ct_fails"), stream_));
  EXPECT_OK(launch_empty(function("ct_record"), stream_));
  EXPECT_EQ(507015, aclrtSynchronizeStream(stream_));
  const std::string text = recent_text();
  EXPECT_NE(std::string::npos, text.find("kernel ct_fails returned 42")) << text;
  EXPECT_NE(std::string::npos, text.find("aclrtLaunchKernelWithHostArgs")) << text;
  EXPECT_EQ(1u, take_seen().size());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

int throw_something(uint32_t, const void*, size_t, const ferryKernelContext*) {
  throw std::runtime_error("out of blocks");
}

int end_thread(uint32_t, const void*, size_t, const ferryKernelContext*) {
  pthread_exit(nullptr);
}

TEST_F(FerryRegisterKernel, AStandInThatDoesNotReturnIsAKernelException) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  const std::pair<ferryKernelFunction, const char*> cases[] = {
      {throw_something, "threw an exception: out of blocks"}, {end_thread, "ended its thread"}};
  for (const auto& [function_that_fails, words] : cases) {
    ASSERT_OK(ferryRegisterKernel("ct_lost", function_that_fails, nullptr));
    EXPECT_OK(launch_empty(function("ct_lost"), stream_));
    EXPECT_EQ(507015, aclrtSynchronizeStream(stream_));
    const std::string text = recent_text();
    EXPECT_NE(std::string::npos, text.find("kernel ct_lost did not return")) << text;
    EXPECT_NE(std::string::npos, text.find(words)) << text;
  }
  EXPECT_OK(ferryUnregisterKernel("ct_lost"));
}

struct Meeting {
  std::mutex mutex;  // guards `awaited`
  std::condition_variable changed;
  int awaited = 0;
};

int meet(uint32_t, const void*, size_t, const ferryKernelContext* context) {
  auto* meeting = static_cast<Meeting*>(context->data);
  std::unique_lock lock(meeting->mutex);
  --meeting->awaited;
  meeting->changed.notify_all();
  meeting->changed.wait(lock, [&] { return meeting->awaited <= 0; });
  return 0;
}

TEST_F(FerryRegisterKernel, MayBlockWithoutHoldingUpOtherStreams) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  Meeting meeting;
  meeting.awaited = 4;
  ASSERT_OK(ferryRegisterKernel("ct_meet", meet, &meeting));
  std::vector<aclrtStream> streams(4);
  for (aclrtStream& stream : streams) {
    ASSERT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(launch_empty(function("ct_meet"), stream));
  }
  for (const aclrtStream stream : streams) {
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  EXPECT_OK(ferryUnregisterKernel("ct_meet"));
}

int unload_own_binary(uint32_t, const void* args, size_t, const ferryKernelContext*) {
  aclrtBinHandle own = nullptr;
  std::memcpy(&own, args, sizeof own);
  return aclrtBinaryUnLoad(own) == 507000 ? 0 : 1;
}

TEST_F(FerryRegisterKernel, CannotUnloadItsOwnBinary) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  ASSERT_OK(ferryRegisterKernel("ct_unloads", unload_own_binary, nullptr));
  EXPECT_OK(launch_with(function("ct_unloads"), &binary_, sizeof binary_, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(ferryUnregisterKernel("ct_unloads"));
}

FERRY_PROCESS_TEST(FerryRegisterKernelProcess, RefusesABinaryOfAnotherDevice,
                   "FERRY_DEVICES=cpu:2") {
  register_kernels();
  ASSERT_OK(aclrtSetDevice(0));
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle kernel = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), nullptr, &binary));
  ASSERT_OK(aclrtBinaryGetFunction(binary, "ct_record", &kernel));
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_FAILS_IN("aclrtLaunchKernelWithHostArgs", 107017, "EE1017", launch_empty(kernel, nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(launch_empty(kernel, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtBinaryUnLoad(binary));
}

// ---- addresses ----

struct Asked {
  const void* address = nullptr;
  size_t size = 0;
  void* answer = nullptr;
  void* of_device_address = nullptr;
};

int ask(uint32_t, const void*, size_t, const ferryKernelContext* context) {
  auto* asked = static_cast<Asked*>(context->data);
  asked->answer = ferryKernelAddress(context, asked->address, asked->size);
  asked->of_device_address = ferryDeviceAddress(asked->address);
  return 0;
}

TEST_F(FerryKernelAddress, KnowsRangesOfLiveDeviceMemory) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  DeviceBuffer device(64);
  char host[64] = {};
  Asked asked;
  ASSERT_OK(ferryRegisterKernel("ct_ask", ask, &asked));
  const auto answer = [&](const void* address, size_t size) {
    asked = {.address = address, .size = size, .answer = nullptr, .of_device_address = nullptr};
    EXPECT_OK(launch_empty(function("ct_ask"), stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    return asked.answer;
  };
  EXPECT_NE(nullptr, answer(device.get(), 64));
  EXPECT_EQ(asked.of_device_address, asked.answer);
  EXPECT_NE(nullptr, answer(device.at(63), 1));
  EXPECT_EQ(nullptr, answer(device.get(), SIZE_MAX));
  EXPECT_EQ(nullptr, answer(host, 1));
  EXPECT_EQ(nullptr, answer(nullptr, 1));
  EXPECT_OK(ferryUnregisterKernel("ct_ask"));
}

TEST_F(FerryKernelAddress, GivesNothingOutsideOfAStandIn) {
  DeviceBuffer device(64);
  ferryKernelContext context{};
  clear_errors();
  EXPECT_EQ(nullptr, ferryKernelAddress(&context, device.get(), 64));
  EXPECT_NE(std::string::npos, recent_text().find("ferryKernelAddress: ")) << recent_text();
  EXPECT_EQ(nullptr, ferryKernelAddress(nullptr, device.get(), 64));
}

// ---- declarations ----

struct Declared {
  bool has_read_placeholder = false;
  bool has_read_device = false;
};

void declare_and_read(uint32_t, const void* args, size_t size, const ferryKernelContext* context,
                      ferryKernelRanges* ranges) {
  auto* declared = static_cast<Declared*>(context->data);
  const char* words[2] = {};
  ASSERT_EQ(sizeof words + 4, size);
  std::memcpy(words, args, sizeof words);
  const void* const data = ferryKernelAddress(context, words[0], 4);
  declared->has_read_placeholder = data != nullptr && std::memcmp(data, "data", 4) == 0;
  declared->has_read_device = ferryKernelAddress(context, words[1], 4) != nullptr;
  ferryKernelReads(ranges, words[1], 4);
  ferryKernelReads(ranges, words[1], 0);
  ferryKernelWrites(nullptr, nullptr, 8);
}

TEST_F(FerryKernelAddress, ReadsOnlyTheBlockWhileMemoryIsDeclared) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  DeviceBuffer device(64);
  device.write(pattern(64));
  Declared declared;
  ferryKernel declaring = kernel("ct_declares");
  declaring.declare = declare_and_read;
  declaring.data = &declared;
  ASSERT_OK(ferryRegisterKernelEx(&declaring));
  struct {
    uint64_t placeholder;
    void* device;
    char data[4];
  } args{0, device.get(), {'d', 'a', 't', 'a'}};
  aclrtPlaceHolderInfo holder{.addrOffset = 0, .dataOffset = 16};
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(function("ct_declares"), 1, stream_, nullptr, &args, 20,
                                          &holder, 1));
  EXPECT_TRUE(declared.has_read_placeholder);
  EXPECT_FALSE(declared.has_read_device);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(ferryUnregisterKernel("ct_declares"));
}

void declare_and_throw(uint32_t, const void*, size_t, const ferryKernelContext*,
                       ferryKernelRanges*) {
  throw std::runtime_error("no idea");
}

TEST_F(FerryRegisterKernel, ADeclarationThatThrowsFailsTheLaunch) {
  ferryKernel declaring = kernel("ct_declares");
  declaring.declare = declare_and_throw;
  ASSERT_OK(ferryRegisterKernelEx(&declaring));
  EXPECT_FAILS_IN("aclrtLaunchKernelWithHostArgs", 507000, "EE9999",
                  launch_empty(function("ct_declares"), stream_));
  EXPECT_OK(ferryUnregisterKernel("ct_declares"));
}

// ---- counts ----

TEST_F(FerryGetKernel, CountsLaunchesAndFailures) {
  NEEDS_CPU_DEVICE("stand-ins run on CPU devices");
  EXPECT_FAILS(100000, "EH0008", ferryGetKernel(0, nullptr));
  ferryKernelUse use{};
  EXPECT_FAILS(100000, "EH0007", ferryGetKernel(SIZE_MAX, &use));
  const auto count = [](const char* name) {
    ferryKernelUse found{};
    for (size_t i = 0; ferryGetKernel(i, &found) == ACL_SUCCESS; ++i) {
      if (std::string_view(found.name) == name) return found;
    }
    ADD_FAILURE() << name;
    return ferryKernelUse{};
  };
  const ferryKernelUse before = count("ct_fails");
  EXPECT_EQ(1, before.isRegistered);
  EXPECT_OK(launch_empty(function("ct_fails"), stream_));
  EXPECT_EQ(507015, aclrtSynchronizeStream(stream_));
  const ferryKernelUse after = count("ct_fails");
  EXPECT_EQ(before.launches + 1, after.launches);
  EXPECT_EQ(before.failures + 1, after.failures);
  EXPECT_EQ(0u, after.skipped);
  clear_errors();
}

}  // namespace
}  // namespace conformance::kernels::ferry_kernel_test
