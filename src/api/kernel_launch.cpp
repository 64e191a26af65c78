// SPDX-License-Identifier: Apache-2.0
// Launches of kernels: their arguments in every form.
#include "core/kernel/kernel_launch.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/kernel/kernel_arguments.h"
#include "core/runtime.h"

#include <cstring>
#include <string_view>

namespace ferry::api {
namespace {

Status check_blocks(uint64_t blocks, const char* argument, aclError code_for_zero,
                    MessageCode message) {
  if (blocks == 0) return reject(code_for_zero, message, argument, 0).allowed("1 to 65535");
  if (blocks <= kMostBlocks) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, argument, blocks).allowed("1 to 65535");
}

Status check_blocks_in_runtime(uint64_t blocks) {
  return check_blocks(blocks, "numBlocks", ACL_ERROR_RT_PARAM_INVALID, kEE1003);
}

Status check_args_size(const char* argument, size_t size) {
  if (size != 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, argument, 0).allowed("1 or more");
}

Status queue_launch(LaunchRequest request, aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  Device& device = (*found)->context().device();
  FERRY_RETURN_IF_ERROR(check_device_of(*request.function, device));
  FERRY_TRY(std::shared_ptr<const KernelLaunch>, launch,
            KernelLaunch::make(device, std::move(request)));
  return submit_launch(**found, *launch);
}

// ---- arguments in host memory ----

struct HostArguments {
  const void* bytes;
  size_t size;
  const aclrtPlaceHolderInfo* placeholders;
  size_t placeholder_count;
};

Status check_placeholders(const HostArguments& host) {
  if (host.placeholder_count > 0 && host.placeholders == nullptr) {
    return fail_null_in_runtime("placeHolderArray");
  }
  for (size_t i = 0; i < host.placeholder_count; ++i) {
    const aclrtPlaceHolderInfo& one = host.placeholders[i];
    if (one.addrOffset >= host.size || host.size - one.addrOffset < sizeof(void*)) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003,
                    Argument("placeHolderArray", i, "addrOffset"), one.addrOffset)
          .because(", but the 8 bytes from there on must be inside the %zu bytes of the arguments",
                   host.size);
    }
    if (one.dataOffset >= host.size) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003,
                    Argument("placeHolderArray", i, "dataOffset"), one.dataOffset)
          .because(", but the arguments have %zu bytes", host.size);
    }
  }
  return {};
}

Result<LaunchArguments> take_arguments(const HostArguments& host) {
  LaunchArguments arguments{.bytes = AlignedBytes(host.size),
                            .placeholders = {},
                            .device_address = nullptr,
                            .device_size = 0};
  FERRY_RETURN_IF_ERROR(take_bytes(arguments.bytes.data(), host.bytes, host.size, "hostArgs"));
  if (host.placeholder_count > 0) {
    arguments.placeholders.assign(host.placeholders, host.placeholders + host.placeholder_count);
  }
  return arguments;
}

// ---- an array with the addresses of the arguments ----

Result<LaunchArguments> pack_arguments(const KernelFunction& function, void* const* args) {
  if (function.is_cpu()) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006, "func",
                  Value::beside(function.handle()))
        .because(" is kernel %s, which runs on the AI CPU: its arguments cannot be an array",
                 function.name().c_str());
  }
  const std::shared_ptr<const StandIn> stand_in = function.stand_in();
  if (stand_in == nullptr || !stand_in->parameters.has_value()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "func", Value::beside(function.handle()))
        .because(" is kernel %s, whose stand-in has registered no parameter table",
                 function.name().c_str());
  }
  const std::vector<ferryKernelParameter>& table = *stand_in->parameters;
  if (!table.empty() && args == nullptr) return fail_null_in_runtime("args");
  size_t size = 0;
  for (const ferryKernelParameter& one : table)
    size = std::max(size, one.offset + one.size);
  LaunchArguments arguments{
      .bytes = AlignedBytes(size), .placeholders = {}, .device_address = nullptr, .device_size = 0};
  std::memset(arguments.bytes.data(), 0, size);
  for (size_t i = 0; i < table.size(); ++i) {
    if (args[i] == nullptr) return fail_null_in_runtime({"args", i});
    FERRY_RETURN_IF_ERROR(
        take_bytes(arguments.bytes.data() + table[i].offset, args[i], table[i].size, {"args", i}));
  }
  return arguments;
}

