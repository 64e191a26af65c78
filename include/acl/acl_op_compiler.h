// SPDX-License-Identifier: Apache-2.0
// Compiling operators. There are none here: what would run one refuses with 500004 and names it.
// The functions are in libacl_op_compiler.so.
#ifndef INC_EXTERNAL_ACL_ACL_OP_COMPILER_H_
#define INC_EXTERNAL_ACL_ACL_OP_COMPILER_H_

#include "acl_base.h"
#include "acl_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where an operator comes from.
typedef enum aclCompileType { ACL_COMPILE_SYS = 0, ACL_COMPILE_UNREGISTERED = 1 } aclopCompileType;

/// Options of the compiler.
typedef enum {
  ACL_PRECISION_MODE = 0,
  ACL_AICORE_NUM = 1,
  ACL_AUTO_TUNE_MODE = 2,
  ACL_OP_SELECT_IMPL_MODE = 3,
  ACL_OPTYPELIST_FOR_IMPLMODE = 4,
  ACL_OP_DEBUG_LEVEL = 5,
  ACL_DEBUG_DIR = 6,
  ACL_OP_COMPILER_CACHE_MODE = 7,
  ACL_OP_COMPILER_CACHE_DIR = 8,
  ACL_OP_PERFORMANCE_MODE = 9,
  ACL_OP_JIT_COMPILE = 10,
  ACL_OP_DETERMINISTIC = 11,
  ACL_CUSTOMIZE_DTYPES = 12,
  ACL_OP_PRECISION_MODE = 13,
  ACL_ALLOW_HF32 = 14,
  ACL_PRECISION_MODE_V2 = 15,
  ACL_OP_DEBUG_OPTION = 16
} aclCompileOpt;

/// How exactly shapes are compiled.
typedef enum aclCompileFlag {
  ACL_OP_COMPILE_DEFAULT = 0,
  ACL_OP_COMPILE_FUZZ = 1
} aclOpCompileFlag;

/// Options for writing a graph.
typedef struct aclGraphDumpOption aclGraphDumpOption;

/// Compiles an operator and runs it. Not supported: there are no operators.
/// Returns 500004; the text names opType.
ACL_FUNC_VISIBILITY aclError aclopCompileAndExecute(
    const char* opType, int numInputs, const aclTensorDesc* const* inputDesc,
    const aclDataBuffer* const* inputs, int numOutputs, const aclTensorDesc* const* outputDesc,
    aclDataBuffer* const* outputs, const aclopAttr* attr, aclopEngineType engineType,
    aclopCompileType compileFlag, const char* opPath, aclrtStream stream);

/// As aclopCompileAndExecute, for shapes that the operator decides. Not supported.
/// Returns 500004; the text names opType.
ACL_FUNC_VISIBILITY aclError
aclopCompileAndExecuteV2(const char* opType, int numInputs, aclTensorDesc** inputDesc,
                         aclDataBuffer** inputs, int numOutputs, aclTensorDesc** outputDesc,
                         aclDataBuffer** outputs, aclopAttr* attr, aclopEngineType engineType,
                         aclopCompileType compileFlag, const char* opPath, aclrtStream stream);

/// Sets an option of the compiler. It is kept and has no effect.
/// Returns ACL_ERROR_INVALID_PARAM for an unknown option, or value NULL.
ACL_FUNC_VISIBILITY aclError aclSetCompileopt(aclCompileOpt opt, const char* value);

/// Writes the graph of an operator. Not supported.
/// Returns 500004.
ACL_FUNC_VISIBILITY aclError aclGenGraphAndDumpForOp(
    const char* opType, int numInputs, const aclTensorDesc* const* inputDesc,
    const aclDataBuffer* const* inputs, int numOutputs, const aclTensorDesc* const* outputDesc,
    aclDataBuffer* const* outputs, const aclopAttr* attr, aclopEngineType engineType,
    const char* graphDumpPath, const aclGraphDumpOption* graphDumpOpt);

/// NULL: there is no graph to write.
ACL_FUNC_VISIBILITY aclGraphDumpOption* aclCreateGraphDumpOpt(void);

/// Nothing can have been created.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption* graphDumpOpt);

#ifdef __cplusplus
}
#endif

#endif
