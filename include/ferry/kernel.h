// SPDX-License-Identifier: Apache-2.0
// Stand-ins for kernels. Ferry computes nothing by itself: a program, or a shared object that
// FERRY_KERNELS names, registers a function for each kernel by its name. Launches of that kernel
// call the function in stream order. docs/kernels.md is the guide.
#ifndef FERRY_KERNEL_H
#define FERRY_KERNEL_H

#include "../acl/acl_base_rt.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a stand-in learns about its launch besides the arguments. The library may append members;
/// structSize is its size.
typedef struct ferryKernelContext {
  uint32_t structSize;
  int32_t deviceId;         ///< the device of the stream, by the program's number
  int32_t streamId;         ///< as aclrtStreamGetId reports it
  uint32_t numBlocks;       ///< as launched; of a grid of threads: the product of gridDim
  const char* kernel;       ///< the name of the kernel
  void* data;               ///< as registered
  const void* argsAddress;  ///< where the argument block lies on the device
  uint32_t gridDim[3];      ///< numBlocks, 1, 1 unless a grid of threads was launched
  uint32_t blockDim[3];     ///< 1, 1, 1 unless a grid of threads was launched
  size_t dynUbufSize;       ///< local memory that the launch asks for, in bytes
} ferryKernelContext;

/// A stand-in. It runs once per launch, in stream order, on a thread that stands in for the device.
/// It may block without holding up other streams.
/// [in] args  a host copy of the argument block, aligned to 64 bytes; placeholder words in it hold
///            device addresses inside the block, as on the device
/// [in] context  valid until the stand-in returns
/// Returns 0, or any other number: then the launch fails, and the next synchronisation of the
/// stream returns ACL_ERROR_RT_AICORE_EXCEPTION with a text that names the kernel and the number.
typedef int (*ferryKernelFunction)(uint32_t numBlocks, const void* args, size_t argsSize,
                                   const ferryKernelContext* context);

/// Registers a stand-in for the kernel `name`, or replaces the earlier one: launches that are
/// queued already keep theirs. The same as ferryRegisterKernelEx with only these members set.
/// Returns as ferryRegisterKernelEx does.
ACL_FUNC_VISIBILITY aclError ferryRegisterKernel(const char* name, ferryKernelFunction function,
                                                 void* data);

/// Translates an address in device memory to one that the stand-in can read and write.
/// [in] devPtr, size  must lie in live device memory; in a function of the type ferryKernelDeclare
///                    it must lie in the argument block
/// Returns the address, or NULL with an error text. The result is valid until the stand-in returns.
/// ferryDeviceAddress works inside a stand-in, too.
ACL_FUNC_VISIBILITY void* ferryKernelAddress(const ferryKernelContext* context, const void* devPtr,
                                             size_t size);

// ---- what a stand-in can declare about its kernel ----

/// Place and size of one parameter in the argument block.
typedef struct ferryKernelParameter {
  size_t offset;
  size_t size;
} ferryKernelParameter;

/// A device variable: the program names it by an address on the host, or by its name.
typedef struct ferryKernelVariable {
  const char* name;    ///< for aclrtBinaryGetGlobal; NULL if it has none
  const void* symbol;  ///< for aclrtGetSymbolAddress and the copies; NULL if it has none
  size_t size;         ///< in bytes, not 0
} ferryKernelVariable;

/// Collects the memory that a launch uses.
typedef struct ferryKernelRanges ferryKernelRanges;

/// Declares what a launch reads and writes, with ferryKernelReads and ferryKernelWrites. It runs on
/// the thread that launches, before the launch is queued: device memory has no defined contents
/// then, apart from the argument block. The checker treats the ranges like those of copies.
/// It is not called for aclrtLaunchKernel and aclrtLaunchKernelV2, whose arguments are not known
/// until the kernel runs: of such launches the checker sees the memory that
/// ferryKernelAddress translates.
typedef void (*ferryKernelDeclare)(uint32_t numBlocks, const void* args, size_t argsSize,
                                   const ferryKernelContext* context, ferryKernelRanges* ranges);

