// SPDX-License-Identifier: Apache-2.0
// Models that are built from streams: bound streams record their tasks, and tasks can start other
// streams, skip the rest of their own, and end the run.
#pragma once

#include "base/status.h"
#include "core/model/model.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>
#include <functional>

namespace ferry {

// The stream becomes a lane. 107005 when it is bound to a model already.
Status bind_stream(Model& model, Stream& stream, bool starts_with_run);
// 107005 when the stream is not bound to this model.
Status unbind_stream(Model& model, Stream& stream);
// Records the end of the run.
Status record_end(Model& model, Stream& stream);
// 107005 without streams, 507011 without an end.
Status finish_model(Model& model);

// 507000 unless the stream is persistent and bound to a model that is built.
Status check_has_stored_tasks(const Stream& stream);
// Removes the tasks of such a stream, which takes others then. 107037 when the model runs.
Status remove_stored_tasks(Stream& stream);

// Where a bound stream is recorded.
struct BoundLane {
  Model* model = nullptr;  // lives while the stream is bound
  size_t lane = 0;
};
// 107005 when the stream is not bound to a model.
Result<BoundLane> bound_lane(const Stream& stream);
Status fail_built_model(const Model& model);

// Records something that the run does when the lane gets there.
Status record_flow(Stream& stream, std::function<void()> act, int32_t activated = -1);

// Records that another bound stream starts.
Status record_activation(Stream& active, Stream& stream);

struct Comparison {
  const void* left = nullptr;  // device addresses, read when the run gets there
  const void* right = nullptr;
  aclrtCondition condition = ACL_RT_EQUAL;
  aclrtCompareDataType type = ACL_RT_SWITCH_INT32;
};
// Records that the other stream starts if the comparison holds; the rest of this one is skipped
// then.
Status record_switch(const Comparison& comparison, Stream& other, Stream& stream);

}  // namespace ferry
