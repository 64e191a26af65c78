// SPDX-License-Identifier: Apache-2.0
// Chapter "kernels": loading programs for the device and starting them. No code of a binary is
// executed: functions that the program registers stand in for kernels (ferry/kernel.h).
#ifndef ACL_RT_KERNEL_H
#define ACL_RT_KERNEL_H

#include "../acl_base_rt.h"
#include "errors.h"

// Kinds of binaries, for ACL_RT_BINARY_LOAD_OPT_MAGIC.
#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245U
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343U

#ifdef __cplusplus
extern "C" {
#endif

/// A binary in host memory.
typedef void* aclrtBinary;

/// A binary loaded onto the device.
typedef void* aclrtBinHandle;

/// A kernel of a loaded binary.
typedef void* aclrtFuncHandle;

/// Arguments of a kernel.
typedef void* aclrtArgsHandle;

/// One argument of a kernel.
typedef void* aclrtParamHandle;

/// Called for a failed kernel of one binary.
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo*, void*);

/// Options for loading a binary.
typedef enum aclrtBinaryLoadOptionType {
  ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
  ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2,
  ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
  ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3
} aclrtBinaryLoadOptionType;

/// Core a kernel runs on.
typedef enum aclrtEngineType {
  ACL_RT_ENGINE_TYPE_AIC = 0,
  ACL_RT_ENGINE_TYPE_AIV = 1
} aclrtEngineType;

/// Attributes of a launch.
typedef enum aclrtLaunchKernelAttrId {
  ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
  ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE = 2,
  ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2,
  ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
  ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
  ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
  ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
  ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
  ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8,
  ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING = 9
} aclrtLaunchKernelAttrId;

/// What aclrtGetFunctionAttribute can query.
typedef enum aclrtFuncAttribute {
  ACL_FUNC_ATTR_KERNEL_TYPE = 1,
  ACL_FUNC_ATTR_KERNEL_RATIO = 2,
  ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3
} aclrtFuncAttribute;

/// Values of ACL_FUNC_ATTR_KERNEL_TYPE.
typedef enum aclrtKernelType {
  ACL_KERNEL_TYPE_AICORE = 0,
  ACL_KERNEL_TYPE_CUBE = 1,
  ACL_KERNEL_TYPE_VECTOR = 2,
  ACL_KERNEL_TYPE_MIX = 3,
  ACL_KERNEL_TYPE_AICPU = 100
} aclrtKernelType;

/// Value of an option.
typedef union aclrtBinaryLoadOptionValue {
  uint32_t isLazyLoad;
  uint32_t magic;
  int32_t cpuKernelMode;
  uint32_t rsv[4];
} aclrtBinaryLoadOptionValue;

/// An option.
typedef struct aclrtBinaryLoadOption {
  aclrtBinaryLoadOptionType type;
  aclrtBinaryLoadOptionValue value;
} aclrtBinaryLoadOption;

/// A list of options.
typedef struct aclrtBinaryLoadOptions {
  aclrtBinaryLoadOption* options;
  size_t numOpt;
} aclrtBinaryLoadOptions;

/// Extent in three directions.
typedef struct dim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
} dim3;

/// A time in microseconds, in two halves.
typedef struct aclrtTimeoutUs {
  uint32_t timeoutLow;
  uint32_t timeoutHigh;
} aclrtTimeoutUs;

