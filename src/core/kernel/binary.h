// SPDX-License-Identifier: Apache-2.0
// Binaries and their functions, as programs see them. No code of a binary is ever executed: a
// function is the name of a stand-in.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/handle_table.h"
#include "core/kernel/stand_in.h"
#include "core/runtime_memory.h"

#include "acl/acl_rt.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ferry {

// Bytes of the program that may be loaded (aclrtCreateBinary); they stay the program's.
class HostBinary final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kHostBinary;

  HostBinary(const void* data, size_t size) : data_(data), size_(size) {}
  ~HostBinary() = default;
  const void* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  const void* const data_;
  const size_t size_;
};

class KernelFunction;

// A loaded binary. May be shared between threads.
class Binary final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kBinary;

  struct Options {
    bool is_lazy = false;
    int32_t cpu_mode = kNoCpuMode;
  };
  static constexpr int32_t kNoCpuMode = -1;
  static constexpr int32_t kCpuModeFunctions = 2;  // aclrtRegisterCpuFunc names the kernels

  // Whether these bytes, which are readable, count as a binary for the AI core: an ELF file; any
  // bytes once a stand-in is registered, or when kernels without one are skipped.
  static bool can_be(const void* data, size_t size);
  // Copies the bytes to the device.
  static Result<Ref<Binary>> load(Device& device, const void* data, size_t size,
                                  const Options& options);
  ~Binary() = default;

  Device& device() const { return device_; }
  bool is_cpu() const { return options_.cpu_mode != kNoCpuMode; }
  int32_t cpu_mode() const { return options_.cpu_mode; }
  // Where its bytes are on the device; nullptr when it is lazy and was not used yet.
  RuntimeMemory* memory() const;

  // The function of a kernel: the same handle for the same name. `argument` names it in the text of
  // a failure: 107000 when there is no stand-in and unknown kernels are refused.
  Result<Ref<KernelFunction>> function(const char* name, const char* argument);
  // 107000 when the binary is for the AI CPU, or no stand-in has this entry.
  Result<Ref<KernelFunction>> function_by_entry(uint64_t entry);

  // Makes the binary and its functions unfindable and waits until the queued launches of these
  // functions have run. False when another thread has unloaded it.
  Result<bool> unload();

  // Launches that are queued or running.
  void launch_begins();
  void launch_ends();

  struct ExceptionCallback {
    aclrtOpExceptionCallback function = nullptr;
    void* data = nullptr;
  };
  void set_exception_callback(const ExceptionCallback& callback);
  ExceptionCallback exception_callback() const;

 private:
  Binary(Device& device, const Options& options) : device_(device), options_(options) {}
  Status put_on_device(const void* data, size_t size);
  // For the text about an unknown kernel: whether the file defines it, or what else. May be "".
  std::string what_it_defines(const std::string& name) const;
  Result<Ref<KernelFunction>> add_function(const std::string& name);

  Device& device_;
  const Options options_;
  std::unique_ptr<RuntimeMemory> memory_;
  std::vector<std::string> defined_;  // functions of the ELF file, sorted

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable idle_;
  bool is_used_ = false;  // a function was looked up
  std::vector<void*> functions_;
  uint64_t launches_ = 0;
  ExceptionCallback exception_callback_;
};

// A kernel by its name. May be shared between threads.
class KernelFunction final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kFunction;

  // `binary` may be empty: the program names the kernel by a symbol.
  static Ref<KernelFunction> create(std::string name, Ref<Binary> binary, size_t index);
  ~KernelFunction() = default;

  const std::string& name() const { return name_; }
  Binary* binary() const { return binary_.get(); }
  // Its place among the functions of its binary.
  size_t index() const { return index_; }
  KernelCounts& counts() const { return counts_; }

  // The stand-in as of now; nullptr when there is none.
  std::shared_ptr<const StandIn> stand_in() const;
  bool is_cpu() const;

 private:
  KernelFunction(std::string name, Ref<Binary> binary, size_t index);

  const std::string name_;
  const Ref<Binary> binary_;
  const size_t index_;
  KernelCounts& counts_;
};

// 100000 for NULL, 107017 when the handle is not that of a live object.
Result<Ref<HostBinary>> find_host_binary(aclrtBinary handle, const char* argument);
Result<Ref<Binary>> find_binary(aclrtBinHandle handle, const char* argument = "binHandle");
Result<Ref<KernelFunction>> find_function(aclrtFuncHandle handle,
                                          const char* argument = "funcHandle");

// ---- functions that the program names by an address on the host ----

// From now on `symbol` names the function; a later binding replaces it.
void bind_symbol(const void* symbol, const Ref<KernelFunction>& function);
// The function that was bound, or that of the stand-in with this symbol. Empty when there is none.
Ref<KernelFunction> find_function_of_symbol(const void* symbol);
// A handle or a symbol: 107017 when it is neither.
Result<Ref<KernelFunction>> find_function_or_symbol(const void* either, const char* argument);

}  // namespace ferry
