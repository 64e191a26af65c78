// SPDX-License-Identifier: Apache-2.0
// Kernels for tests: stand-ins that record what they are called with, a loaded binary, and argument
// lists. Header only.
#pragma once

#include "support/conformance.h"
#include "support/needs.h"

#include "ferry/ferry.h"

#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

// EXPECT_FAILS for a call inside a function of the test: `function` begins the text.
#define EXPECT_FAILS_IN(function, code, message_code, call) \
  EXPECT_TRUE(::conformance::fails_as("", "", function, code, message_code, (call)))

namespace conformance::kernels {

// One call of the stand-in that records.
struct Seen {
  std::string kernel;
  uint32_t blocks = 0;
  std::vector<uint8_t> args;
  std::vector<uint8_t> placeholder_data;  // what the first word points to, if that is in the block
  ferryKernelContext context{};

  template <class T>
  T at(size_t offset) const {
    T value{};
    std::memcpy(&value, args.data() + offset, sizeof value);
    return value;
  }
  const char* device_address(size_t offset) const {
    return static_cast<const char*>(context.argsAddress) + offset;
  }
};

struct SeenCalls {
  std::mutex mutex;  // guards `calls`
  std::vector<Seen> calls;

  static SeenCalls& instance() {
    static SeenCalls all;
    return all;
  }
};

// All calls so far; forgets them.
inline std::vector<Seen> take_seen() {
  SeenCalls& all = SeenCalls::instance();
  const std::lock_guard lock(all.mutex);
  return std::exchange(all.calls, {});
}

inline int record(uint32_t blocks, const void* args, size_t size,
                  const ferryKernelContext* context) {
  Seen seen{.kernel = context->kernel,
            .blocks = blocks,
            .args = {},
            .placeholder_data = {},
            .context = *context};
  const auto* bytes = static_cast<const uint8_t*>(args);
  seen.args.assign(bytes, bytes + size);
  const char* first = nullptr;
  if (size >= sizeof first) std::memcpy(&first, args, sizeof first);
  const auto offset = static_cast<size_t>(first - static_cast<const char*>(context->argsAddress));
  if (offset < size) {
    const auto* data =
        static_cast<const uint8_t*>(ferryKernelAddress(context, first, size - offset));
    if (data != nullptr) seen.placeholder_data.assign(data, data + (size - offset));
  }
  SeenCalls& all = SeenCalls::instance();
  const std::lock_guard lock(all.mutex);
  all.calls.push_back(std::move(seen));
  return 0;
}

inline int fail_with_42(uint32_t /*blocks*/, const void* /*args*/, size_t /*size*/,
                        const ferryKernelContext* /*context*/) {
  return 42;
}

// Adds 1 to `size` bytes at `device`: the arguments of "ct_increment".
struct IncrementArguments {
  void* device;
  uint64_t size;
};

inline int increment(uint32_t /*blocks*/, const void* args, size_t /*size*/,
                     const ferryKernelContext* context) {
  IncrementArguments arguments{};
  std::memcpy(&arguments, args, sizeof arguments);
  auto* bytes =
      static_cast<uint8_t*>(ferryKernelAddress(context, arguments.device, arguments.size));
  if (bytes == nullptr) return 1;
  for (uint64_t i = 0; i < arguments.size; ++i)
    bytes[i] = static_cast<uint8_t>(bytes[i] + 1);
  return 0;
}

inline void declare_increment(uint32_t /*blocks*/, const void* args, size_t /*size*/,
                              const ferryKernelContext* /*context*/, ferryKernelRanges* ranges) {
  IncrementArguments arguments{};
  std::memcpy(&arguments, args, sizeof arguments);
  ferryKernelWrites(ranges, arguments.device, arguments.size);
}

inline const char kTableSymbol = 0;
inline const char kVariableSymbol = 0;
inline const char kUnknownSymbol = 0;
constexpr uint64_t kTableEntry = 77;
constexpr size_t kVariableSize = 64;

inline ferryKernel kernel(const char* name, ferryKernelFunction function = record,
                          uint32_t flags = 0) {
  ferryKernel made{};
  made.structSize = sizeof made;
  made.name = name;
  made.function = function;
  made.flags = flags;
  return made;
}

// The kernels that all tests share; registered again without effect.
inline void register_kernels() {
  static const ferryKernelParameter table[] = {{0, 8}, {8, 4}, {16, 8}};
  static const ferryKernelVariable variables[] = {{"ct_variable", &kVariableSymbol, kVariableSize}};
  ASSERT_OK(ferryRegisterKernel("ct_record", record, nullptr));
  ASSERT_OK(ferryRegisterKernel("ct_fails", fail_with_42, nullptr));
  ferryKernel incrementing = kernel("ct_increment", increment);
  incrementing.declare = declare_increment;
  ASSERT_OK(ferryRegisterKernelEx(&incrementing));
  ferryKernel with_table = kernel("ct_table", record, FERRY_KERNEL_HAS_ENTRY);
  with_table.parameters = table;
  with_table.parameterCount = std::size(table);
  with_table.symbol = &kTableSymbol;
  with_table.entry = kTableEntry;
  with_table.type = ACL_KERNEL_TYPE_VECTOR;
  with_table.variables = variables;
  with_table.variableCount = std::size(variables);
  ASSERT_OK(ferryRegisterKernelEx(&with_table));
  const ferryKernel hidden =
      kernel("ct_hidden", record, FERRY_KERNEL_SYNC_WORD | FERRY_KERNEL_OVERFLOW_WORD);
  ASSERT_OK(ferryRegisterKernelEx(&hidden));
  const ferryKernel on_cpu = kernel("ct_cpu", record, FERRY_KERNEL_CPU);
  ASSERT_OK(ferryRegisterKernelEx(&on_cpu));
}

// A stand-in for grids of threads, "ct_grid", with one parameter of 8 bytes.
inline void register_grid() {
  static const ferryKernelParameter one[] = {{0, 8}};
  ferryKernel grid = kernel("ct_grid", record, FERRY_KERNEL_SIMT);
  grid.parameters = one;
  grid.parameterCount = 1;
  ASSERT_OK(ferryRegisterKernelEx(&grid));
}

// Bytes that begin like an ELF file.
inline constexpr std::string_view kElf(
    "\x7f"
    "ELF and more");

inline aclrtBinaryLoadOption cpu_mode(int32_t mode) {
  aclrtBinaryLoadOption option{};
  option.type = ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE;
  option.value.cpuKernelMode = mode;
  return option;
}

// A handle that no call has written to.
inline void* untouched() {
  return reinterpret_cast<void*>(uintptr_t{0x1234});
}

// A stream, the kernels above, and a binary in which they are found.
class WithKernels : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    register_kernels();
    take_seen();
    ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), nullptr, &binary_));
  }
  void TearDown() override {
    if (binary_ != nullptr) {
      EXPECT_OK(aclrtBinaryUnLoad(binary_));
    }
    WithStream::TearDown();
  }

  aclrtFuncHandle function(const char* name = "ct_record") const {
    aclrtFuncHandle found = nullptr;
    EXPECT_OK(aclrtBinaryGetFunction(binary_, name, &found));
    return found;
  }

  // A function whose binary was unloaded.
  static aclrtFuncHandle dead_function() {
    aclrtBinHandle binary = nullptr;
    aclrtFuncHandle dead = nullptr;
    EXPECT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), nullptr, &binary));
    EXPECT_OK(aclrtBinaryGetFunction(binary, "ct_record", &dead));
    EXPECT_OK(aclrtBinaryUnLoad(binary));
    return dead;
  }

  // A list with one 8-byte value, complete.
  aclrtArgsHandle list_of(uint64_t value, const char* name = "ct_record") const {
    aclrtArgsHandle list = nullptr;
    aclrtParamHandle parameter = nullptr;
    EXPECT_OK(aclrtKernelArgsInit(function(name), &list));
    EXPECT_OK(aclrtKernelArgsAppend(list, &value, sizeof value, &parameter));
    EXPECT_OK(aclrtKernelArgsFinalize(list));
    return list;
  }

  // The one call that the stand-in has seen, after synchronising.
  Seen only_seen() const {
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    std::vector<Seen> all = take_seen();
    EXPECT_EQ(1u, all.size());
    return all.empty() ? Seen{} : all.front();
  }

  // Launches a list and returns what the stand-in saw.
  Seen launch(aclrtArgsHandle list, const char* name = "ct_record") const {
    EXPECT_OK(aclrtLaunchKernelWithConfig(function(name), 1, stream_, nullptr, list, nullptr));
    return only_seen();
  }

  aclrtBinHandle binary_ = nullptr;
};