/// Value of an attribute of a launch.
typedef union aclrtLaunchKernelAttrValue {
  uint8_t schemMode;
  uint32_t localMemorySize;
  uint32_t dynUBufSize;
  aclrtEngineType engineType;
  uint32_t blockDimOffset;
  uint8_t isBlockTaskPrefetch;
  uint8_t isDataDump;
  uint16_t timeout;
  aclrtTimeoutUs timeoutUs;
  uint8_t enableProfiling;
  uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;

/// An attribute of a launch.
typedef struct aclrtLaunchKernelAttr {
  aclrtLaunchKernelAttrId id;
  aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;

/// A list of attributes of a launch.
typedef struct aclrtLaunchKernelCfg {
  aclrtLaunchKernelAttr* attrs;
  size_t numAttrs;
} aclrtLaunchKernelCfg;

/// Where in the arguments the address of further data belongs.
typedef struct aclrtPlaceHolderInfo {
  uint32_t addrOffset;
  uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/// Wraps a binary in host memory. Nothing is copied: the bytes must stay until it was loaded.
/// Returns the wrapper, to be released with aclrtDestroyBinary; NULL when `data` is NULL.
ACL_FUNC_VISIBILITY aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen);

/// Destroys the wrapper. A binary that was loaded from it stays loaded.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `binary` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `binary` was destroyed or is not a wrapper
ACL_FUNC_VISIBILITY aclError aclrtDestroyBinary(aclrtBinary binary);

/// Loads a wrapped binary onto the device of the current context.
/// [out] binHandle  to be released with aclrtBinaryUnLoad
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `binary` or `binHandle` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE     `binary` was destroyed or is not a wrapper
///   ACL_ERROR_RT_PARAM_INVALID      the bytes are none, cannot be read, or are not an ELF file
///                                   while no stand-in is registered
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device has no memory for it
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* binHandle);

/// Loads a binary from a file onto the device of the current context. Any file is a binary once a
/// stand-in is registered.
/// [in] options  NULL for none; magic numbers are not allowed; CPU kernel modes are 0 and 1, with
///               which the file is a description, *.json
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `binPath` or `binHandle` is NULL
///   ACL_ERROR_RT_PARAM_INVALID      an option is wrong; the file is missing, cannot be read, or is
///                                   of the wrong kind
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device has no memory for it
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoadFromFile(const char* binPath,
                                                     aclrtBinaryLoadOptions* options,
                                                     aclrtBinHandle* binHandle);

/// Loads a binary from host memory onto the device of the current context. The bytes may be freed
/// afterwards.
/// [in] options  NULL for none; the only CPU kernel mode here is 2: aclrtRegisterCpuFunc names the
///               kernels
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `data` or `binHandle` is NULL
///   ACL_ERROR_RT_PARAM_INVALID      `length` is 0; an option is wrong; the bytes cannot be read,
///                                   or are not an ELF file while no stand-in is registered
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device has no memory for it
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoadFromData(const void* data, size_t length,
                                                     const aclrtBinaryLoadOptions* options,
                                                     aclrtBinHandle* binHandle);

/// Unloads a binary: its functions die. Waits until their queued launches have run.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `binHandle` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `binHandle` was unloaded or is not a loaded binary
///   ACL_ERROR_RT_INTERNAL_ERROR  called by a stand-in of a kernel of this binary
ACL_FUNC_VISIBILITY aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);

/// Finds a kernel by its name: there must be a stand-in. The same name gives the same handle.
/// [out] funcHandle  NULL when the kernel is not found
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `binHandle`, `kernelName` or `funcHandle` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `binHandle` was unloaded or is not a loaded binary
///   ACL_ERROR_RT_PARAM_INVALID   no stand-in has this name, and FERRY_KERNELS is not skip
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle,
                                                    const char* kernelName,
                                                    aclrtFuncHandle* funcHandle);

/// Finds a kernel by the number that its stand-in has registered.
/// [out] funcHandle  NULL when the kernel is not found
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `binHandle` or `funcHandle` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `binHandle` was unloaded or is not a loaded binary
///   ACL_ERROR_RT_PARAM_INVALID   the binary is for the AI CPU, or no stand-in has this number
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle,
                                                           uint64_t funcEntry,
                                                           aclrtFuncHandle* funcHandle);

/// Finds a device variable by the name with which a stand-in has registered it.
/// [out] dptr, size  one of them may be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `binHandle`, `name`, or both `dptr` and `size` are NULL
///   ACL_ERROR_RT_INVALID_HANDLE    `binHandle` was unloaded or is not a loaded binary
///   ACL_ERROR_RT_SYMBOL_NOT_FOUND  no variable has this name
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char* name,
                                                  void** dptr, size_t* size);

/// Reports where the bytes of a binary are in device memory.
/// [out] binAddr  NULL, and `binSize` 0, while a lazily loaded binary was not used yet
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `binHandle` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `binAddr` or `binSize` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `binHandle` was unloaded or is not a loaded binary
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle,
                                                      void** binAddr, size_t* binSize);

/// Sets the function that is called when a kernel of the binary fails, before the other exception
/// callbacks, on the same thread as they. The last one counts.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `binHandle` or `callback` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `binHandle` was unloaded or is not a loaded binary
///   ACL_ERROR_RT_RESOURCE_ALLOC_FAIL  the thread for reports cannot be started
ACL_FUNC_VISIBILITY aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle,
                                                             aclrtOpExceptionCallback callback,
                                                             void* userData);

