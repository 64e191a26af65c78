// SPDX-License-Identifier: Apache-2.0
// aclInit, aclFinalize and their callbacks. They count and configure; the runtime itself starts
// with the first call that needs it.
#include "api/adapters.h"
#include "base/config.h"
#include "base/error_state.h"
#include "base/status.h"
#include "core/context.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::api {
namespace {

template <class Function>
struct Callback {
  aclRegisterCallbackType type;
  Function function;
  void* user_data;
};

// Stores each pair of type and function once, in the order of registration.
template <class Function>
class Callbacks {
 public:
  // False when the pair is registered already.
  bool add(const Callback<Function>& callback) {
    if (find(callback.type, callback.function) != list_.end()) return false;
    list_.push_back(callback);
    return true;
  }
  void remove(aclRegisterCallbackType type, Function function) {
    const auto found = find(type, function);
    if (found != list_.end()) list_.erase(found);
  }
  const std::vector<Callback<Function>>& list() const { return list_; }

 private:
  auto find(aclRegisterCallbackType type, Function function) {
    return std::find_if(list_.begin(), list_.end(), [&](const Callback<Function>& known) {
      return known.type == type && known.function == function;
    });
  }
  std::vector<Callback<Function>> list_;
};

struct InitState {
  // Guards the members below. Recursive: callbacks run with it held and may call these functions.
  std::recursive_mutex mutex;
  uint64_t count = 0;                        // calls of aclInit that are not finalised yet
  bool is_finalized = false;                 // and aclInit was not called since
  std::optional<std::string> configuration;  // of the first aclInit
  Callbacks<aclInitCallbackFunc> init_callbacks;
  Callbacks<aclFinalizeCallbackFunc> finalize_callbacks;
};

InitState& state() {
  static auto* instance = new InitState;
  return *instance;
}

bool is_given(const char* path) {
  return path != nullptr && path[0] != '\0';
}

Status read_configuration(const char* path, std::string& text) {
  if (!is_given(path)) return {};
  // Not an ifstream: reading throws for what can be opened but not read, such as a folder.
  std::FILE* file = std::fopen(path, "re");
  bool is_read = file != nullptr;
  if (is_read) {
    char part[4096];
    for (size_t got; (got = std::fread(part, 1, sizeof part, file)) > 0;)
      text.append(part, got);
    is_read = std::ferror(file) == 0;
    std::fclose(file);
  }
  if (is_read) return {};
  return reject(ACL_ERROR_INVALID_FILE, kEH0009, "configPath", Value::quoted(path))
      .because(", which cannot be read");
}

// CANN's files write numbers as strings; both forms are accepted.
std::optional<int32_t> number_in(const nlohmann::json& value) {
  if (value.is_number_integer()) return value.get<int32_t>();
  if (!value.is_string()) return {};
  const auto& text = value.get_ref<const std::string&>();
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

// The entries of the file that have an effect; all others are ignored.
struct Settings {
  TextScope text_scope = TextScope::kThread;
  int32_t default_device = -1;
};

Status parse_configuration(const char* path, const std::string& text, Settings& settings) {
  if (!is_given(path)) return {};
  const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded() || !parsed.is_object()) {
    return reject(ACL_ERROR_PARSE_FILE, kEH0009, "configPath", Value::quoted(path))
        .because(", which is not a JSON object");
  }
  if (const auto mode = parsed.find("err_msg_mode"); mode != parsed.end()) {
    if (number_in(*mode) == 1) settings.text_scope = TextScope::kProcess;
  }
  const auto section = parsed.find("defaultDevice");
  if (section == parsed.end() || !section->is_object()) return {};
  if (const auto device = section->find("default_device"); device != section->end()) {
    settings.default_device = number_in(*device).value_or(-1);
  }
  return {};
}

Status call_init_callbacks(const InitState& init) {
  const std::string& text = *init.configuration;
  // A copy: a callback may register another.
  for (const auto& callback : std::vector(init.init_callbacks.list())) {
    const aclError code = callback.function(text.c_str(), text.size(), callback.user_data);
    if (code != ACL_SUCCESS) return fail(code, kEH9999, "an init callback returned %d", code);
  }
  return {};
}

Status finalize(InitState& init) {
  init.is_finalized = true;
  if (std::exchange(init.count, 0) == 0) return {};  // no aclInit to undo
  for (const auto& callback : std::vector(init.finalize_callbacks.list())) {
    const aclError code = callback.function(callback.user_data);
    if (code != ACL_SUCCESS) return fail(code, kEH9999, "a finalize callback returned %d", code);
  }
  return {};
}

Status fail_repeated() {
  return fail(ACL_ERROR_REPEAT_FINALIZE, kEH0009,
              "no call of aclInit is open: it was finalised already");
}

}  // namespace

aclError aclInit(const char* configPath) {
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  if (init.count > 0) {
    ++init.count;
    return fail(ACL_ERROR_REPEAT_INITIALIZE, kEH0009,
                "it was called before; the program can go on");
  }
  if (!config().problems.empty()) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009, config().problems.front());
  }
  std::string text;
  FERRY_RETURN_IF_ERROR(read_configuration(configPath, text));
  Settings settings;
  FERRY_RETURN_IF_ERROR(parse_configuration(configPath, text, settings));
  if (init.configuration.has_value() && *init.configuration != text) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009,
                "the configuration differs from that of the first aclInit of this process");
  }
  init.configuration = text;
  set_text_scope(settings.text_scope);
  set_default_device(settings.default_device);
  init.count = 1;
  init.is_finalized = false;
  return call_init_callbacks(init);
}

aclError aclFinalize() {
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  if (init.is_finalized) return fail_repeated();
  return finalize(init);
}

aclError aclFinalizeReference(uint64_t* refCount) {
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  if (init.count == 0) {
    if (refCount != nullptr) *refCount = 0;
    return fail_repeated();
  }
  if (refCount != nullptr) *refCount = init.count - 1;
  if (init.count == 1) return finalize(init);
  --init.count;
  return ACL_SUCCESS;
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                 void* userData) {
  if (cbFunc == nullptr) return fail_null("cbFunc");
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  const bool is_new = init.init_callbacks.add({type, cbFunc, userData});
  if (!is_new || init.count == 0) return ACL_SUCCESS;
  // aclInit has called its callbacks already.
  return cbFunc(init.configuration->c_str(), init.configuration->size(), userData);
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  if (cbFunc == nullptr) return fail_null("cbFunc");
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  init.init_callbacks.remove(type, cbFunc);
  return ACL_SUCCESS;
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                     void* userData) {
  if (cbFunc == nullptr) return fail_null("cbFunc");
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  init.finalize_callbacks.add({type, cbFunc, userData});
  return ACL_SUCCESS;
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                       aclFinalizeCallbackFunc cbFunc) {
  if (cbFunc == nullptr) return fail_null("cbFunc");
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  init.finalize_callbacks.remove(type, cbFunc);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
