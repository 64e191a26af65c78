// SPDX-License-Identifier: Apache-2.0
// Tasks that generate random numbers in device memory. A task can be executed any number of times,
// so that models can replay it, and changed before it is executed again.
#pragma once

#include "base/status.h"
#include "core/random_numbers.h"
#include "core/stream.h"

#include "acl/acl_rt.h"
#include "ferry/backend.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry {

// A parameter of the task: its value, or the address in device memory where it is read.
struct RandomParameter {
  bool is_address = false;
  uint64_t value = 0;
};

struct RandomRequest {
  Distribution distribution;  // without its parameters
  RandomParameter first;
  RandomParameter second;
  RandomParameter seed;
  RandomParameter count;
  void* result = nullptr;
  void* counter = nullptr;  // of 16 bytes; nullptr: it starts at 0
};

// 100000 when no task generates numbers of this type.
Status check_random_type(aclDataType type);
// 100000 or 107000 when the program's structure is wrong. Addresses are not looked at.
Result<RandomRequest> read_random_info(const aclrtRandomNumTaskInfo& info);

// May be shared between threads.
class RandomTask {
 public:
  explicit RandomTask(const RandomRequest& request) : request_(request) {}
  ~RandomTask();
  RandomTask(const RandomTask&) = delete;
  RandomTask& operator=(const RandomTask&) = delete;

  RandomRequest request() const;
  void update(const RandomRequest& request);
  // Generates the numbers, on a thread that may touch device memory. An aclError.
  int execute() const;

  // The task has this number on a stream from now on.
  void set_place(int32_t stream, uint32_t number);

 private:
  mutable std::mutex mutex_;  // guards request_
  RandomRequest request_;
  int32_t stream_ = -1;
  uint32_t number_ = 0;
};

// Queues one execution. 107000 when an address is not in device memory, 207000 when the device
// cannot run it. The stream belongs to the calling thread's context.
Status submit_random(Stream& stream, const std::shared_ptr<RandomTask>& task);

// The task of work of the kind FERRYX_KERNEL; empty for other kernels. Work that is recorded
// instead of queued is released with run(argument, 0); the task may be submitted again as often as
// wanted.
std::shared_ptr<RandomTask> random_task_of(const ferryx_work& work);

// The live task with this number; empty when there is none.
std::shared_ptr<RandomTask> find_random_task(const Stream& stream, uint32_t number);

// Queues the change of a task to what an aclrtRandomNumTaskInfo in device memory says then.
Status submit_random_update(Stream& stream, const std::shared_ptr<RandomTask>& task,
                            const void* info);

}  // namespace ferry
