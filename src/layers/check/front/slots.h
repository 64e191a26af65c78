// SPDX-License-Identifier: Apache-2.0
// The slots of the checker's front that concern queues, markers and flags;
// ferry/backend_slots.def says what each does.
#pragma once

#include "ferry/backend.h"

#include <cstdint>

namespace ferry::layers::check::slots {

int queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                 ferryx_queue** queue);
void queue_destroy(ferryx_queue* queue);
int queue_submit(ferryx_queue* queue, const ferryx_work* work);
int queue_query(ferryx_queue* queue, int* done);
int queue_synchronize(ferryx_queue* queue, int64_t timeout);
int queue_abort(ferryx_queue* queue);
int queue_drop(ferryx_queue* queue);

int marker_create(ferryx_device* device, ferryx_marker** marker);
int marker_query(ferryx_marker* marker, int* reached);
int marker_synchronize(ferryx_marker* marker, int64_t timeout);
int flag_create(ferryx_device* device, ferryx_flag** flag);
int flag_clear(ferryx_flag* flag);

// Kinds of queue_submit.
int submit_callout(ferryx_queue* queue, const ferryx_work* work);
int submit_function(ferryx_queue* queue, const ferryx_work* work);
int submit_point(ferryx_queue* queue, const ferryx_work* work);
int submit_wait(ferryx_queue* queue, const ferryx_work* work);

}  // namespace ferry::layers::check::slots
