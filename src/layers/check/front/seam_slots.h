// SPDX-License-Identifier: Apache-2.0
// The functions of the listening backend that concern queues, markers and flags; ferry/backend.h
// says what each does.
#pragma once

#include "ferry/backend.h"

#include <cstdint>

namespace ferry::layers::check::slots {

int queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                 ferryx_queue** queue);
void queue_destroy(ferryx_queue* queue);
int queue_copy(ferryx_queue* queue, const ferryx_task* task, const ferryx_copies* copies);
int queue_copy_2d(ferryx_queue* queue, const ferryx_task* task, const ferryx_copy_2d* copy);
int queue_copy_described(ferryx_queue* queue, const ferryx_task* task, const void* descriptor);
int queue_copy_indirect(ferryx_queue* queue, const ferryx_task* task,
                        const ferryx_indirect_copy* copy);
int queue_fill(ferryx_queue* queue, const ferryx_task* task, const ferryx_fill* fill);
int queue_callout(ferryx_queue* queue, const ferryx_task* task, ferryx_callout_start start,
                  void* argument);
void callout_done(ferryx_callout* callout);
int queue_function(ferryx_queue* queue, const ferryx_task* task, ferryx_device_function function,
                   void* argument);
int queue_query(ferryx_queue* queue, int* done);
int queue_synchronize(ferryx_queue* queue, int64_t timeout);
int queue_abort(ferryx_queue* queue);
int queue_drop(ferryx_queue* queue);

int marker_create(ferryx_device* device, ferryx_marker** marker);
void marker_retain(ferryx_marker* marker);
void marker_release(ferryx_marker* marker);
int queue_mark(ferryx_queue* queue, const ferryx_task* task, ferryx_marker* marker);
int queue_await(ferryx_queue* queue, const ferryx_task* task, ferryx_marker* marker,
                int64_t timeout);
int marker_query(ferryx_marker* marker, int* reached);
int marker_synchronize(ferryx_marker* marker, int64_t timeout);
int marker_time(ferryx_marker* marker, uint64_t* nanoseconds);
int flag_create(ferryx_device* device, ferryx_flag** flag);
void flag_release(ferryx_flag* flag);
int flag_clear(ferryx_flag* flag);
int queue_set_flag(ferryx_queue* queue, const ferryx_task* task, ferryx_flag* flag);
int queue_take_flag(ferryx_queue* queue, const ferryx_task* task, ferryx_flag* flag,
                    int64_t timeout);

}  // namespace ferry::layers::check::slots
