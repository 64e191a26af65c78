// SPDX-License-Identifier: Apache-2.0
// Offsets, hidden words and limits of argument blocks. Device kernels align everything to 8 bytes;
// kernels for the AI CPU pack it.
#include "core/kernel/kernel_arguments.h"

#include "base/fault_trap.h"

#include <atomic>
#include <cstring>

namespace ferry {
namespace {

constexpr size_t kWord = 8;

std::atomic<uint32_t> last_serial{0};

// A parameter is a number: kind, use of the list, index. It never looks like an address.
aclrtParamHandle parameter_handle(uint64_t serial, uint32_t index) {
  const auto kind = static_cast<uint64_t>(HandleKind::kParameter);
  return reinterpret_cast<void*>(kind << 48 | (serial & 0xFFFF'FFFF) << 16 | index);
}

// Copies bytes of the program, which may not be readable.
Status take_bytes(char* to, const void* from, size_t size, const char* argument) {
  const void* const fault = catch_fault([&](FaultTrap& trap) {
    trap.expect(to, from, size);
    std::memcpy(to, from, size);
  });
  if (fault == nullptr) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, from)
      .because(" and %zu bytes, of which the host may not read %p", size, fault);
}

bool asks_for(const StandIn* stand_in, uint32_t flag) {
  return stand_in != nullptr && stand_in->has(flag);
}

}  // namespace

void ArgumentList::begin(const KernelFunction& function, ArgumentEntry* entries,
                         uint32_t most_entries, char* buffer, size_t capacity) {
  const std::shared_ptr<const StandIn> stand_in = function.stand_in();
  magic_ = kMagic;
  self_ = this;
  serial_ = last_serial.fetch_add(1, std::memory_order_relaxed) + 1;
  entries_ = entries;
  buffer_ = buffer;
  capacity_ = capacity;
  most_entries_ = most_entries;
  entry_count_ = 0;
  is_packed_ = function.is_cpu();
  has_sync_word_ = !is_packed_ && asks_for(stand_in.get(), FERRY_KERNEL_SYNC_WORD);
  has_overflow_word_ = !is_packed_ && asks_for(stand_in.get(), FERRY_KERNEL_OVERFLOW_WORD);
  is_overflow_placed_ = false;
  overflow_offset_ = 0;
  has_data_ = false;
  is_final_ = false;
  is_current_ = false;
  end_ = has_sync_word_ ? kWord : 0;
  std::memset(buffer_, 0, capacity_);
}

Status ArgumentList::check_open() const {
  if (!is_final_ && !has_data_) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1016,
              is_final_ ? "the list is complete: aclrtKernelArgsFinalize was called"
                        : "a placeholder has its data already: all parameters come before");
}

Status ArgumentList::check_room(const char* argument, size_t offset, size_t size) const {
  if (offset <= capacity_ && size <= capacity_ - offset) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, argument, size)
      .because(", but the list has room for %zu bytes and %zu are taken", capacity_,
               std::min(offset, capacity_));
}

Status ArgumentList::add_entry(const ArgumentEntry& entry, aclrtParamHandle* handle) {
  *handle = parameter_handle(serial_, entry_count_);
  entries_[entry_count_++] = entry;
  end_ = entry.offset + entry.size;
  return {};
}

Status ArgumentList::append(const void* value, size_t size, aclrtParamHandle* handle) {
  FERRY_RETURN_IF_ERROR(check_open());
  if (entry_count_ == most_entries_) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "the list has %u parameters, allowed are %u",
                entry_count_, most_entries_);
  }
  const size_t offset = aligned_end();
  FERRY_RETURN_IF_ERROR(check_room("paramSize", offset, size));
  FERRY_RETURN_IF_ERROR(take_bytes(buffer_ + offset, value, size, "param"));
  return add_entry({.offset = static_cast<uint32_t>(offset),
                    .size = static_cast<uint32_t>(size),
                    .data_offset = 0,
                    .is_placeholder = 0},
                   handle);
}

