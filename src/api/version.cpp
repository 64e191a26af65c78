// SPDX-License-Identifier: Apache-2.0
// Versions and attributes of the emulated software, and log lines of the program.
#include "api/adapters.h"
#include "base/log.h"
#include "base/status.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

namespace ferry::api {
namespace {

constexpr std::string_view kVersion = "9.1.0";
constexpr int32_t kVersionNumber = 90100000;
constexpr std::string_view kPackages[] = {"cann",    "runtime", "compiler",   "hccl",
                                          "toolkit", "opp",     "opp_kernel", "driver"};

constexpr aclCannAttr kAttributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                       ACL_CANN_ATTR_JIT_COMPILE};

Status check_package(const char* name) {
  if (std::find(std::begin(kPackages), std::end(kPackages), name) != std::end(kPackages)) return {};
  return reject(ACL_ERROR_INVALID_FILE, kEH0009, "pkgName", Value::quoted(name))
      .detail(", known are ")
      .allowed("cann, runtime, compiler, hccl, toolkit, opp, opp_kernel, driver");
}

void copy_text(char* to, std::string_view from) {
  std::memcpy(to, from.data(), from.size());
  to[from.size()] = '\0';
}

LogLevel level_of(aclLogLevel level) {
  switch (level) {
    case ACL_DEBUG:
      return LogLevel::kDebug;
    case ACL_INFO:
      return LogLevel::kInfo;
    case ACL_WARNING:
      return LogLevel::kWarn;
    default:
      return LogLevel::kError;
  }
}

}  // namespace

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  if (majorVersion == nullptr) return fail_null("majorVersion");
  if (minorVersion == nullptr) return fail_null("minorVersion");
  if (patchVersion == nullptr) return fail_null("patchVersion");
  *majorVersion = ACL_MAJOR_VERSION;
  *minorVersion = ACL_MINOR_VERSION;
  *patchVersion = ACL_PATCH_VERSION;
  return ACL_SUCCESS;
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  if (version == nullptr) return fail_null("version");
  if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER) {
    return reject(ACL_ERROR_INVALID_FILE, kEH0007, "name", name)
        .detail(", known are ")
        .allowed("0 to 7");
  }
  *version = {};
  copy_text(version->version, kVersion);
  copy_text(version->majorVersion, "9");
  copy_text(version->minorVersion, "1");
  copy_text(version->releaseVersion, "0");
  return ACL_SUCCESS;
}

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  if (pkgName == nullptr) return fail_null("pkgName");
  if (versionStr == nullptr) return fail_null("versionStr");
  FERRY_RETURN_IF_ERROR(check_package(pkgName));
  copy_text(versionStr, kVersion);
  return ACL_SUCCESS;
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  if (pkgName == nullptr) return fail_null("pkgName");
  if (versionNum == nullptr) return fail_null("versionNum");
  FERRY_RETURN_IF_ERROR(check_package(pkgName));
  *versionNum = kVersionNumber;
  return ACL_SUCCESS;
}

aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  if (cannAttrList == nullptr) return fail_null("cannAttrList");
  if (num == nullptr) return fail_null("num");
  *cannAttrList = kAttributes;
  *num = std::size(kAttributes);
  return ACL_SUCCESS;
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  if (value == nullptr) return fail_null("value");
  if (std::find(std::begin(kAttributes), std::end(kAttributes), cannAttr) ==
      std::end(kAttributes)) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "cannAttr", cannAttr).allowed("0 to 2");
  }
  *value = 1;
  return ACL_SUCCESS;
}

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt) {
  const LogLevel level = level_of(logLevel);
  if (!is_logged(level)) return;
  write_log(level, "%s:%u %s: %s", file == nullptr ? "?" : file, line, func == nullptr ? "?" : func,
            fmt);
}

}  // namespace ferry::api
