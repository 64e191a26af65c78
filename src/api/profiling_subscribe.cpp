// SPDX-License-Identifier: Apache-2.0
// Subscriptions to the operators of a model. Ferry has no models of operators, so subscribing is
// refused; what a program prepares before is real.
#include "api/adapters.h"
#include "base/status.h"
#include "core/handle_table.h"
#include "core/profile/profiling.h"

#include <memory>

namespace ferry::api {
namespace {

class SubscribeConfig final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kSubscribeConfig;
};

// What a subscription would deliver for each operator.
struct OperatorRecord {
  uint64_t model;
  uint64_t begin;  // nanoseconds
  uint64_t end;
  uint32_t thread;
  uint32_t flag;  // aclprofSubscribeOpFlag
  char name[ACL_PROF_MAX_OP_NAME_LEN];
  char type[ACL_PROF_MAX_OP_TYPE_LEN];
};

Status find_subscribe_config(const aclprofSubscribeConfig* handle) {
  if (handle == nullptr) return fail_null("profSubscribeConfig");
  if (HandleTable<SubscribeConfig>::instance().find(handle)) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "profSubscribeConfig",
                static_cast<const void*>(handle))
      .because(", which is not a live configuration");
}

Status refuse_subscription() {
  if (is_profiling_open()) {
    return fail(ACL_ERROR_PROF_API_CONFLICT, kEH0009,
                "models cannot be subscribed to between aclprofInit and aclprofFinalize");
  }
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "the function is not supported");
}

}  // namespace

aclError aclprofModelSubscribe(uint32_t /*modelId*/,
                               const aclprofSubscribeConfig* profSubscribeConfig) {
  FERRY_RETURN_IF_ERROR(find_subscribe_config(profSubscribeConfig));
  return refuse_subscription();
}

aclError aclprofModelUnSubscribe(uint32_t /*modelId*/) {
  return refuse_subscription();
}

aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t /*timeInfoSwitch*/,
                                                     aclprofAicoreMetrics /*aicoreMetrics*/,
                                                     void* fd) {
  if (fd == nullptr) {
    static_cast<void>(fail_null("fd"));
    return nullptr;
  }
  const Ref<SubscribeConfig> config =
      HandleTable<SubscribeConfig>::instance().insert(std::make_unique<SubscribeConfig>());
  return static_cast<aclprofSubscribeConfig*>(config->handle());
}

aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig) {
  FERRY_RETURN_IF_ERROR(find_subscribe_config(profSubscribeConfig));
  if (HandleTable<SubscribeConfig>::instance().remove(profSubscribeConfig)) return ACL_SUCCESS;
  return find_subscribe_config(profSubscribeConfig);  // another thread has destroyed it meanwhile
}

aclError aclprofGetOpDescSize(size_t* opDescSize) {
  if (opDescSize == nullptr) return fail_null("opDescSize");
  *opDescSize = sizeof(OperatorRecord);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
