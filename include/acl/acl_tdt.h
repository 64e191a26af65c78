// SPDX-License-Identifier: Apache-2.0
// Tensors for channels between the host and graphs on the device. Data items and data sets are
// plain containers; there are no graphs, so channels refuse. The functions are in
// libacl_tdt_channel.so. A container that was destroyed, or an address that is none, is refused
// like NULL.
#ifndef INC_EXTERNAL_ACL_ACL_TDT_H_
#define INC_EXTERNAL_ACL_ACL_TDT_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a data item is.
typedef enum acltdtTensorType {
  ACL_TENSOR_DATA_UNDEFINED = -1,
  ACL_TENSOR_DATA_TENSOR = 0,
  ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
  ACL_TENSOR_DATA_ABNORMAL = 2,
  ACL_TENSOR_DATA_SLICE_TENSOR = 3,
  ACL_TENSOR_DATA_END_TENSOR = 4
} acltdtTensorType;

typedef struct acltdtDataItem acltdtDataItem;            ///< one tensor
typedef struct acltdtDataset acltdtDataset;              ///< several
typedef struct acltdtChannelHandle acltdtChannelHandle;  ///< there are none

/// What the item is; ACL_TENSOR_DATA_UNDEFINED for NULL.
ACL_FUNC_VISIBILITY acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem);

/// The data type; ACL_DT_UNDEFINED for NULL and for items that are no tensor.
ACL_FUNC_VISIBILITY aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem);

/// The address that the item was created with; NULL for NULL.
ACL_FUNC_VISIBILITY void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem);

/// The size of the data; 0 for NULL.
ACL_FUNC_VISIBILITY size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem);

/// The number of dimensions; 0 for NULL.
ACL_FUNC_VISIBILITY size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem);

/// Number and index of the slice: 0 and 0, since only received items are slices.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem,
                                                        size_t* sliceNum, size_t* sliceId);

/// Copies the dimensions.
/// Returns ACL_ERROR_INVALID_PARAM for dataItem NULL, dims NULL with dimNum > 0, dims given with
/// dimNum 0, or less room than dimensions.
ACL_FUNC_VISIBILITY aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims,
                                                   size_t dimNum);

/// Creates an item. The data are not copied and stay the program's. An item that is no tensor has
/// no data. Returns it, or NULL for dims NULL with dimNum > 0, dims given with dimNum 0, more than
/// 128 dimensions, or dims for an item that is no tensor.
ACL_FUNC_VISIBILITY acltdtDataItem* acltdtCreateDataItem(acltdtTensorType tdtType,
                                                         const int64_t* dims, size_t dimNum,
                                                         aclDataType dataType, void* data,
                                                         size_t size);

/// Destroys an item, not its data.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataItem(acltdtDataItem* dataItem);

/// Creates an empty data set.
ACL_FUNC_VISIBILITY acltdtDataset* acltdtCreateDataset(void);

/// Destroys a data set, not its items.
/// Returns ACL_ERROR_INVALID_PARAM for NULL.
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataset(acltdtDataset* dataset);

/// One item of a data set; NULL when there is none.
ACL_FUNC_VISIBILITY acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index);

/// Appends an item, which stays the program's.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, or if some items have data in host memory and others
/// on a device.
ACL_FUNC_VISIBILITY aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem);

/// The number of items; 0 for NULL.
ACL_FUNC_VISIBILITY size_t acltdtGetDatasetSize(const acltdtDataset* dataset);

/// "": only received data sets have names. NULL for NULL.
ACL_FUNC_VISIBILITY const char* acltdtGetDatasetName(const acltdtDataset* dataset);

/// Stops a channel. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtStopChannel(acltdtChannelHandle* handle);

/// Creates a channel. Not supported: NULL.
ACL_FUNC_VISIBILITY acltdtChannelHandle* acltdtCreateChannel(uint32_t deviceId, const char* name);

/// Creates a channel of a size. Not supported: NULL.
ACL_FUNC_VISIBILITY acltdtChannelHandle* acltdtCreateChannelWithCapacity(uint32_t deviceId,
                                                                         const char* name,
                                                                         size_t capacity);

/// Destroys a channel. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtDestroyChannel(acltdtChannelHandle* handle);

/// Empties a channel. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtCleanChannel(acltdtChannelHandle* handle);

/// Sends a data set. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtSendTensor(const acltdtChannelHandle* handle,
                                              const acltdtDataset* dataset, int32_t timeout);

/// Receives a data set. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtReceiveTensor(const acltdtChannelHandle* handle,
                                                 acltdtDataset* dataset, int32_t timeout);

/// Tells how many data sets are in a channel. Not supported.
/// Returns ACL_ERROR_INVALID_PARAM for NULL, else 500004.
ACL_FUNC_VISIBILITY aclError acltdtQueryChannelSize(const acltdtChannelHandle* handle,
                                                    size_t* size);

#ifdef __cplusplus
}
#endif

#endif
