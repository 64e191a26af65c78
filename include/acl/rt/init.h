// SPDX-License-Identifier: Apache-2.0
// Chapter "initialisation": initialising and finalising the library. Devices are in device.h. No
// other call checks whether aclInit was called.
#ifndef ACL_RT_INIT_H
#define ACL_RT_INIT_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which part of the software a callback of this chapter is registered for. The value only
/// distinguishes callbacks with the same function.
typedef enum aclRegisterCallbackType {
  ACL_REG_TYPE_ACL_MODEL = 0,        ///< models
  ACL_REG_TYPE_ACL_OP_EXECUTOR = 1,  ///< execution of operators
  ACL_REG_TYPE_ACL_OP_CBLAS = 2,     ///< linear algebra
  ACL_REG_TYPE_ACL_OP_COMPILER = 3,  ///< compilation of operators
  ACL_REG_TYPE_ACL_TDT_CHANNEL = 4,  ///< channels for tensors
  ACL_REG_TYPE_ACL_TDT_QUEUE = 5,    ///< queues for tensors
  ACL_REG_TYPE_ACL_DVPP = 6,         ///< pictures and video
  ACL_REG_TYPE_ACL_RETR = 7,         ///< search by feature
  ACL_REG_TYPE_OTHER = 0xFFFF        ///< anything else
} aclRegisterCallbackType;

/// Called by aclInit with the text of the configuration file and its length without the final
/// zero (an empty text when there is none), and the `userData` of the registration. A result
/// other than ACL_SUCCESS becomes the result of aclInit.
typedef aclError (*aclInitCallbackFunc)(const char*, size_t, void*);

/// Called when the library is finalised, with the `userData` of the registration. A result other
/// than ACL_SUCCESS becomes the result of that call.
typedef aclError (*aclFinalizeCallbackFunc)(void*);

/// Initialises the library: reads the configuration and counts the callers. Programs may omit it.
/// [in] configPath  JSON file of at most 16 MiB, or NULL or "" for none. Two entries are read, all
///      others are ignored: `err_msg_mode` ("0": error texts per thread, "1": per process), and
///      `defaultDevice.default_device` (number of a device that a thread without a context gets
///      automatically). Numbers may be written with or without quotation marks.
/// Threads: any; the first one does the work, the others wait for it.
/// Returns ACL_SUCCESS on the first call, or
///   ACL_ERROR_REPEAT_INITIALIZE  it was called before and not finalised: the count goes up by
///                                one, the configuration is not read, and the program can go on
///   ACL_ERROR_INVALID_PARAM      a FERRY_ environment variable is unknown, or its value is invalid
///   ACL_ERROR_INVALID_FILE       `configPath` is missing, unreadable, too long or no regular file
///   ACL_ERROR_PARSE_FILE         `configPath` is not a JSON object
///   ACL_ERROR_INVALID_PARAM      an entry that is read has a value that is not allowed
///   ACL_ERROR_INVALID_PARAM      the configuration differs from that of an earlier aclInit,
///                                which was finalised since
ACL_FUNC_VISIBILITY aclError aclInit(const char* configPath);

/// Finalises the library, whatever the count of aclInit. Memory, streams and devices are not
/// changed.
/// Returns ACL_SUCCESS (also when aclInit was never called), or
///   ACL_ERROR_REPEAT_FINALIZE  it was finalised before, and aclInit was not called since
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/// Undoes one call of aclInit; the last one finalises the library as aclFinalize does.
/// [out] refCount  calls of aclInit still open; may be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_REPEAT_FINALIZE  no call of aclInit is open
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t* refCount);

/// Registers a function that aclInit calls. If aclInit was called before, the function is called at
/// once as well. A pair of `type` and `cbFunc` is kept only once.
/// [in] userData  passed on to `cbFunc`; not interpreted
/// Returns ACL_SUCCESS (also when the pair is already registered), or
///   ACL_ERROR_INVALID_PARAM  `cbFunc` is NULL
ACL_FUNC_VISIBILITY aclError aclInitCallbackRegister(aclRegisterCallbackType type,
                                                     aclInitCallbackFunc cbFunc, void* userData);

/// Undoes aclInitCallbackRegister for this pair.
/// Returns ACL_SUCCESS (also when the pair is not registered), or
///   ACL_ERROR_INVALID_PARAM  `cbFunc` is NULL
ACL_FUNC_VISIBILITY aclError aclInitCallbackUnRegister(aclRegisterCallbackType type,
                                                       aclInitCallbackFunc cbFunc);

/// Registers a function that is called when the library is finalised. A pair of `type` and `cbFunc`
/// is kept only once.
/// [in] userData  passed on to `cbFunc`; not interpreted
/// Returns ACL_SUCCESS (also when the pair is already registered), or
///   ACL_ERROR_INVALID_PARAM  `cbFunc` is NULL
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type,
                                                         aclFinalizeCallbackFunc cbFunc,
                                                         void* userData);

/// Undoes aclFinalizeCallbackRegister for this pair.
/// Returns ACL_SUCCESS (also when the pair is not registered), or
///   ACL_ERROR_INVALID_PARAM  `cbFunc` is NULL
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                                           aclFinalizeCallbackFunc cbFunc);

#ifdef __cplusplus
}
#endif

#endif
