// SPDX-License-Identifier: Apache-2.0
// A device as the layer sees it: its memory is filled when it is fresh, and kept for a while when
// it was freed, so that what is read too early or used too late can be told from data.
#pragma once

#include "layers/check/order/order.h"

#include "ferry/backend.h"

#include <cstdint>
#include <deque>
#include <mutex>

namespace ferry::layers::check {

// May be shared between threads.
class CheckedDevice {
 public:
  CheckedDevice(const ferryx_backend* backend, ferryx_device* handle, uint32_t number)
      : inner(backend), device(handle), index(number) {}

  int allocate(uint64_t size, uint32_t policy, ferryx_memory& out);
  void free(const ferryx_memory& memory);
  int allocate_host(uint64_t size, ferryx_memory& out);
  void free_host(const ferryx_memory& memory);
  int register_host(void* address, uint64_t size, ferryx_memory* mapped);
  void unregister_host(void* address, uint64_t size, const ferryx_memory* mapped);

  // Gives everything that waits there back to the backend.
  void empty_quarantine();

  const ferryx_backend* const inner;
  ferryx_device* const device;
  const uint32_t index;

 private:
  void keep_for_a_while(const ferryx_memory& memory);
  void give_back(const ferryx_memory& memory);
  void note_reusable(const ferryx_memory& memory);

  std::mutex mutex_;                      // guards what follows
  std::deque<ferryx_memory> quarantine_;  // freed memory, oldest first
  uint64_t quarantined_bytes_ = 0;
};

// The queue that was made latest on this thread; asking takes it.
void note_created_queue(QueueId queue);
QueueId take_created_queue();

}  // namespace ferry::layers::check
