// SPDX-License-Identifier: Apache-2.0
// Chapter "labels": jumps inside a model. Nothing in this chapter is supported.
#ifndef ACL_RT_LABEL_H
#define ACL_RT_LABEL_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a label. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCreateLabel(aclrtLabel* label);

/// Puts a label at the present end of a stream. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);

/// Destroys a label. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabel(aclrtLabel label);

/// Creates a list of labels. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num,
                                                  aclrtLabelList* labelList);

/// Destroys a list of labels. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabelList(aclrtLabelList labelList);

/// Jumps to the label of a list that a value in device memory names. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue,
                                                     aclrtLabelList labelList, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
