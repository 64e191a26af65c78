// SPDX-License-Identifier: Apache-2.0
// libplatform.so: facts about the product.
#include "companions/declarations.h"
#include "companions/support.h"

#include <cstdio>
#include <cstring>

using namespace ferry::companions;  // NOLINT(google-build-using-namespace): C functions have none

namespace {

// False when the fact is none of a device.
bool attribute_of(aclplatformDevInfo fact, aclrtDevAttr& attribute) {
  switch (fact) {
    case ACL_PLATFORM_AICORE_CNT:
      attribute = ACL_DEV_ATTR_AICORE_CORE_NUM;
      return true;
    case ACL_PLATFORM_CUBE_CORE_CNT:
      attribute = ACL_DEV_ATTR_CUBE_CORE_NUM;
      return true;
    case ACL_PLATFORM_VECTOR_CORE_CNT:
      attribute = ACL_DEV_ATTR_VECTOR_CORE_NUM;
      return true;
    case ACL_PLATFORM_L2_SIZE:
      attribute = ACL_DEV_ATTR_L2_CACHE_SIZE;
      return true;
    case ACL_PLATFORM_MEMORY_SIZE:
      attribute = ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE;
      return true;
    case ACL_PLATFORM_NPU_ARCH:
      attribute = ACL_DEV_ATTR_NPU_ARCH;
      return true;
    default:
      return false;
  }
}

aclError check_room(const char* function, const char* value, uint32_t maxLen) {
  if (value == nullptr) return fail_null(function, "value");
  if (maxLen != 0) return ACL_SUCCESS;
  return fail(function, ACL_ERROR_INVALID_PARAM, "maxLen is 0, allowed is 1 or more");
}

}  // namespace

aclError aclplatformGetDeviceInfo(aclplatformDevInfo infoType, char* value, uint32_t maxLen) {
  const aclError room = check_room(__func__, value, maxLen);
  if (room != ACL_SUCCESS) return room;
  char text[64];
  const char* answer = text;
  aclrtDevAttr attribute = ACL_DEV_ATTR_AICORE_CORE_NUM;
  if (infoType == ACL_PLATFORM_SOC_VERSION) {
    answer = aclrtGetSocName();
    if (answer == nullptr) return ACL_ERROR_INVALID_PARAM;  // the text says what is wrong
  } else if (attribute_of(infoType, attribute)) {
    int64_t number = 0;
    const aclError code = aclrtGetDeviceInfo(0, attribute, &number);
    if (code != ACL_SUCCESS) return code;
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(number));
  } else {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "infoType is %d, known are 0, 2 to 5, 13 and 15",
                static_cast<int>(infoType));
  }
  const size_t needed = std::strlen(answer) + 1;
  if (needed > maxLen) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "maxLen is %u, allowed is %zu or more", maxLen,
                needed);
  }
  std::memcpy(value, answer, needed);
  return ACL_SUCCESS;
}

aclError aclplatformGetInstructionInfo(aclplatformCoreType type, const char* instruction,
                                       char* value, uint32_t maxLen) {
  if (type != ACL_PLATFORM_CORE_TYPE_AI_CORE && type != ACL_PLATFORM_CORE_TYPE_VECTOR_CORE) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "type is %d, allowed is 0 or 1",
                static_cast<int>(type));
  }
  if (instruction == nullptr) return fail_null(__func__, "instruction");
  const aclError room = check_room(__func__, value, maxLen);
  if (room != ACL_SUCCESS) return room;
  return fail(__func__, ACL_ERROR_INVALID_PARAM, "instruction is \"%.64s\", which is not known",
              instruction);
}