// Attributes of a launch for tests of their values.
inline aclrtLaunchKernelAttr attribute(aclrtLaunchKernelAttrId id, uint8_t value) {
  aclrtLaunchKernelAttr made{};
  made.id = id;
  made.value.schemMode = value;
  return made;
}

// What every launch form checks of its configuration; `launch` takes a cfg and returns the code.
template <class Launch>
void expect_config_checks(const char* function, Launch launch) {
  aclrtLaunchKernelAttr attrs[2] = {};
  aclrtLaunchKernelCfg cfg{.attrs = nullptr, .numAttrs = 1};
  EXPECT_FAILS_IN(function, 107000, "", launch(&cfg));
  cfg.attrs = attrs;
  for (const aclrtLaunchKernelAttrId id :
       {ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH,
        ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP, ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING}) {
    attrs[0] = attribute(id, 2);
    EXPECT_FAILS_IN(function, 107000, "EE1003", launch(&cfg));
    attrs[0] = attribute(id, 1);
    EXPECT_OK(launch(&cfg));
  }
  cfg.numAttrs = 2;
  attrs[0] = attribute(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, 1);
  attrs[1] = attribute(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, 1);
  EXPECT_FAILS_IN(function, 107000, "", launch(&cfg));
  attrs[0] = attribute(static_cast<aclrtLaunchKernelAttrId>(15), 9);  // unknown: ignored
  EXPECT_OK(launch(&cfg));
  cfg.numAttrs = 0;
  EXPECT_OK(launch(&cfg));
}

}  // namespace conformance::kernels