/// The launch reads these bytes. Ranges of size 0 are ignored.
ACL_FUNC_VISIBILITY void ferryKernelReads(ferryKernelRanges* ranges, const void* devPtr,
                                          size_t size);

/// The launch writes these bytes, and may read them. Ranges of size 0 are ignored.
ACL_FUNC_VISIBILITY void ferryKernelWrites(ferryKernelRanges* ranges, void* devPtr, size_t size);

/// Bits of ferryKernel::flags.
#define FERRY_KERNEL_CPU 0x1U            ///< runs on the AI CPU: arguments are packed
#define FERRY_KERNEL_SYNC_WORD 0x2U      ///< its first word is the address for hardware sync
#define FERRY_KERNEL_OVERFLOW_WORD 0x4U  ///< the word behind its arguments is the overflow address
#define FERRY_KERNEL_HAS_ENTRY 0x8U      ///< `entry` is valid
#define FERRY_KERNEL_SIMT 0x10U          ///< runs as a grid of threads

/// A stand-in and what is known about its kernel. All strings and arrays are copied.
typedef struct ferryKernel {
  uint32_t structSize;  ///< sizeof(ferryKernel), set by the caller
  uint32_t flags;       ///< FERRY_KERNEL_*
  const char* name;
  ferryKernelFunction function;
  void* data;  ///< passed on in the context; not interpreted
  /// The parameter table, for aclrtLaunchKernelWithArgsArray and aclrtFunctionGetParam*. NULL: the
  /// kernel has none. parameterCount 0 with an array: it has no parameters.
  const ferryKernelParameter* parameters;
  size_t parameterCount;
  ferryKernelDeclare declare;  ///< NULL: the checker sees what ferryKernelAddress translates
  const void* symbol;          ///< the host address that names the kernel, or NULL
  const ferryKernelVariable* variables;
  size_t variableCount;
  uint64_t entry;  ///< for aclrtBinaryGetFunctionByEntry; counts with FERRY_KERNEL_HAS_ENTRY
  int32_t type;    ///< aclrtKernelType, for aclrtGetFunctionAttribute
  uint32_t reserved;
} ferryKernel;

/// Registers a stand-in, or replaces the earlier one of the same name: launches that are queued
/// already keep theirs. A variable that is registered again keeps its contents; its size must stay.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `kernel`, its name or function is NULL; the name is empty or longer
///                            than 1023 characters; structSize is smaller than the struct; a flag
///                            is unknown; a parameter has size 0, ends past 65536, or overlaps
///                            another; a variable has size 0 or neither name nor symbol; a symbol,
///                            entry or variable belongs to another kernel already
ACL_FUNC_VISIBILITY aclError ferryRegisterKernelEx(const ferryKernel* kernel);

/// Removes a stand-in. Launches that are queued already keep it; later ones fail. Its variables
/// stay.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `name` is NULL, or no stand-in has this name
ACL_FUNC_VISIBILITY aclError ferryUnregisterKernel(const char* name);

/// What became of the launches of a kernel.
typedef struct ferryKernelUse {
  const char* name;   ///< valid forever
  int isRegistered;   ///< a stand-in has this name
  uint64_t launches;  ///< launches that ran the stand-in
  uint64_t failures;  ///< of them, those that failed
  uint64_t skipped;   ///< launches that did nothing, because of FERRY_KERNELS=skip
} ferryKernelUse;

/// Lists the kernels that are registered or were launched, in the order in which the library first
/// met them: `index` counts from 0 until the call fails.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `use` is NULL, or `index` is past the last one
ACL_FUNC_VISIBILITY aclError ferryGetKernel(size_t index, ferryKernelUse* use);

// A shared object with stand-ins exports this function; FERRY_KERNELS names the file. The library
// loads it once, when the runtime starts, and calls the function, which registers the stand-ins.
// The function must not use a device:
//   void ferryRegisterKernels(void);

#ifdef __cplusplus
}
#endif

#endif
