// SPDX-License-Identifier: Apache-2.0
// Chapter "switching the dump on": what is dumped is in acl_dump.h. Nothing in this chapter is
// supported.
#ifndef ACL_RT_DUMP_H
#define ACL_RT_DUMP_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Prepares dumping. Not supported.
ACL_FUNC_VISIBILITY aclError aclmdlInitDump(void);

/// Reads from a file what is to be dumped. Not supported.
ACL_FUNC_VISIBILITY aclError aclmdlSetDump(const char* dumpCfgPath);

/// Ends dumping. Not supported.
ACL_FUNC_VISIBILITY aclError aclmdlFinalizeDump(void);

#ifdef __cplusplus
}
#endif

#endif