// ---- grids of threads ----

Status check_product() {
  if (std::string_view(soc().traits->family) == "950") return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
              "the emulated product %s does not support grids of threads", soc().name);
}

Status check_grid(const KernelFunction& function, const dim3& grid, const dim3& block) {
  const std::shared_ptr<const StandIn> stand_in = function.stand_in();
  if (stand_in != nullptr && !stand_in->has(FERRY_KERNEL_SIMT)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "func", Value::beside(function.handle()))
        .because(" is kernel %s, which does not run as a grid of threads", function.name().c_str());
  }
  const auto check = [](const char* argument, const dim3& extent) -> Status {
    if (extent.x != 0 && extent.y != 0 && extent.z != 0) return {};
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, argument)
        .because(" is %u, %u, %u, allowed is 1 or more in each direction", extent.x, extent.y,
                 extent.z);
  };
  FERRY_RETURN_IF_ERROR(check("gridDim", grid));
  return check("blockDim", block);
}

Result<LaunchShape> shape_of(const KernelFunction& function, const dim3& grid, const dim3& block,
                             size_t ubuf_size) {
  FERRY_RETURN_IF_ERROR(check_grid(function, grid, block));
  uint64_t blocks = uint64_t{grid.x} * grid.y;
  blocks = blocks > kMostBlocks ? blocks : blocks * grid.z;
  FERRY_RETURN_IF_ERROR(
      check_blocks(blocks, "the size of gridDim", ACL_ERROR_RT_PARAM_INVALID, kEE1003));
  return LaunchShape{.blocks = static_cast<uint32_t>(blocks),
                     .grid = {grid.x, grid.y, grid.z},
                     .threads = {block.x, block.y, block.z},
                     .ubuf_size = ubuf_size};
}

}  // namespace

aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData,
                           size_t argsSize, aclrtStream stream) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (argsData == nullptr) return fail_null("argsData");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  FERRY_RETURN_IF_ERROR(check_blocks_in_runtime(numBlocks));
  FERRY_RETURN_IF_ERROR(check_args_size("argsSize", argsSize));
  LaunchArguments arguments;
  arguments.device_address = argsData;
  arguments.device_size = argsSize;
  return queue_launch({.function = std::move(*function),
                       .shape = LaunchShape::of_blocks(numBlocks),
                       .attributes = {},
                       .arguments = std::move(arguments)},
                      stream);
}

aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData,
                             size_t argsSize, aclrtLaunchKernelCfg* cfg, aclrtStream stream) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (argsData == nullptr) return fail_null("argsData");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  FERRY_RETURN_IF_ERROR(check_args_size("argsSize", argsSize));
  FERRY_RETURN_IF_ERROR(check_blocks_in_runtime(numBlocks));
  FERRY_TRY(LaunchAttributes, attributes, check_launch_config(cfg));
  LaunchArguments arguments;
  arguments.device_address = argsData;
  arguments.device_size = argsSize;
  return queue_launch({.function = std::move(*function),
                       .shape = LaunchShape::of_blocks(numBlocks),
                       .attributes = std::move(*attributes),
                       .arguments = std::move(arguments)},
                      stream);
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks,
                                     aclrtStream stream, aclrtLaunchKernelCfg* cfg,
                                     aclrtArgsHandle argsHandle, void* reserve) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (numBlocks == 0) {
    return check_blocks(numBlocks, "numBlocks", ACL_ERROR_INVALID_PARAM, kEH0009);
  }
  if (argsHandle == nullptr) return fail_null("argsHandle");
  if (reserve != nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "reserve", reserve).allowed("NULL");
  }
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  FERRY_RETURN_IF_ERROR(check_blocks_in_runtime(numBlocks));
  FERRY_TRY(LockedList, list, find_argument_list(argsHandle));
  FERRY_TRY(LaunchArguments, arguments, (*list)->arguments());
  if ((*list).lock.owns_lock()) (*list).lock.unlock();  // what follows calls the stand-in
  FERRY_TRY(LaunchAttributes, attributes, check_launch_config(cfg));
  return queue_launch({.function = std::move(*function),
                       .shape = LaunchShape::of_blocks(numBlocks),
                       .attributes = std::move(*attributes),
                       .arguments = std::move(*arguments)},
                      stream);
}

aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks,
                                       aclrtStream stream, aclrtLaunchKernelCfg* cfg,
                                       void* hostArgs, size_t argsSize,
                                       aclrtPlaceHolderInfo* placeHolderArray,
                                       size_t placeHolderNum) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (hostArgs == nullptr) return fail_null("hostArgs");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  FERRY_RETURN_IF_ERROR(check_args_size("argsSize", argsSize));
  const HostArguments host{hostArgs, argsSize, placeHolderArray, placeHolderNum};
  FERRY_RETURN_IF_ERROR(check_placeholders(host));
  FERRY_RETURN_IF_ERROR(check_blocks_in_runtime(numBlocks));
  FERRY_TRY(LaunchAttributes, attributes, check_launch_config(cfg));
  FERRY_TRY(LaunchArguments, arguments, take_arguments(host));
  return queue_launch({.function = std::move(*function),
                       .shape = LaunchShape::of_blocks(numBlocks),
                       .attributes = std::move(*attributes),
                       .arguments = std::move(*arguments)},
                      stream);
}

aclError aclrtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks, aclrtStream stream,
                                        aclrtLaunchKernelCfg* cfg, void** args) {
  if (func == nullptr) return fail_null("func");
  if (numBlocks == 0) {
    return check_blocks(numBlocks, "numBlocks", ACL_ERROR_INVALID_PARAM, kEH0007);
  }
  FERRY_TRY(Ref<KernelFunction>, function, find_function_or_symbol(func, "func"));
  FERRY_RETURN_IF_ERROR(check_blocks_in_runtime(numBlocks));
  FERRY_TRY(LaunchArguments, arguments, pack_arguments(**function, args));
  FERRY_TRY(LaunchAttributes, attributes, check_launch_config(cfg));
  return queue_launch({.function = std::move(*function),
                       .shape = LaunchShape::of_blocks(numBlocks),
                       .attributes = std::move(*attributes),
                       .arguments = std::move(*arguments)},
                      stream);
}

aclError aclrtLaunchSIMTKernelWithArgsArray(void* func, dim3 gridDim, dim3 blockDim,
                                            size_t dynUbufSize, aclrtStream stream,
                                            aclrtLaunchKernelCfg* cfg, void** args) {
  if (func == nullptr) return fail_null("func");
  FERRY_RETURN_IF_ERROR(check_product());
  FERRY_TRY(Ref<KernelFunction>, function, find_function_or_symbol(func, "func"));
  FERRY_TRY(LaunchShape, shape, shape_of(**function, gridDim, blockDim, dynUbufSize));
  FERRY_TRY(LaunchArguments, arguments, pack_arguments(**function, args));
  FERRY_TRY(LaunchAttributes, attributes, check_launch_config(cfg));
  return queue_launch({.function = std::move(*function),
                       .shape = *shape,
                       .attributes = std::move(*attributes),
                       .arguments = std::move(*arguments)},
                      stream);
}

aclError aclrtLaunchSIMTKernelWithHostArgs(void* func, dim3 gridDim, dim3 blockDim,
                                           size_t dynUbufSize, aclrtStream stream,
                                           aclrtLaunchKernelCfg* cfg, void* hostArgs,
                                           size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray,
                                           size_t placeHolderNum) {
  if (func == nullptr) return fail_null("func");
  if (hostArgs == nullptr) return fail_null("hostArgs");
  if (argsSize == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "argsSize", 0).allowed("1 or more");
  }
  FERRY_RETURN_IF_ERROR(check_product());
  FERRY_TRY(Ref<KernelFunction>, function, find_function_or_symbol(func, "func"));
  FERRY_TRY(LaunchShape, shape, shape_of(**function, gridDim, blockDim, dynUbufSize));
  const HostArguments host{hostArgs, argsSize, placeHolderArray, placeHolderNum};
  FERRY_RETURN_IF_ERROR(check_placeholders(host));
  FERRY_TRY(LaunchAttributes, attributes, check_launch_config(cfg));
  FERRY_TRY(LaunchArguments, arguments, take_arguments(host));
  return queue_launch({.function = std::move(*function),
                       .shape = *shape,
                       .attributes = std::move(*attributes),
                       .arguments = std::move(*arguments)},
                      stream);
}

}  // namespace ferry::api
