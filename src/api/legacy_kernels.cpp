// SPDX-License-Identifier: Apache-2.0
// Older names: binaries, functions by the address of a stub, launches.
#include "api/legacy.h"
#include "base/status.h"
#include "dispatch/dispatch_table.h"

#include <map>
#include <mutex>
#include <vector>

namespace ferry::legacy {
namespace {

constexpr uint32_t kMostBlocks = 65535;

// Never destroyed: threads of the program may launch until the process ends.
struct Stubs {
  std::mutex mutex;  // protects what follows
  std::map<const void*, aclrtFuncHandle> functions;
};
Stubs& stubs() {
  static Stubs* const instance = new Stubs;
  return *instance;
}

Result<aclrtFuncHandle> find_stub(const void* stub) {
  if (stub == nullptr) return fail_null("stubFunc");
  Stubs& known = stubs();
  const std::lock_guard lock(known.mutex);
  const auto found = known.functions.find(stub);
  if (found != known.functions.end()) return found->second;
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "stubFunc", stub)
      .because(", which no rtFunctionRegister has bound to a kernel");
}

Status check_blocks(uint32_t blocks) {
  if (blocks != 0 && blocks <= kMostBlocks) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "numBlocks", blocks)
      .allowed("1 to %u", kMostBlocks);
}

// The attributes of a launch that Ferry knows; the others steer hardware that it does not have.
class Attributes {
 public:
  explicit Attributes(const LaunchConfig* config) {
    if (config == nullptr) return;
    add(ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE).schemMode = config->schedule_mode;
    add(ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET).blockDimOffset = config->block_offset;
    add(ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP).isDataDump = config->dump;
    add(ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE).dynUBufSize = config->local_memory;
  }
  aclrtLaunchKernelCfg* list() { return all_.numAttrs == 0 ? nullptr : &all_; }

 private:
  aclrtLaunchKernelAttrValue& add(aclrtLaunchKernelAttrId id) {
    rows_[all_.numAttrs] = {};
    rows_[all_.numAttrs].id = id;
    return rows_[all_.numAttrs++].value;
  }

  aclrtLaunchKernelAttr rows_[4];
  aclrtLaunchKernelCfg all_{.attrs = rows_, .numAttrs = 0};
};

aclError launch_function(aclrtFuncHandle function, uint32_t blocks,
                         const LaunchArguments& arguments, aclrtStream stream,
                         const LaunchConfig* config) {
  Attributes attributes(config);
  if (arguments.is_on_device != 0) {
    return dispatch().aclrtLaunchKernelV2(function, blocks, arguments.block, arguments.size,
                                          attributes.list(), stream);
  }
  if (arguments.placeholder_count != 0 && arguments.placeholders == nullptr) {
    return fail_null("argsInfo.hostInputInfoPtr", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  }
  std::vector<aclrtPlaceHolderInfo> placeholders;
  if (arguments.placeholder_count != 0) {
    placeholders.assign(arguments.placeholders,
                        arguments.placeholders + arguments.placeholder_count);
  }
  if (arguments.has_tiling != 0) {
    placeholders.push_back({arguments.tiling_address_offset, arguments.tiling_data_offset});
  }
  return dispatch().aclrtLaunchKernelWithHostArgs(
      function, blocks, stream, attributes.list(), arguments.block, arguments.size,
      placeholders.empty() ? nullptr : placeholders.data(), placeholders.size());
}

}  // namespace

aclError register_binary(const DeviceBinary* binary, void** handle) {
  if (binary == nullptr) return fail_null("bin");
  if (handle == nullptr) return fail_null("hdl");
  aclrtBinaryLoadOption magic{};
  magic.type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
  magic.value.magic = binary->magic;
  const aclrtBinaryLoadOptions options{.options = &magic, .numOpt = 1};
  return dispatch().aclrtBinaryLoadFromData(binary->data, binary->length, &options, handle);
}

aclError register_function(void* binary, const void* stub, const char* kernel) {
  if (stub == nullptr) return fail_null("stubFunc");
  if (kernel == nullptr) return fail_null("kernelInfoExt");
  aclrtFuncHandle function = nullptr;
  const aclError found = dispatch().aclrtBinaryGetFunction(binary, kernel, &function);
  if (found != ACL_SUCCESS) return found;
  Stubs& known = stubs();
  const std::lock_guard lock(known.mutex);
  known.functions[stub] = function;
  return ACL_SUCCESS;
}

aclError launch(const void* stub, uint32_t blocks, void* arguments, uint32_t size,
                aclrtStream stream) {
  LaunchArguments whole{};
  whole.block = arguments;
  whole.size = size;
  return launch_by_stub(stub, blocks, &whole, stream, nullptr);
}

aclError launch_by_stub(const void* stub, uint32_t blocks, const LaunchArguments* arguments,
                        aclrtStream stream, const LaunchConfig* config) {
  FERRY_TRY(aclrtFuncHandle, function, find_stub(stub));
  FERRY_RETURN_IF_ERROR(check_blocks(blocks));
  if (arguments == nullptr) return fail_null("argsInfo");
  return launch_function(*function, blocks, *arguments, stream, config);
}

aclError launch_by_key(void* binary, uint64_t key, uint32_t blocks,
                       const LaunchArguments* arguments, aclrtStream stream,
                       const LaunchConfig* config) {
  FERRY_RETURN_IF_ERROR(check_blocks(blocks));
  if (arguments == nullptr) return fail_null("argsInfo");
  aclrtFuncHandle function = nullptr;
  const aclError found = dispatch().aclrtBinaryGetFunctionByEntry(binary, key, &function);
  if (found != ACL_SUCCESS) return found;
  return launch_function(function, blocks, *arguments, stream, config);
}

}  // namespace ferry::legacy
