// SPDX-License-Identifier: Apache-2.0
// Base types and helpers under the name that older programs include; all are in acl_base_rt.h.
#ifndef ACL_BASE_H
#define ACL_BASE_H

#include "acl_base_rt.h"

#endif
