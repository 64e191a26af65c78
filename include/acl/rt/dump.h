// SPDX-License-Identifier: Apache-2.0
// Chapter "switching the dump on": what is dumped is in acl_dump.h. Settings are checked and kept,
// but Ferry writes no dump files.
#ifndef ACL_RT_DUMP_H
#define ACL_RT_DUMP_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Prepares dumping. aclFinalize ends it, too.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_UNINITIALIZE       aclInit was not called
///   ACL_ERROR_REPEAT_INITIALIZE  it was called before, without aclmdlFinalizeDump
ACL_FUNC_VISIBILITY aclError aclmdlInitDump(void);

/// Reads from a file what is to be dumped. acldumpGetPath returns its path afterwards.
/// [in] dumpCfgPath  a JSON file with an object "dump"; it names dump_path, dump_scene or both
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_UNINITIALIZE         aclInit was not called
///   ACL_ERROR_DUMP_NOT_RUN         aclmdlInitDump was not called
///   ACL_ERROR_INVALID_PARAM        `dumpCfgPath` is NULL
///   ACL_ERROR_INVALID_FILE         the file cannot be read
///   ACL_ERROR_INVALID_DUMP_CONFIG  it is not JSON, or an entry has a value that is not allowed
ACL_FUNC_VISIBILITY aclError aclmdlSetDump(const char* dumpCfgPath);

/// Ends dumping.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_UNINITIALIZE  aclInit was not called
///   ACL_ERROR_DUMP_NOT_RUN  aclmdlInitDump was not called
ACL_FUNC_VISIBILITY aclError aclmdlFinalizeDump(void);

#ifdef __cplusplus
}
#endif

#endif
