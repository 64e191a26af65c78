// SPDX-License-Identifier: Apache-2.0
// Chapter "versions": which interface and which software this is. All calls work without a context.
#ifndef ACL_RT_VERSION_H
#define ACL_RT_VERSION_H

#include "../acl_base_rt.h"

#define ACL_MAJOR_VERSION 1  ///< version of the interface: three parts
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

#define ACL_PKG_VERSION_MAX_SIZE 128  ///< bytes for a whole version text, its final zero included
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64  ///< bytes for one part of it

#ifdef __cplusplus
extern "C" {
#endif

/// Packages aclsysGetCANNVersion knows. All but the driver have one version.
typedef enum aclCANNPackageName {
  ACL_PKG_NAME_CANN = 0,
  ACL_PKG_NAME_RUNTIME = 1,
  ACL_PKG_NAME_COMPILER = 2,
  ACL_PKG_NAME_HCCL = 3,
  ACL_PKG_NAME_TOOLKIT = 4,
  ACL_PKG_NAME_OPP = 5,
  ACL_PKG_NAME_OPP_KERNEL = 6,
  ACL_PKG_NAME_DRIVER = 7
} aclCANNPackageName;

/// Version of a package, as texts that end with a zero.
typedef struct aclCANNPackageVersion {
  char version[ACL_PKG_VERSION_MAX_SIZE];               ///< the whole, such as "9.1.0"
  char majorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];    ///< first part
  char minorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];    ///< second part
  char releaseVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];  ///< third part
  char patchVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];    ///< "0"
  char reserved[ACL_PKG_VERSION_MAX_SIZE];              ///< zeros
} aclCANNPackageVersion;

/// Gets the version of the interface: 1.17.0, the values of ACL_MAJOR_VERSION and related values,
/// unless FERRY_CANN names another release (docs/env.md).
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  one of the three pointers is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion,
                                             int32_t* patchVersion);

/// Gets the version of the software that this library emulates: "9.1.0" or what FERRY_CANN names,
/// the same for every package but the driver. `version` is all zeros when the call fails.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `version` is NULL
///   ACL_ERROR_INVALID_FILE   `name` is none of aclCANNPackageName
ACL_FUNC_VISIBILITY aclError aclsysGetCANNVersion(aclCANNPackageName name,
                                                  aclCANNPackageVersion* version);

/// Gets the version of a package as a text: "9.1.0" or what FERRY_CANN names.
/// [in] pkgName  "runtime", "cann", "compiler", "hccl", "toolkit", "opp", "opp_kernel", "driver",
/// or
///      a package that they consist of, such as "ops_math"; dashes and underscores are the same
/// [out] versionStr  room for ACL_PKG_VERSION_MAX_SIZE bytes
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `pkgName` or `versionStr` is NULL
///   ACL_ERROR_INVALID_FILE   `pkgName` is not known
ACL_FUNC_VISIBILITY aclError aclsysGetVersionStr(char* pkgName, char* versionStr);

/// Gets the version of a package as a number that increases with it: 9.1.0 is 90100000 (two digits
/// each for minor and release version, and three for what follows).
/// [in] pkgName  as for aclsysGetVersionStr
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `pkgName` or `versionNum` is NULL
///   ACL_ERROR_INVALID_FILE   `pkgName` is not known
ACL_FUNC_VISIBILITY aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum);

#ifdef __cplusplus
}
#endif

#endif
