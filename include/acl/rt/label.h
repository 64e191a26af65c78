// SPDX-License-Identifier: Apache-2.0
// Chapter "labels": jumps inside a model that is built from bound streams.
#ifndef ACL_RT_LABEL_H
#define ACL_RT_LABEL_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a label.
/// Returns ACL_SUCCESS, 100000 for NULL, 107002, or 507000 when the process has 65535.
ACL_FUNC_VISIBILITY aclError aclrtCreateLabel(aclrtLabel* label);

/// Puts a label at the present end of a stream that is bound to a model. Once per label.
/// Returns ACL_SUCCESS, or 100000 for NULL, 107017, 507031 when the label belongs to another
/// context, 107005 when the stream is not bound, 507000 when the label is set already or in no
/// list.
ACL_FUNC_VISIBILITY aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);

/// Destroys a label.
/// Returns ACL_SUCCESS, 100000, 107017, or 507031 for another context.
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabel(aclrtLabel label);

/// Creates a list of labels, for jumps.
/// Returns ACL_SUCCESS, or 100000 for NULL, 107000 unless num is 1 to 65535, 107002, 107017 for a
/// dead label.
ACL_FUNC_VISIBILITY aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num,
                                                  aclrtLabelList* labelList);

/// Destroys a list of labels.
/// Returns ACL_SUCCESS, 100000, 107017, or 507031 for another context.
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabelList(aclrtLabelList labelList);

/// Jumps to the label of a list that a 32-bit number in device memory names, at most maxValue - 1.
/// The number is read in each run; the rest of the stream is skipped.
/// Returns ACL_SUCCESS, or 100000 for NULL, 107017, 107000 for maxValue 0, 107002, 107003, 107005
/// when the stream is not bound to a model.
ACL_FUNC_VISIBILITY aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue,
                                                     aclrtLabelList labelList, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
