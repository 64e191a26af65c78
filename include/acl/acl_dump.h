// SPDX-License-Identifier: Apache-2.0
// Chapter "dump of tensors": writing what operators read and write to files. Settings are checked
// and kept, but Ferry writes no dump files. Switching the dump on is in rt/dump.h.
#ifndef INC_EXTERNAL_ACL_DUMP_H_
#define INC_EXTERNAL_ACL_DUMP_H_

#include "acl_base.h"

#define ACL_DUMP_API __attribute__((visibility("default")))
#define ACL_DUMP_WEAK __attribute__((weak))

#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_DUMP_MAX_SHAPE_NUM 25

#define ACL_OP_DUMP_OP_AICORE_ARGS 0x00000001U  ///< what aclopStartDumpArgs dumps

#ifdef __cplusplus
extern "C" {
#endif

/// What is dumped.
typedef enum acldumpType {
  AIC_ERR_BRIEF_DUMP = 1,
  AIC_ERR_NORM_DUMP = 2,
  AIC_ERR_DETAIL_DUMP = 3,
  DATA_DUMP = 4,
  OVERFLOW_DUMP = 5
} acldumpType;

/// Role of a tensor.
typedef enum acldumpTensorType {
  ACL_DUMP_TENSOR_INPUT = 0,
  ACL_DUMP_TENSOR_OUTPUT = 1,
  ACL_DUMP_TENSOR_WORKSPACE = 2
} acldumpTensorType;

/// What the address of a tensor points to.
typedef enum acldumpTensorAddressType {
  ACL_DUMP_ADDR_PTR = 0,
  ACL_DUMP_ADDR_PTR_PTR = 1,
  ACL_DUMP_ADDR_RAW = 2
} acldumpTensorAddressType;

/// Where a tensor is.
typedef enum acldumpTensorPlacement {
  ACL_DUMP_PLACEMENT_DEVICE = 0,
  ACL_DUMP_PLACEMENT_HOST = 1,
  ACL_DUMP_PLACEMENT_END = 2
} acldumpTensorPlacement;

/// A part of a dump file.
typedef struct acldumpChunk {
  char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
  uint32_t bufLen;
  uint32_t isLastChunk;
  int64_t offset;
  int32_t flag;
  __extension__ uint8_t dataBuf[0];
} acldumpChunk;

/// A tensor to be saved.
typedef struct acldumpTensorInfo {
  acldumpTensorType type;
  size_t tensorSize;
  int32_t format;
  int32_t dataType;
  int64_t* tensorAddr;
  acldumpTensorAddressType addrType;
  acldumpTensorPlacement placement;
  uint32_t argsOffset;
  uint32_t shapeNum;
  uint32_t originShapeNum;
  uint64_t shape[ACL_DUMP_MAX_SHAPE_NUM];
  uint64_t originShape[ACL_DUMP_MAX_SHAPE_NUM];
} acldumpTensorInfo;

/// Registers a function that gets the parts of dump files. It replaces an earlier one. As there are
/// no dump files, it is never called.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_FAILURE  `messageCallback` is NULL, or `flag` is not 0
ACL_FUNC_VISIBILITY aclError
acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t), int32_t flag);

/// Undoes acldumpRegCallback.
ACL_FUNC_VISIBILITY void acldumpUnregCallback(void);

/// Starts to record the arguments of kernels. They go to Ferry's trace, not to `path`.
/// [in] dumpType  ACL_OP_DUMP_OP_AICORE_ARGS; other bits are ignored
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_FAILURE  `path` is NULL, or bit 0 of `dumpType` is missing
ACL_FUNC_VISIBILITY aclError aclopStartDumpArgs(uint32_t dumpType, const char* path);

/// Ends aclopStartDumpArgs.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_FAILURE  bit 0 of `dumpType` is missing, or aclopStartDumpArgs was not called
ACL_FUNC_VISIBILITY aclError aclopStopDumpArgs(uint32_t dumpType);

/// Gets where files of one type would be written, as the file of aclmdlSetDump says. The text lives
/// forever.
/// Returns the path; NULL when none is configured for `dumpType`.
ACL_FUNC_VISIBILITY const char* acldumpGetPath(acldumpType dumpType);

/// Saves tensors while a failed task is reported. Ferry does not dump failed tasks.
/// Returns
///   ACL_ERROR_INVALID_PARAM  a pointer is NULL, `fileName` is "", `fileName` or `userTag` contains
///                            "..", or `tensorCount` is 0
///   ACL_ERROR_FAILURE        otherwise: the dump of failed tasks is off
ACL_FUNC_VISIBILITY aclError acldumpSaveExceptionInfo(const char* fileName, const char* userTag,
                                                      const acldumpTensorInfo* tensors,
                                                      size_t tensorCount);

/// Gets where the data of failed tasks is written. Ferry does not dump failed tasks.
/// Returns
///   ACL_ERROR_INVALID_PARAM  `path` is NULL, or `maxLen` is 0 or 1
///   ACL_ERROR_FAILURE        otherwise: the dump of failed tasks is off
ACL_FUNC_VISIBILITY aclError acldumpGetExceptionInfoPath(char* path, size_t maxLen);

#ifdef __cplusplus
}
#endif

#endif
