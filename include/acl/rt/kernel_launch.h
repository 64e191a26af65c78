// SPDX-License-Identifier: Apache-2.0
// Chapter "kernels": the forms of a launch.
#ifndef ACL_RT_KERNEL_LAUNCH_H
#define ACL_RT_KERNEL_LAUNCH_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Queues a kernel: its stand-in runs in stream order. The arguments are in device memory and are
/// read when the kernel runs; if they are not in live memory then, the next synchronisation of the
/// stream returns ACL_ERROR_RT_TS_ERROR.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `funcHandle` or `argsData` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `funcHandle` died with its binary, or is not a function
///   ACL_ERROR_RT_PARAM_INVALID        `numBlocks` is 0 or larger than 65535, or `argsSize` is 0
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_INVALID_HANDLE       the binary of the kernel is on another device
///   ACL_ERROR_RT_KERNEL_LOOKUP        the stand-in of the kernel was removed
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the device has no memory for the argument block
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run stand-ins
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks,
                                               const void* argsData, size_t argsSize,
                                               aclrtStream stream);

/// The same, with attributes.
/// [in] cfg  NULL for none; attributes that are not known are ignored
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `funcHandle` or `argsData` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `funcHandle` died with its binary, or is not a function
///   ACL_ERROR_RT_PARAM_INVALID        `argsSize` is 0; `numBlocks` is 0 or larger than 65535; an
///                                     attribute is wrong
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_INVALID_HANDLE       the binary of the kernel is on another device
///   ACL_ERROR_RT_KERNEL_LOOKUP        the stand-in of the kernel was removed
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the device has no memory for the argument block
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run stand-ins
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks,
                                                 const void* argsData, size_t argsSize,
                                                 aclrtLaunchKernelCfg* cfg, aclrtStream stream);

/// Queues a kernel with a list of arguments, which is copied: placeholders become addresses in the
/// copy.
/// [in] cfg  NULL for none; attributes that are not known are ignored
/// [in] reserve  NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `funcHandle` or `argsHandle` is NULL, `numBlocks` is 0, or
///                                     `reserve` is not NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `funcHandle` or `argsHandle` is not valid
///   ACL_ERROR_RT_PARAM_INVALID        `numBlocks` is larger than 65535; the list is not complete;
///                                     an attribute is wrong
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_INVALID_HANDLE       the binary of the kernel is on another device
///   ACL_ERROR_RT_KERNEL_LOOKUP        the stand-in of the kernel was removed
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the device has no memory for the argument block
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run stand-ins
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle,
                                                         uint32_t numBlocks, aclrtStream stream,
                                                         aclrtLaunchKernelCfg* cfg,
                                                         aclrtArgsHandle argsHandle, void* reserve);

/// Queues a kernel with arguments in host memory, which are copied: each placeholder becomes the
/// address of the copy plus its data offset.
/// [in] cfg  NULL for none; attributes that are not known are ignored
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `funcHandle` or `hostArgs` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `funcHandle` died with its binary, or is not a function
///   ACL_ERROR_RT_PARAM_INVALID        `argsSize` is 0; a placeholder is not inside the arguments;
///                                     `numBlocks` is 0 or larger than 65535; an attribute is
///                                     wrong; `hostArgs` cannot be read
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_INVALID_HANDLE       the binary of the kernel is on another device
///   ACL_ERROR_RT_KERNEL_LOOKUP        the stand-in of the kernel was removed
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the device has no memory for the argument block
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run stand-ins
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithHostArgs(
    aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg* cfg,
    void* hostArgs, size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray, size_t placeHolderNum);

/// Queues a kernel with an array of addresses of arguments, which the parameter table describes.
/// [in] func  a function, or the symbol of a stand-in
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `func` is NULL, or `numBlocks` is 0
///   ACL_ERROR_RT_INVALID_HANDLE       `func` is neither a function nor a symbol
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the kernel runs on the AI CPU
///   ACL_ERROR_RT_PARAM_INVALID        the stand-in has registered no table; `args` or one of its
///                                     elements is NULL or cannot be read; an attribute is wrong
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_INVALID_HANDLE       the binary of the kernel is on another device
///   ACL_ERROR_RT_KERNEL_LOOKUP        the stand-in of the kernel was removed
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the device has no memory for the argument block
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run stand-ins
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks,
                                                            aclrtStream stream,
                                                            aclrtLaunchKernelCfg* cfg, void** args);

/// The same, for a grid of threads: a stand-in runs once, and its context has the extents.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `func` is NULL
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the emulated product has no grids of threads
///   ACL_ERROR_RT_INVALID_HANDLE       `func` is neither a function nor a symbol
///   ACL_ERROR_RT_PARAM_INVALID        the kernel is not one for a grid, or an extent is 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the kernel runs on the AI CPU
///   ACL_ERROR_RT_PARAM_INVALID        the stand-in has registered no table; `args` or one of its
///                                     elements is NULL or cannot be read; an attribute is wrong
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_INVALID_HANDLE       the binary of the kernel is on another device
///   ACL_ERROR_RT_KERNEL_LOOKUP        the stand-in of the kernel was removed
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the device has no memory for the argument block
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run stand-ins
ACL_FUNC_VISIBILITY aclError aclrtLaunchSIMTKernelWithArgsArray(void* func, dim3 gridDim,
                                                                dim3 blockDim, size_t dynUbufSize,
                                                                aclrtStream stream,
                                                                aclrtLaunchKernelCfg* cfg,
                                                                void** args);

/// Starts a grid of threads with arguments in host memory.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `func` or `hostArgs` is NULL, or `argsSize` is 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the emulated product has no grids of threads
///   ACL_ERROR_RT_INVALID_HANDLE       `func` is neither a function nor a symbol
///   ACL_ERROR_RT_PARAM_INVALID        the kernel is not one for a grid, or an extent is 0
///   ACL_ERROR_RT_PARAM_INVALID        a placeholder is not inside the arguments; an attribute is
///                                     wrong
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_INVALID_HANDLE       the binary of the kernel is on another device
///   ACL_ERROR_RT_KERNEL_LOOKUP        the stand-in of the kernel was removed
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the device has no memory for the argument block
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run stand-ins
ACL_FUNC_VISIBILITY aclError aclrtLaunchSIMTKernelWithHostArgs(
    void* func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize, aclrtStream stream,
    aclrtLaunchKernelCfg* cfg, void* hostArgs, size_t argsSize,
    aclrtPlaceHolderInfo* placeHolderArray, size_t placeHolderNum);

#ifdef __cplusplus
}
#endif

#endif
