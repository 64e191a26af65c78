// SPDX-License-Identifier: Apache-2.0
// Chapter "dump of tensors": writing what operators read and write to files. Nothing in this
// chapter is supported; switching the dump on is in rt/dump.h.
#ifndef ACL_DUMP_H
#define ACL_DUMP_H

#include "acl_base_rt.h"

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

/// Registers a function that gets the parts of dump files. Not supported.
ACL_FUNC_VISIBILITY aclError
acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t), int32_t flag);

/// Undoes acldumpRegCallback. Not supported.
ACL_FUNC_VISIBILITY void acldumpUnregCallback(void);

/// Starts to dump the arguments of operators. Not supported.
ACL_FUNC_VISIBILITY aclError aclopStartDumpArgs(uint32_t dumpType, const char* path);

/// Ends aclopStartDumpArgs. Not supported.
ACL_FUNC_VISIBILITY aclError aclopStopDumpArgs(uint32_t dumpType);

/// Reports where files of one type are written. Not supported.
ACL_FUNC_VISIBILITY const char* acldumpGetPath(acldumpType dumpType);

/// Saves tensors while a failed task is reported. Not supported.
ACL_FUNC_VISIBILITY aclError acldumpSaveExceptionInfo(const char* fileName, const char* userTag,
                                                      const acldumpTensorInfo* tensors,
                                                      size_t tensorCount);

/// Reports where the data of failed tasks is written. Not supported.
ACL_FUNC_VISIBILITY aclError acldumpGetExceptionInfoPath(char* path, size_t maxLen);

#ifdef __cplusplus
}
#endif

#endif
