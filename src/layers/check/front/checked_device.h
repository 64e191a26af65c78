// SPDX-License-Identifier: Apache-2.0
// A device of the checker's front. Fresh memory is filled with a pattern and freed memory is
// quarantined, so that reads that come too early or too late can be told from data.
#pragma once

#include "layers/front/front.h"

#include "ferry/backend.h"

#include <cstdint>
#include <deque>
#include <mutex>

namespace ferry::layers::check {

// May be shared between threads.
class CheckedDevice : public Wrapped<ferryx_device> {
 public:
  CheckedDevice(const ferryx_backend* backend, ferryx_device* device, uint32_t of_runtime)
      : Wrapped(backend, device), number(of_runtime) {}

  int allocate(uint64_t size, uint32_t policy, ferryx_memory& out);
  void free(const ferryx_memory& memory);
  int allocate_host(uint64_t size, ferryx_memory& out);
  void free_host(const ferryx_memory& memory);
  int register_host(void* address, uint64_t size, ferryx_memory* mapped);
  void unregister_host(void* address, uint64_t size, const ferryx_memory* mapped);

  // Returns all quarantined memory to the backend.
  void empty_quarantine();

  const uint32_t number;  // of the device in the runtime

 private:
  void fill_with_pattern(const ferryx_memory& memory) const;
  void keep_for_a_while(const ferryx_memory& memory);
  void give_back(const ferryx_memory& memory);
  void note_reusable(const ferryx_memory& memory);

  std::mutex mutex_;                      // guards the members below
  std::deque<ferryx_memory> quarantine_;  // freed memory, oldest first
  uint64_t quarantined_bytes_ = 0;
};

}  // namespace ferry::layers::check