Status ArgumentList::append_placeholder(aclrtParamHandle* handle) {
  FERRY_RETURN_IF_ERROR(check_open());
  if (entry_count_ == most_entries_) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "the list has %u parameters, allowed are %u",
                entry_count_, most_entries_);
  }
  const size_t offset = aligned_end();
  FERRY_RETURN_IF_ERROR(check_room("the placeholder", offset, kWord));
  return add_entry({.offset = static_cast<uint32_t>(offset),
                    .size = kWord,
                    .data_offset = 0,
                    .is_placeholder = 1},
                   handle);
}

Result<ArgumentEntry*> ArgumentList::find(aclrtParamHandle parameter) {
  const auto index = reinterpret_cast<uint64_t>(parameter) & 0xFFFF;
  if (index < entry_count_ &&
      parameter == parameter_handle(serial_, static_cast<uint32_t>(index))) {
    return &entries_[index];
  }
  return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "paramHandle", parameter,
                     "parameter of this list");
}

// The word follows the parameters and precedes the data of placeholders.
Status ArgumentList::reserve_overflow_word() {
  if (!has_overflow_word_ || is_overflow_placed_) return {};
  const size_t offset = aligned_end();
  FERRY_RETURN_IF_ERROR(check_room("the overflow word", offset, kWord));
  overflow_offset_ = offset;
  is_overflow_placed_ = true;
  end_ = offset + kWord;
  return {};
}

Status ArgumentList::take_data(aclrtParamHandle parameter, size_t size, void** data) {
  FERRY_TRY(ArgumentEntry*, entry, find(parameter));
  if ((*entry)->is_placeholder == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "paramHandle", Value::beside(parameter))
        .because(" is a value, which has no data of its own");
  }
  if (is_final_) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1016,
                "the list is complete: aclrtKernelArgsFinalize was called");
  }
  FERRY_RETURN_IF_ERROR(reserve_overflow_word());
  const size_t offset = aligned_end();
  FERRY_RETURN_IF_ERROR(check_room("dataSize", offset, size));
  has_data_ = true;
  (*entry)->data_offset = static_cast<uint32_t>(offset);
  end_ = offset + size;
  *data = buffer_ + offset;
  return {};
}

Status ArgumentList::update(aclrtParamHandle parameter, const void* value, size_t size) {
  FERRY_TRY(ArgumentEntry*, entry, find(parameter));
  if ((*entry)->is_placeholder != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "paramHandle", Value::beside(parameter))
        .because(" is a placeholder, whose data is written directly");
  }
  if (size != (*entry)->size) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "paramSize", size)
        .allowed("%u, as appended", (*entry)->size);
  }
  is_current_ = false;
  return take_bytes(buffer_ + (*entry)->offset, value, size, "param");
}

Status ArgumentList::finalize(Context& context) {
  FERRY_RETURN_IF_ERROR(reserve_overflow_word());
  if (has_sync_word_) {
    FERRY_RETURN_IF_ERROR(check_room("the sync word", 0, kWord));
    FERRY_TRY(void*, address, context.words().sync_words(context.device()));
    std::memcpy(buffer_, &*address, kWord);
  }
  if (is_overflow_placed_) {
    FERRY_TRY(void*, address, context.words().overflow_status(context.device()));
    std::memcpy(buffer_ + overflow_offset_, &*address, kWord);
  }
  is_final_ = true;
  is_current_ = true;
  return {};
}

Result<LaunchArguments> ArgumentList::arguments() const {
  if (!is_current_) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "argsHandle")
        .because(is_final_ ? " was updated since aclrtKernelArgsFinalize: call it again"
                           : " is not complete: call aclrtKernelArgsFinalize first");
  }
  LaunchArguments arguments{
      .bytes = AlignedBytes(end_), .placeholders = {}, .device_address = nullptr, .device_size = 0};
  FERRY_RETURN_IF_ERROR(take_bytes(arguments.bytes.data(), buffer_, end_, "argsHandle's memory"));
  for (uint32_t i = 0; i < entry_count_; ++i) {
    if (entries_[i].is_placeholder == 0) continue;
    arguments.placeholders.push_back(
        {.addrOffset = entries_[i].offset, .dataOffset = entries_[i].data_offset});
  }
  return arguments;
}

}  // namespace ferry
