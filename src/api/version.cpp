// SPDX-License-Identifier: Apache-2.0
// Versions and attributes of the emulated software, and log lines of the program.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/log.h"
#include "base/status.h"
#include "core/runtime.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

namespace ferry::api {
namespace {

// The packages that programs ask for, with underscores. A name with dashes means the same.
constexpr std::string_view kPackages[] = {
    "cann",
    "runtime",
    "compiler",
    "hccl",
    "toolkit",
    "opp",
    "opp_kernel",
    "driver",
    "acl_extend",
    "aoe",
    "asc_devkit",
    "asc_tools",
    "ascendnpu_ir",
    "bisheng_compiler",
    "dflow_executor",
    "dvpp",
    "ge_compiler",
    "ge_executor",
    "graph_autofusion",
    "hcomm",
    "hixl",
    "metadef",
    "ncs",
    "oam_tools",
    "opbase",
    "ops_cv",
    "ops_legacy",
    "ops_math",
    "ops_nn",
    "ops_transformer",
    "pto_isa",
    "pyACL",
    "tbe_tik",
    "test_ops",
};

// The driver has versions of its own. Programs only compare the first number with 25.
constexpr std::string_view kDriver = "driver";
constexpr std::string_view kDriverVersion = "25.5.0";
constexpr int32_t kDriverNumber = 250500000;

constexpr aclCannAttr kAttributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                       ACL_CANN_ATTR_JIT_COMPILE};

bool is_name_of(std::string_view package, std::string_view name) {
  return std::equal(
      package.begin(), package.end(), name.begin(), name.end(),
      [](char known, char given) { return known == given || (known == '_' && given == '-'); });
}

Status check_package(const char* name) {
  const bool is_known =
      std::any_of(std::begin(kPackages), std::end(kPackages),
                  [&](std::string_view package) { return is_name_of(package, name); });
  if (is_known) return {};
  return reject(ACL_ERROR_INVALID_FILE, kEH0009, "pkgName", Value::quoted(name))
      .detail(", known are ")
      .allowed(
          "cann, runtime, compiler, hccl, toolkit, opp, opp_kernel, driver and the packages they "
          "consist of");
}

std::string_view version_of(std::string_view package) {
  return package == kDriver ? kDriverVersion : std::string_view(release().version);
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
  *majorVersion = release().runtime_version[0];
  *minorVersion = release().runtime_version[1];
  *patchVersion = release().runtime_version[2];
  return ACL_SUCCESS;
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  if (version == nullptr) return fail_null("version");
  *version = {};  // programs read it whatever the code
  if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER) {
    return reject(ACL_ERROR_INVALID_FILE, kEH0007, "name", name)
        .detail(", known are ")
        .allowed("0 to 7");
  }
  const std::string_view whole = version_of(name == ACL_PKG_NAME_DRIVER ? kDriver : "cann");
  const size_t first = whole.find('.');
  const size_t second = whole.find('.', first + 1);
  copy_text(version->version, whole);
  copy_text(version->majorVersion, whole.substr(0, first));
  copy_text(version->minorVersion, whole.substr(first + 1, second - first - 1));
  copy_text(version->releaseVersion, whole.substr(second + 1));
  copy_text(version->patchVersion, "0");
  return ACL_SUCCESS;
}

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  if (pkgName == nullptr) return fail_null("pkgName");
  if (versionStr == nullptr) return fail_null("versionStr");
  FERRY_RETURN_IF_ERROR(check_package(pkgName));
  copy_text(versionStr, version_of(pkgName));
  return ACL_SUCCESS;
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  if (pkgName == nullptr) return fail_null("pkgName");
  if (versionNum == nullptr) return fail_null("versionNum");
  FERRY_RETURN_IF_ERROR(check_package(pkgName));
  *versionNum = pkgName == kDriver ? kDriverNumber : release().version_number;
  return ACL_SUCCESS;
}

aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible) {
  if (socVersion == nullptr) return fail_null_in_runtime("socVersion");
  if (canCompatible == nullptr) return fail_null_in_runtime("canCompatible");
  *canCompatible = std::string_view(socVersion) == soc().name ? 1 : 0;
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