/// Finds a kernel of the AI CPU by `kernelName`: there must be a stand-in for it.
/// [in] funcName  not interpreted
/// [out] funcHandle  NULL when the kernel is not found
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      an argument is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `handle` was unloaded or is not a loaded binary
///   ACL_ERROR_RT_PARAM_INVALID   the binary was not loaded with CPU kernel mode 2, or no stand-in
///                                has this name
ACL_FUNC_VISIBILITY aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char* funcName,
                                                  const char* kernelName,
                                                  aclrtFuncHandle* funcHandle);

/// Finds the kernel whose stand-in has registered the address of a host function.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM               `symbol` or `funcHandle` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL             no current context
///   ACL_ERROR_RT_INVALID_DEVICE_FUNCTION  no stand-in has this symbol
ACL_FUNC_VISIBILITY aclError aclrtGetFuncBySymbol(const void* symbol, aclrtFuncHandle* funcHandle);

/// Reports where the code of a kernel is: an address in its binary for each kind of core that runs
/// it, NULL for the other.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      an argument is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
///   ACL_ERROR_RT_PARAM_INVALID   the kernel runs on the AI CPU, or belongs to no binary
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr,
                                                  void** aivAddr);

/// Reports how long the code of a kernel is, per kind of core: up to the end of its binary, or 0.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   an argument is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
///   ACL_ERROR_RT_PARAM_INVALID   the kernel runs on the AI CPU, or belongs to no binary
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t* aicSize,
                                                  size_t* aivSize);

/// Gets the name of a kernel.
/// [in] maxLen  the capacity of `name` in bytes
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `name` is NULL
///   ACL_ERROR_RT_PARAM_INVALID   `funcHandle` is NULL, or `maxLen` has no room for the name and a
///                                final 0
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen,
                                                  char* name);

/// Gets a property of a kernel. A property that is not known changes nothing.
/// [out] attrValue  kind of kernel (aclrtKernelType); two 16-bit numbers, vector and cube cores per
///                  block; or the schedule mode
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `funcHandle` or `attrValue` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle,
                                                       aclrtFuncAttribute attrType,
                                                       int64_t* attrValue);

/// Reports which binary a kernel belongs to.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID   an argument is NULL; the kernel runs on the AI CPU, or a symbol
///                                names it
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle,
                                                    aclrtBinHandle* binHandle);

/// Reports how many parameters a kernel has, from the table of its stand-in.
/// [in] func  a function, or the symbol of a stand-in
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `func` or `paramCount` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `func` is neither a function nor a symbol
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the kernel runs on the AI CPU
///   ACL_ERROR_RT_PARAM_INVALID        the stand-in has registered no table
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetParamCount(const void* func, size_t* paramCount);

/// Gets place and size of a parameter, from the table of its stand-in.
/// [in] func  a function, or the symbol of a stand-in
/// [out] paramOffset, paramSize  one of them may be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `func`, or both outputs are NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `func` is neither a function nor a symbol
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the kernel runs on the AI CPU
///   ACL_ERROR_RT_PARAM_INVALID        the stand-in has registered no table, or `paramIndex` is
///                                     past its end
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetParamInfo(const void* func, size_t paramIndex,
                                                       size_t* paramOffset, size_t* paramSize);

/// Reports how much local memory a block can still get: 0 for kernels that do not run as a grid of
/// threads.
/// [in] func  a function, or the symbol of a stand-in
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `func` or `dynamicUbufSize` is NULL, or `flags` is not 0
///   ACL_ERROR_RT_INVALID_HANDLE  `func` is neither a function nor a symbol
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetAvailDynUbufPerBlock(void* func, uint32_t flags,
                                                                  size_t* dynamicUbufSize);

/// Reports how many bytes the list takes that aclrtKernelArgsInitByUserMem makes.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `funcHandle` or `memSize` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle,
                                                             size_t* memSize);

/// Reports the size of an argument block: `userArgsSize`, and room for alignment and hidden words.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `funcHandle` or `actualArgsSize` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle,
                                                       size_t userArgsSize, size_t* actualArgsSize);

/// Begins a list of up to 128 arguments and 65536 bytes. A thread has one such list: the next call
/// begins it anew, and what it contained is lost.
/// [out] argsHandle  valid until the thread ends; other threads may use it
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `funcHandle` or `argsHandle` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle,
                                                 aclrtArgsHandle* argsHandle);

