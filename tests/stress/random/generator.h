// SPDX-License-Identifier: Apache-2.0
// Makes random programs that the model can predict. Each operation is proposed to the model; where
// it races with an earlier one, something that orders the two is inserted.
#pragma once

#include "model.h"

#include <random>

namespace stress {

constexpr size_t kBeyond = size_t{2} << 20;  // further than any padding

enum class Arguments { kValid, kAlsoInvalid };

// The program of a seed, always the same. With valid arguments every call returns ACL_SUCCESS.
Program generate(uint64_t seed, Arguments arguments);

class Generator {
 public:
  Generator(uint64_t seed, Arguments arguments);
  Program run();

 private:
  // Frame; generator.cpp
  bool propose(const Operation& op);
  bool add(Operation op);
  bool order(const Operation& op, int conflict);
  bool order_by_event(const Operation& op, int stream);
  bool order_by_notify(const Operation& op, int stream);
  bool order_by_wait(const Operation& op, int stream);
  void corrupt(Operation& op);
  void set_up();
  void finish();
  void step();

  // Choices; generator.cpp
  size_t pick(size_t count) { return random_() % count; }
  bool one_in(size_t count) { return pick(count) == 0; }
  int pick_thread();
  int thread_in(int context) const;
  int pick_stream(int thread);
  int device_of(int thread) const { return model_.context(model_.context_of(thread)).device; }
  int pick_device_buffer(int device);
  int pick_host_buffer();
  // One of the slots below `count` that are accepted, or none.
  template <class Accept>
  int pick_slot(int count, const Accept& accept) {
    std::vector<int> slots;
    for (int slot = 0; slot < count; ++slot) {
      if (accept(slot)) slots.push_back(slot);
    }
    return slots.empty() ? kNull : slots[pick(slots.size())];
  }
  size_t pick_size(size_t capacity);
  Place pick_place(int buffer, size_t size);
  size_t capacity(int buffer) const { return model_.buffer(buffer).capacity; }
  Operation on_thread(Call call);

  // Calls; generator_calls.cpp
  bool choose_sides(Operation& op, bool can_stay_on_device);
  void copy();
  void copy_on(int thread, int stream);
  void copy_now();
  void copy_rows();
  void copy_batch();
  void choose_attributes(Operation& op);
  void copy_described();
  void copy_offset();
  void fill();
  void allocate();
  void release();
  void register_host();
  void change_context();
  void set_peer();
  void change_stream();
  void synchronize();
  void change_event();
  void record_event();
  void wait_event();
  void query();
  void change_notify();
  void signal_notify();
  void launch();
  void touch_host();
  void compare();

  // Failures and dropped work; generator_failures.cpp
  void drop_work();
  bool add_drop(int stream);
  void wait_in_vain();
  void fail_work();
  int enter_context(int thread);
  void fail_on(int thread, int stream);

  std::mt19937_64 random_;
  Arguments arguments_;
  Model model_;
  Program program_;
  int conflict_ = kNull;  // of the latest proposal that was refused
};

}  // namespace stress
