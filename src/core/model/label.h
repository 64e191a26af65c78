// SPDX-License-Identifier: Apache-2.0
// Labels: places in the streams of a model at which a run can continue.
#pragma once

#include "base/status.h"
#include "core/context.h"
#include "core/handle_table.h"
#include "core/model/recorded_task.h"

#include "acl/acl_rt.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ferry {

class Model;
class Stream;

class Label final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kLabel;
  explicit Label(void* of_context) : context(of_context) {}
  ~Label();

  // 507000 when the process has too many.
  static Result<Ref<Label>> create(const Context& context);

  void* const context;  // handle
  // Guarded by the lock of recordings:
  bool is_listed = false;
  const Model* model = nullptr;  // where it was set; only compared
  TaskPlace place;
};

class LabelList final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kLabelList;
  LabelList(void* of_context, std::vector<Ref<Label>> listed)
      : context(of_context), labels(std::move(listed)) {}

  void* const context;  // handle
  const std::vector<Ref<Label>> labels;
};

Result<Ref<LabelList>> create_label_list(const Context& context,
                                         std::span<const aclrtLabel> labels);

// Puts the label at the present end of a stream that is bound to a model.
Status set_label(const Ref<Label>& label, Stream& stream);
// Records a jump to the label of the list that a 32-bit number in device memory names.
Status record_jump(const void* address, uint32_t count, const Ref<LabelList>& list, Stream& stream);

// 507031 unless the context is the calling thread's.
Status check_label_context(const char* argument, const void* handle, const void* context);

}  // namespace ferry
