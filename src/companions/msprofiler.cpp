// SPDX-License-Identifier: Apache-2.0
// libmsprofiler.so: what libascendcl.so does not have.
#include "companions/declarations.h"
#include "companions/support.h"

using namespace ferry::companions;  // NOLINT(google-build-using-namespace): C functions have none

namespace {

aclError list_nothing(const char* function, size_t* size, void** data) {
  if (size == nullptr) return fail_null(function, "featuresSize");
  if (data == nullptr) return fail_null(function, "featuresData");
  *size = 0;
  *data = nullptr;
  return ACL_SUCCESS;
}

}  // namespace

aclError aclprofWarmup(const aclprofConfig* profilerConfig) {
  return profilerConfig == nullptr ? fail_null(__func__, "profilerConfig") : ACL_SUCCESS;
}

aclError aclprofGetSupportedFeatures(size_t* featuresSize, void** featuresData) {
  return list_nothing(__func__, featuresSize, featuresData);
}

aclError aclprofGetSupportedFeaturesV2(size_t* featuresSize, void** featuresData) {
  return list_nothing(__func__, featuresSize, featuresData);
}

aclError aclprofRegisterDeviceCallback() {
  return ACL_SUCCESS;
}
