// SPDX-License-Identifier: Apache-2.0
// Dumping tensors and arguments: settings are checked and kept, no files are written.
#include "core/profile/dump.h"

#include "api/adapters.h"
#include "api/dump_file.h"
#include "api/initialisation.h"
#include "base/status.h"

#include <cstring>

namespace ferry::api {
namespace {

Status check_initialised() {
  if (is_initialised()) return {};
  return fail(ACL_ERROR_UNINITIALIZE, kEH0009, "aclInit was not called");
}

Status check_arguments_type(uint32_t type) {
  if ((type & ACL_OP_DUMP_OP_AICORE_ARGS) != 0) return {};
  return reject(ACL_ERROR_FAILURE, kEH0007, "dumpType", Value::hex(type)).allowed("0x1");
}

// A part of the name of a file: it must not lead to another folder.
Status check_file_part(const char* argument, const char* text) {
  if (std::strstr(text, "..") == nullptr) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, argument, Value::quoted(text))
      .because(", which contains \"..\"");
}

Status fail_no_exception_dump() {
  return fail(ACL_ERROR_FAILURE, kEH0009, "the dump of failed tasks is off: Ferry writes no dumps");
}

}  // namespace

aclError aclmdlInitDump() {
  FERRY_RETURN_IF_ERROR(check_initialised());
  return begin_dump();
}

aclError aclmdlSetDump(const char* dumpCfgPath) {
  FERRY_RETURN_IF_ERROR(check_initialised());
  FERRY_RETURN_IF_ERROR(check_dump_begun());
  if (dumpCfgPath == nullptr) return fail_null("dumpCfgPath");
  FERRY_TRY(DumpSettings, settings, read_dump_file(dumpCfgPath));
  set_dump(*settings);
  return ACL_SUCCESS;
}

aclError aclmdlFinalizeDump() {
  FERRY_RETURN_IF_ERROR(check_initialised());
  return end_dump();
}

aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t),
                            int32_t flag) {
  if (messageCallback == nullptr) return fail_null("messageCallback", ACL_ERROR_FAILURE);
  if (flag != 0) return reject(ACL_ERROR_FAILURE, kEH0007, "flag", flag).allowed("0");
  set_dump_callback(messageCallback);
  return ACL_SUCCESS;
}

void acldumpUnregCallback() {
  set_dump_callback(nullptr);
}

aclError aclopStartDumpArgs(uint32_t dumpType, const char* path) {
  if (path == nullptr) return fail_null("path", ACL_ERROR_FAILURE);
  FERRY_RETURN_IF_ERROR(check_arguments_type(dumpType));
  start_dumping_arguments();
  return ACL_SUCCESS;
}

aclError aclopStopDumpArgs(uint32_t dumpType) {
  FERRY_RETURN_IF_ERROR(check_arguments_type(dumpType));
  return stop_dumping_arguments();
}

const char* acldumpGetPath(acldumpType dumpType) {
  return dump_path(dumpType);
}

aclError acldumpSaveExceptionInfo(const char* fileName, const char* userTag,
                                  const acldumpTensorInfo* tensors, size_t tensorCount) {
  if (fileName == nullptr) return fail_null("fileName");
  if (userTag == nullptr) return fail_null("userTag");
  if (tensors == nullptr) return fail_null("tensors");
  if (fileName[0] == '\0') {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "fileName", Value::quoted(""))
        .allowed("the name of a file");
  }
  FERRY_RETURN_IF_ERROR(check_file_part("fileName", fileName));
  FERRY_RETURN_IF_ERROR(check_file_part("userTag", userTag));
  if (tensorCount == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "tensorCount", 0).allowed("1 or more");
  }
  return fail_no_exception_dump();
}

aclError acldumpGetExceptionInfoPath(char* path, size_t maxLen) {
  if (path == nullptr) return fail_null("path");
  if (maxLen <= 1) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "maxLen", maxLen).allowed("2 or more");
  }
  return fail_no_exception_dump();
}

}  // namespace ferry::api
