// SPDX-License-Identifier: Apache-2.0
// Loading and unloading, and looking kernels up.
#include "core/kernel/binary.h"

#include "base/config.h"
#include "core/kernel/elf_functions.h"
#include "core/kernel/kernel_launch.h"
#include "core/runtime.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ferry {
namespace {

// Whether the bytes begin like an ELF file.
bool is_elf(const void* data, size_t size) {
  constexpr char kMagic[] = {0x7f, 'E', 'L', 'F'};
  return size >= sizeof kMagic && std::memcmp(data, kMagic, sizeof kMagic) == 0;
}

}  // namespace

// ---- binaries ----

Result<Ref<Binary>> Binary::load(Device& device, const void* data, size_t size,
                                 const Options& options) {
  std::unique_ptr<Binary> binary(new Binary(device, options));
  FERRY_RETURN_IF_ERROR(binary->put_on_device(data, size));
  return HandleTable<Binary>::instance().insert(std::move(binary));
}

bool Binary::can_be(const void* data, size_t size) {
  return is_elf(data, size) || StandIns::instance().takes_any_binary();
}

Status Binary::put_on_device(const void* data, size_t size) {
  FERRY_TRY(std::unique_ptr<RuntimeMemory>, memory, RuntimeMemory::make(device_, size));
  FERRY_RETURN_IF_ERROR((*memory)->fill_from(data, size));
  defined_ = functions_of_elf({static_cast<const std::byte*>(data), size});
  memory_ = std::move(*memory);
  return {};
}

std::string Binary::what_it_defines(const std::string& name) const {
  constexpr size_t kMostNamed = 3;
  if (defined_.empty()) return {};
  if (std::binary_search(defined_.begin(), defined_.end(), name)) return " (the binary defines it)";
  std::string text = " (the binary does not define it, but ";
  const size_t named = std::min(defined_.size(), kMostNamed);
  for (size_t i = 0; i < named; ++i) {
    if (i > 0) text += ", ";
    text += defined_[i];
  }
  if (defined_.size() > named) {
    text += " and " + std::to_string(defined_.size() - named) + " more";
  }
  return text + ")";
}

RuntimeMemory* Binary::memory() const {
  const std::lock_guard lock(mutex_);
  return options_.is_lazy && !is_used_ ? nullptr : memory_.get();
}

Result<Ref<KernelFunction>> Binary::add_function(const std::string& name) {
  const std::lock_guard lock(mutex_);
  is_used_ = true;
  for (const void* handle : functions_) {
    Ref<KernelFunction> known = HandleTable<KernelFunction>::instance().find(handle);
    if (known && known->name() == name) return known;
  }
  const Ref<Binary> self = HandleTable<Binary>::instance().find(handle());
  if (!self) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "binHandle", handle(), "binary");
  functions_.reserve(functions_.size() + 1);
  Ref<KernelFunction> made = KernelFunction::create(name, self, functions_.size());
  functions_.push_back(made->handle());
  return made;
}

Result<Ref<KernelFunction>> Binary::function(const char* name, const char* argument) {
  if (StandIns::instance().find(name) == nullptr && !config().kernels.skips_unknown) {
    return fail_unknown_kernel(ACL_ERROR_RT_PARAM_INVALID, argument, Value::quoted(name),
                               what_it_defines(name).c_str());
  }
  return add_function(name);
}

Result<Ref<KernelFunction>> Binary::function_by_entry(uint64_t entry) {
  if (is_cpu()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "binHandle", Value::beside(handle()))
        .because(" was loaded for the AI CPU, whose kernels have no entries");
  }
  const std::shared_ptr<const StandIn> found = StandIns::instance().find_by_entry(entry);
  if (found != nullptr) return add_function(found->name);
  if (!config().kernels.skips_unknown) {
    return fail_unknown_kernel(ACL_ERROR_RT_PARAM_INVALID, "funcEntry", entry);
  }
  return add_function("entry " + std::to_string(entry));
}

Result<bool> Binary::unload() {
  if (is_running_kernel_of(*this)) {
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
                "a stand-in cannot unload the binary of its own kernel: it would wait for itself");
  }
  const Ref<Binary> last = HandleTable<Binary>::instance().remove(handle());
  if (!last) return false;
  std::unique_lock lock(mutex_);
  for (const void* handle : functions_)
    HandleTable<KernelFunction>::instance().remove(handle);
  idle_.wait(lock, [&] { return launches_ == 0; });
  return true;
}

void Binary::launch_begins() {
  const std::lock_guard lock(mutex_);
  ++launches_;
}

void Binary::launch_ends() {
  const std::lock_guard lock(mutex_);
  if (--launches_ == 0) idle_.notify_all();
}

void Binary::set_exception_callback(const ExceptionCallback& callback) {
  const std::lock_guard lock(mutex_);
  exception_callback_ = callback;
}

Binary::ExceptionCallback Binary::exception_callback() const {
  const std::lock_guard lock(mutex_);
  return exception_callback_;
}

// ---- functions ----

KernelFunction::KernelFunction(std::string name, Ref<Binary> binary, size_t index)
    : name_(std::move(name)),
      binary_(std::move(binary)),
      index_(index),
      counts_(StandIns::instance().counts_of(name_)) {}

Ref<KernelFunction> KernelFunction::create(std::string name, Ref<Binary> binary, size_t index) {
  return HandleTable<KernelFunction>::instance().insert(std::unique_ptr<KernelFunction>(
      new KernelFunction(std::move(name), std::move(binary), index)));
}

std::shared_ptr<const StandIn> KernelFunction::stand_in() const {
  return StandIns::instance().find(name_);
}

bool KernelFunction::is_cpu() const {
  if (binary_ && binary_->is_cpu()) return true;
  const std::shared_ptr<const StandIn> found = stand_in();
  return found != nullptr && found->has(FERRY_KERNEL_CPU);
}

// ---- handles ----

Result<Ref<HostBinary>> find_host_binary(aclrtBinary handle, const char* argument) {
  if (handle == nullptr) return fail_null(argument);
  Ref<HostBinary> found = HandleTable<HostBinary>::instance().find(handle);
  if (!found) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, handle, "binary");
  return found;
}

Result<Ref<Binary>> find_binary(aclrtBinHandle handle, const char* argument) {
  if (handle == nullptr) return fail_null(argument);
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<Binary> found = HandleTable<Binary>::instance().find(handle);
  if (!found) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, handle, "loaded binary");
  return found;
}

Result<Ref<KernelFunction>> find_function(aclrtFuncHandle handle, const char* argument) {
  if (handle == nullptr) return fail_null(argument);
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<KernelFunction> found = HandleTable<KernelFunction>::instance().find(handle);
  if (!found) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, handle, "function");
  return found;
}

}  // namespace ferry
