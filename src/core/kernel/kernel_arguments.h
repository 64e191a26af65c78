// SPDX-License-Identifier: Apache-2.0
// Argument lists: an argument block that is built step by step (aclrtKernelArgs*). One list per
// thread belongs to the runtime; others lie in memory that the program provides.
#pragma once

#include "base/status.h"
#include "core/handle_table.h"
#include "core/kernel/binary.h"
#include "core/kernel/kernel_launch.h"

#include "acl/acl_rt.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace ferry {

// One parameter of a list.
struct ArgumentEntry {
  uint32_t offset = 0;
  uint32_t size = 0;         // of a value
  uint32_t data_offset = 0;  // of a placeholder: where its data is; 0 before it has any
  uint32_t is_placeholder = 0;
};

// A list over an array of entries and a buffer, both provided by others. No constructor, no
// destructor: it may lie in memory of the program.
class ArgumentList {
 public:
  // Begins an empty list. The buffer is cleared, so that padding is 0.
  void begin(const KernelFunction& function, ArgumentEntry* entries, uint32_t most_entries,
             char* buffer, size_t capacity);
  // Whether begin() was called for a list at this address.
  bool is_valid() const { return magic_ == kMagic && self_ == this; }

  // 207000 when the list is complete or has placeholder data, 107000 when it is full. `handle`
  // receives the parameter.
  Status append(const void* value, size_t size, aclrtParamHandle* handle);
  Status append_placeholder(aclrtParamHandle* handle);
  // 107000 for a value or without room, 207000 when the list is complete.
  Status take_data(aclrtParamHandle parameter, size_t size, void** data);
  // 107000 for a placeholder, or when the size differs.
  Status update(aclrtParamHandle parameter, const void* value, size_t size);
  // Writes the hidden words, whose addresses belong to the context.
  Status finalize(Context& context);
  // 107000 unless the list is final and was not changed since.
  Result<LaunchArguments> arguments() const;

 private:
  static constexpr uint64_t kMagic = 0x4172'676c'6973'7401;

  size_t aligned_end() const { return is_packed_ ? end_ : (end_ + 7) / 8 * 8; }
  Status check_open() const;
  Status check_room(const char* argument, size_t offset, size_t size) const;
  Status add_entry(const ArgumentEntry& entry, aclrtParamHandle* handle);
  Result<ArgumentEntry*> find(aclrtParamHandle parameter);
  Status reserve_overflow_word();

  uint64_t magic_;
  const ArgumentList* self_;
  uint64_t serial_;  // which use of the list its parameters belong to
  ArgumentEntry* entries_;
  char* buffer_;
  size_t capacity_;
  size_t end_;
  size_t overflow_offset_;
  uint32_t most_entries_;
  uint32_t entry_count_;
  bool is_packed_;
  bool has_sync_word_;
  bool has_overflow_word_;
  bool is_overflow_placed_;
  bool has_data_;    // a placeholder has data: no parameter may follow
  bool is_final_;    // finalize() was called: nothing may be added
  bool is_current_;  // and nothing was updated since
};

// Room for a list in memory of the program, entries included.
size_t argument_list_size(const KernelFunction& function);
// How many parameters a list of this function can have in memory of the program.
uint32_t most_parameters(const KernelFunction& function);
// What the block of a kernel takes when the program's part takes `user_size` bytes.
size_t argument_block_size(const KernelFunction& function, size_t user_size);

// The list of the calling thread, begun for this function. The same handle each time.
Result<aclrtArgsHandle> begin_thread_list(const KernelFunction& function);
// A list in memory of the program.
Status begin_list_in(void* memory, const KernelFunction& function, void* buffer, size_t capacity);

// A list and the lock that protects it, if it is one of the runtime.
struct LockedList {
  ArgumentList* operator->() const { return list; }
  ArgumentList* list = nullptr;
  std::shared_ptr<void> keeper;
  std::unique_lock<std::mutex> lock;
};
// 107017 when the handle is not that of a list.
Result<LockedList> find_argument_list(aclrtArgsHandle handle);

}  // namespace ferry