/// Begins a list in memory of the caller, who keeps it until the list is not used any more.
/// [in] argsHandle  as many bytes as aclrtKernelArgsGetHandleMemSize reports,
///                  aligned to 8;
///                  it becomes the handle
/// [in] userHostMem, actualArgsSize  memory for the argument block
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      a pointer is NULL, or `actualArgsSize` is 0
///   ACL_ERROR_RT_INVALID_HANDLE  `funcHandle` died with its binary, or is not a function
///   ACL_ERROR_RT_PARAM_INVALID   the memory cannot be written, or is not aligned
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle,
                                                          aclrtArgsHandle argsHandle,
                                                          void* userHostMem, size_t actualArgsSize);

/// Adds an argument: its bytes are copied now, to the next multiple of 8 (kernels of the AI CPU: to
/// the next byte).
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           a pointer is NULL, or `paramSize` is 0
///   ACL_ERROR_RT_INVALID_HANDLE       `argsHandle` is not an argument list of a live thread
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the list is complete, or a placeholder has its data already
///   ACL_ERROR_RT_PARAM_INVALID        the list is full, or `param` cannot be read
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param,
                                                   size_t paramSize, aclrtParamHandle* paramHandle);

/// Adds 8 bytes that will hold the device address of data in the argument block.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           a pointer is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `argsHandle` is not an argument list of a live thread
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the list is complete, or a placeholder has its data already
///   ACL_ERROR_RT_PARAM_INVALID        the list is full
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle,
                                                              aclrtParamHandle* paramHandle);

/// Makes room for the data of a placeholder in the argument block. The caller writes it before the
/// launch. The last call for a placeholder counts.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           a pointer is NULL, or `dataSize` is 0
///   ACL_ERROR_RT_INVALID_HANDLE       `argsHandle` is not an argument list, or `paramHandle` not a
///                                     parameter of it
///   ACL_ERROR_RT_PARAM_INVALID        `paramHandle` is a value
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the list is complete
///   ACL_ERROR_RT_PARAM_INVALID        the list has no room
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle,
                                                                 aclrtParamHandle paramHandle,
                                                                 size_t dataSize,
                                                                 void** bufferAddr);

/// Replaces the bytes of an argument. A complete list must be completed again.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      a pointer is NULL, or `paramSize` is 0
///   ACL_ERROR_RT_INVALID_HANDLE  `argsHandle` is not an argument list, or `paramHandle` not a
///                                parameter of it
///   ACL_ERROR_RT_PARAM_INVALID   `paramHandle` is a placeholder, `paramSize` differs from the size
///                                that was appended, or `param` cannot be read
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle,
                                                       aclrtParamHandle paramHandle, void* param,
                                                       size_t paramSize);

/// Completes a list. It can be launched any number of times.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `argsHandle` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_INVALID_HANDLE  `argsHandle` is not an argument list of a live thread
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);

/// Reports where blocks of a kernel synchronise: 64 bytes of device memory that live as long as the
/// current context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `addr` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product is none of A2 and A3
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the device has no memory left for it
ACL_FUNC_VISIBILITY aclError aclrtGetHardwareSyncAddr(void** addr);

/// Gets the arguments of a failed kernel, inside an exception callback.
/// [out] devArgsPtr  in device memory, valid until the callback returns
/// Returns ACL_SUCCESS, or
///   -1                       `info` is NULL, not the report of this callback, or not of a kernel
///   ACL_ERROR_INVALID_PARAM  `devArgsPtr` or `devArgsLen` is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info,
                                                           void** devArgsPtr, uint32_t* devArgsLen);

/// Reports which kernel failed, inside an exception callback.
/// Returns ACL_SUCCESS, or
///   -1                       `info` is NULL, not the report of this callback, or not of a kernel
///   ACL_ERROR_INVALID_PARAM  `func` is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info,
                                                                 aclrtFuncHandle* func);

/// Reports whether binaries for a product run on this one. Needs no context.
/// [in] socVersion  a name as aclrtGetSocName returns it
/// [out] canCompatible  1 for the emulated product, else 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID  `socVersion` or `canCompatible` is NULL
ACL_FUNC_VISIBILITY aclError aclrtCheckArchCompatibility(const char* socVersion,
                                                         int32_t* canCompatible);

#ifdef __cplusplus
}
#endif

#endif
