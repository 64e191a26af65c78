// SPDX-License-Identifier: Apache-2.0
// Where argument lists live: one per thread, or in memory of the program.
#include "base/thread_owned.h"
#include "core/host_probe.h"
#include "core/kernel/kernel_arguments.h"

#include <array>
#include <cstring>
#include <type_traits>

namespace ferry {
namespace {

// The list in memory of the program is written without a constructor.
static_assert(std::is_trivially_default_constructible_v<ArgumentList>);
static_assert(std::is_trivially_destructible_v<ArgumentList>);

// What the block may take beyond the program's part, apart from the alignment of each parameter.
constexpr size_t kRoomForHiddenWords = 64;

}  // namespace

// The list of one thread. Its handle dies with the thread.
class ThreadList final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kArgumentList;

  ThreadList() : buffer(kMostArgumentBytes) {}
  ~ThreadList() = default;

  std::mutex mutex;  // guards what follows: the program may pass the handle to other threads
  ArgumentList list;
  std::array<ArgumentEntry, kMostParameters> entries;
  std::vector<char> buffer;
};

namespace {

struct OwnList {
  ~OwnList() {
    if (list) HandleTable<ThreadList>::instance().remove(list->handle());
  }
  Ref<ThreadList> list;
};

bool is_aligned(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % alignof(ArgumentList) == 0;
}

}  // namespace

uint32_t most_parameters(const KernelFunction& function) {
  const std::shared_ptr<const StandIn> stand_in = function.stand_in();
  if (stand_in == nullptr || !stand_in->parameters.has_value()) return kMostParameters;
  return static_cast<uint32_t>(stand_in->parameters->size());
}

size_t argument_list_size(const KernelFunction& function) {
  return sizeof(ArgumentList) + most_parameters(function) * sizeof(ArgumentEntry);
}

size_t argument_block_size(const KernelFunction& function, size_t user_size) {
  if (function.is_cpu()) return user_size;
  return user_size + kRoomForHiddenWords + 8 * size_t{most_parameters(function)};
}

Result<aclrtArgsHandle> begin_thread_list(const KernelFunction& function) {
  Ref<ThreadList>& own_list = ThreadOwned<OwnList>::get().list;
  if (!own_list) {
    own_list = HandleTable<ThreadList>::instance().insert(std::make_unique<ThreadList>());
  }
  ThreadList& own = *own_list;
  const std::lock_guard lock(own.mutex);
  own.list.begin(function, own.entries.data(), kMostParameters, own.buffer.data(),
                 own.buffer.size());
  return own.handle();
}

Status begin_list_in(void* memory, const KernelFunction& function, void* buffer, size_t capacity) {
  if (!is_aligned(memory)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "argsHandle", memory)
        .because(", which is not aligned to %zu bytes", alignof(ArgumentList));
  }
  const size_t size = argument_list_size(function);
  if (!is_host_memory_accessible(memory, size, Access::kWrite)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "argsHandle", memory)
        .because(", where the host may not write the %zu bytes of the list", size);
  }
  if (!is_every_page_accessible(buffer, capacity, Access::kWrite)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "userHostMem", buffer)
        .because(" and %zu bytes, which the host may not write", capacity);
  }
  auto* const list = new (memory) ArgumentList;
  auto* const entries = reinterpret_cast<ArgumentEntry*>(list + 1);
  list->begin(function, entries, most_parameters(function), static_cast<char*>(buffer), capacity);
  return {};
}

Result<LockedList> find_argument_list(aclrtArgsHandle handle) {
  if (const Ref<ThreadList> found = HandleTable<ThreadList>::instance().find(handle)) {
    auto keeper = std::make_shared<Ref<ThreadList>>(found);
    return LockedList{
        .list = &found->list, .keeper = std::move(keeper), .lock = std::unique_lock(found->mutex)};
  }
  auto* const list = static_cast<ArgumentList*>(handle);
  if (is_aligned(handle) && is_host_memory_accessible(handle, sizeof *list, Access::kWrite) &&
      list->is_valid()) {
    return LockedList{.list = list, .keeper = nullptr, .lock = {}};
  }
  return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "argsHandle", handle, "argument list");
}

}  // namespace ferry
