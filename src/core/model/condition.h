// SPDX-License-Identifier: Apache-2.0
// Conditions of models: 64 bits of device memory that decide, in every run, which branch runs.
#pragma once

#include "base/status.h"
#include "core/handle_table.h"
#include "core/model/model.h"

#include "acl/acl_rt.h"

#include <cstdint>
#include <memory>
#include <span>

namespace ferry {

class Condition {
 public:
  Condition(Model& root, void* address, bool is_assigned, uint64_t assigned)
      : root_(root), address_(address), is_assigned_(is_assigned), assigned_(assigned) {}
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  Model& root() const { return root_; }
  void* address() const { return address_; }
  Status read(uint64_t& value) const;
  // At the start of a run: writes the value that was given to aclmdlRICondHandleCreate.
  Status assign() const;

  bool is_used = false;  // guarded by the lock of recordings
  void* handle = nullptr;

 private:
  Model& root_;
  void* const address_;
  const bool is_assigned_;
  const uint64_t assigned_;
};

// What a program holds of a condition.
class ConditionHandle final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kCondition;
  ConditionHandle(std::shared_ptr<Condition> of, void* of_model)
      : condition(std::move(of)), model(of_model) {}

  const std::shared_ptr<Condition> condition;
  void* const model;  // handle of the model that it was made for
};

Result<Ref<ConditionHandle>> create_condition(Model& model, bool is_assigned, uint64_t assigned);

// Records the task that reads the condition and runs one of its branches, and makes these.
Status record_condition(Stream& stream, ConditionHandle& handle, aclmdlRICondTaskType type,
                        std::span<aclmdlRI> branches);

}  // namespace ferry
