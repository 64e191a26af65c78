// SPDX-License-Identifier: Apache-2.0
// Descriptions of tensors: plain containers that programs fill and read. The functions are in
// libacl_op_compiler.so; no operator looks at the descriptions here.
#ifndef INC_EXTERNAL_ACL_ACL_BASE_MDL_H_
#define INC_EXTERNAL_ACL_ACL_BASE_MDL_H_

#include "acl_base_rt.h"

#define ACL_TENSOR_SHAPE_RANGE_NUM 2         ///< values per range: from, to
#define ACL_TENSOR_VALUE_RANGE_NUM 2         ///< the same
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE  ///< number of dimensions when it is not known

#ifdef __cplusplus
extern "C" {
#endif

/// A description of a tensor.
typedef struct aclTensorDesc aclTensorDesc;

/// Creates a description. A first dimension of -2 means that their number is not known.
/// Returns it, or NULL for a negative numDims, or dims NULL with numDims > 0.
ACL_FUNC_VISIBILITY aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims,
                                                       const int64_t* dims, aclFormat format);

/// Destroys a description; NULL is allowed.
ACL_FUNC_VISIBILITY void aclDestroyTensorDesc(const aclTensorDesc* desc);

/// The data type, or ACL_DT_UNDEFINED for NULL.
ACL_FUNC_VISIBILITY aclDataType aclGetTensorDescType(const aclTensorDesc* desc);

/// The format, or ACL_FORMAT_UNDEFINED for NULL.
ACL_FUNC_VISIBILITY aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);

/// Bytes of all elements: their number times the size of the data type; 0 for NULL and on overflow.
ACL_FUNC_VISIBILITY size_t aclGetTensorDescSize(const aclTensorDesc* desc);

/// Product of the dimensions: 1 without any, 0 for NULL or if one is negative.
ACL_FUNC_VISIBILITY size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);

/// Number of dimensions; ACL_UNKNOWN_RANK if the first is -2, 0 for NULL.
ACL_FUNC_VISIBILITY size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);

/// One dimension, or -1 when there is none.
ACL_FUNC_VISIBILITY int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index);

/// One dimension.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, and when there is no such dimension.
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index,
                                                   int64_t* dimSize);

/// Two values: the range of one dimension, as aclSetTensorShapeRange gave it.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, no such range, or dimRangeNum < 2.
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index,
                                                      size_t dimRangeNum, int64_t* dimRange);

/// Names the description; name NULL: "".
ACL_FUNC_VISIBILITY void aclSetTensorDescName(aclTensorDesc* desc, const char* name);

/// The name, "" for NULL. Valid until the name changes or the description is destroyed.
ACL_FUNC_VISIBILITY const char* aclGetTensorDescName(aclTensorDesc* desc);

/// The description itself for index 0, else NULL: a description has no others in it.
ACL_FUNC_VISIBILITY aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index);

/// NULL: descriptions that programs create have no address.
ACL_FUNC_VISIBILITY void* aclGetTensorDescAddress(const aclTensorDesc* desc);

/// Converts between formats. Not supported: 500004.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc,
                                                      aclFormat dstFormat, aclTensorDesc** dstDesc);

/// Sets the format in which the tensor is stored.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);

/// Sets the shape in which the tensor is stored.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, or a negative numDims.
ACL_FUNC_VISIBILITY aclError aclSetTensorShape(aclTensorDesc* desc, int numDims,
                                               const int64_t* dims);

/// The older name of aclSetTensorFormat.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format);

/// The older name of aclSetTensorShape.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, or a negative numDims.
ACL_FUNC_VISIBILITY aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims,
                                                      const int64_t* dims);

/// Sets the format that the tensor had at first.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format);

/// Sets the shape that the tensor had at first.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, or a negative numDims.
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims,
                                                     const int64_t* dims);

/// Sets one range per dimension.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                                    int64_t (*dimsRange)[2]);

/// Sets ranges of values.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                                    int64_t (*valueRange)[2]);

/// Says which memory the tensor is in.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);

/// Makes the tensor part of a dynamic input.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError aclSetTensorDynamicInput(aclTensorDesc* desc,
                                                      const char* dynamicInputName);

/// Gives the tensor constant contents, which are copied.
/// Returns ACL_ERROR_INVALID_PARAM for NULL or length 0.
ACL_FUNC_VISIBILITY aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer,
                                               size_t length);

#ifdef __cplusplus
}
#endif

#endif
