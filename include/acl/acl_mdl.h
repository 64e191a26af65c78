// SPDX-License-Identifier: Apache-2.0
// Offline models are not part of this library: the header exists for programs that include it.
// Models captured from streams are in rt/captured_model.h.
#ifndef ACL_MDL_H
#define ACL_MDL_H

#include "acl_rt.h"

#endif
