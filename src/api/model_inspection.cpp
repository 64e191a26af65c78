// SPDX-License-Identifier: Apache-2.0
// Names, ids, streams and tasks of models, what is printed of them, and their update.
#include "api/adapters.h"
#include "api/arguments.h"
#include "api/model_tasks.h"
#include "base/status.h"
#include "core/model/model_parts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace ferry::api {
namespace {

constexpr size_t kLongestName = 511;

// A model whose argument the runtime checks: 107000 for NULL.
Result<Ref<Model>> model_in_runtime(aclmdlRI model) {
  if (model == nullptr) return fail_null_in_runtime("modelRI");
  FERRY_TRY(Ref<Model>, found, find_model(model));
  FERRY_RETURN_IF_ERROR(check_no_branch(**found));
  return found;
}

// Without an array only the number is wanted. An array that is too long is filled up with NULL.
Status copy_handles(const std::vector<void*>& handles, void** array, uint32_t* count) {
  const auto all = static_cast<uint32_t>(handles.size());
  if (array == nullptr) {
    *count = all;
    return {};
  }
  const uint32_t room = *count;
  const uint32_t filled = std::min(room, all);
  std::copy_n(handles.begin(), filled, array);
  std::fill(array + filled, array + std::max(room, filled), nullptr);
  *count = filled;
  if (room >= all) return {};
  return fail(ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY, kEE1017,
              "the array has room for %u, but there are %u", room, all);
}

Status write_file(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0644);
  bool is_written = file >= 0;
  for (size_t at = 0; is_written && at < text.size();) {
    const ssize_t count = write(file, text.data() + at, text.size() - at);
    is_written = count > 0;
    if (is_written) at += static_cast<size_t>(count);
  }
  const int error = errno;
  if (file >= 0) close(file);
  if (is_written) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "path", Value::quoted(path))
      .because(", which cannot be written: %s", std::strerror(error));
}

}  // namespace

aclError aclmdlRISetName(aclmdlRI modelRI, const char* name) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (name == nullptr) return fail_null("name");
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  const std::lock_guard lock((*model)->parts_mutex);
  (*model)->name.assign(name, strnlen(name, kLongestName));
  return ACL_SUCCESS;
}

aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (name == nullptr) return fail_null("name");
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  const std::lock_guard lock((*model)->parts_mutex);
  const std::string& own = (*model)->name;
  if (maxLen <= own.size()) {
    return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1003, "maxLen", maxLen)
        .allowed("at least %zu, the length of the name and its end", own.size() + 1);
  }
  std::memcpy(name, own.c_str(), own.size() + 1);
  return ACL_SUCCESS;
}

aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (modelRIId == nullptr) return fail_null("modelRIId");
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  *modelRIId = (*model)->id();
  return ACL_SUCCESS;
}

aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream* streams, uint32_t* numStreams) {
  if (modelRI == nullptr) return fail_null_in_runtime("modelRI");
  if (numStreams == nullptr) return fail_null_in_runtime("numStreams");
  FERRY_TRY(Ref<Model>, model, model_in_runtime(modelRI));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  if ((*model)->is_recorded()) return copy_handles({}, streams, numStreams);
  return copy_handles(streams_of(**model), streams, numStreams);
}

aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask* tasks, uint32_t* numTasks) {
  if (stream == nullptr) return fail_null_in_runtime("stream");
  if (numTasks == nullptr) return fail_null_in_runtime("numTasks");
  FERRY_TRY(FoundLane, found, find_model_stream(stream));
  FERRY_RETURN_IF_ERROR(check_no_branch(*found->model));
  return copy_handles(tasks_of(*found->model, found->lane), tasks, numTasks);
}

aclError aclmdlRIUpdate(aclmdlRI modelRI) {
  FERRY_TRY(Ref<Model>, model, model_in_runtime(modelRI));
  FERRY_RETURN_IF_ERROR(check_captured_kind(**model));
  return update_model(**model);
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI) {
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  if (!(*model)->is_recorded()) log_model(**model);
  return ACL_SUCCESS;
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags) {
  if (modelRI == nullptr) return fail_null("modelRI");
  if (path == nullptr) return fail_null("path");
  FERRY_TRY(Ref<Model>, model, find_model(modelRI));
  FERRY_RETURN_IF_ERROR(require_current_context(**model));
  const bool is_verbose = (flags & ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE) != 0;
  const Detail detail = is_verbose ? Detail::kVerbose : Detail::kBrief;
  return write_file(path, (*model)->is_recorded() ? "[\n]\n" : model_as_json(**model, detail));
}

aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void* userData) {
  FERRY_TRY(Ref<Model>, model, model_in_runtime(modelRI));
  if (func == nullptr) return fail_null_in_runtime("func");
  const std::lock_guard lock((*model)->parts_mutex);
  auto& callbacks = (*model)->destroy_callbacks;
  const bool is_known = std::any_of(callbacks.begin(), callbacks.end(),
                                    [&](const auto& each) { return each.function == func; });
  if (is_known) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "func", reinterpret_cast<const void*>(func))
        .because(", which is registered with this model already");
  }
  callbacks.push_back({.function = func, .data = userData});
  return ACL_SUCCESS;
}

aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func) {
  FERRY_TRY(Ref<Model>, model, model_in_runtime(modelRI));
  if (func == nullptr) return fail_null_in_runtime("func");
  const std::lock_guard lock((*model)->parts_mutex);
  const size_t erased = std::erase_if((*model)->destroy_callbacks,
                                      [&](const auto& each) { return each.function == func; });
  if (erased != 0) return ACL_SUCCESS;
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "func", reinterpret_cast<const void*>(func))
      .because(", which is not registered with this model");
}

}  // namespace ferry::api
