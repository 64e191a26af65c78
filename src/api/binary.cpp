// SPDX-License-Identifier: Apache-2.0
// Binaries: loading, unloading, and what they contain.
#include "core/kernel/binary.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/config.h"
#include "base/status.h"
#include "base/user_file.h"
#include "core/context.h"
#include "core/exception_report.h"
#include "core/kernel/device_variable.h"
#include "core/location.h"

#include <algorithm>
#include <span>
#include <string>

namespace ferry::api {
namespace {

// Larger files are not read: real ones have a few megabytes.
constexpr uint64_t kLargestBinary = uint64_t{4} << 30;

enum class BinarySource { kFile, kData };

Status fail_option(size_t index, const char* member, const Value& value, const char* what) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, Argument("options->options", index, member),
                value)
      .allowed("%s", what);
}

Status check_magic(size_t index, uint32_t magic, BinarySource source) {
  if (source == BinarySource::kFile) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1006, Argument("options->options", index, "type"),
                  ACL_RT_BINARY_LOAD_OPT_MAGIC)
        .because(", a magic number, which is only for aclrtBinaryLoadFromData");
  }
  constexpr uint32_t kMagics[] = {ACL_RT_BINARY_MAGIC_ELF_AICORE,
                                  ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE,
                                  ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE};
  if (std::find(std::begin(kMagics), std::end(kMagics), magic) != std::end(kMagics)) return {};
  return fail_option(index, "value.magic", Value::hex(magic),
                     "0x43554245, 0x41415246 or 0x41494343");
}

Status read_option(size_t index, const aclrtBinaryLoadOption& option, BinarySource source,
                   Binary::Options& read) {
  switch (option.type) {
    case ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD:
      if (option.value.isLazyLoad > 1) {
        return fail_option(index, "value.isLazyLoad", option.value.isLazyLoad, "0 or 1");
      }
      read.is_lazy = option.value.isLazyLoad == 1;
      return {};
    case ACL_RT_BINARY_LOAD_OPT_MAGIC:
      return check_magic(index, option.value.magic, source);
    case ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE: {
      const int32_t mode = option.value.cpuKernelMode;
      const bool is_allowed = source == BinarySource::kFile ? mode == 0 || mode == 1
                                                            : mode == Binary::kCpuModeFunctions;
      if (!is_allowed) {
        return fail_option(index, "value.cpuKernelMode", mode,
                           source == BinarySource::kFile ? "0 or 1" : "2");
      }
      read.cpu_mode = mode;
      return {};
    }
    default:
      return fail_option(index, "type", option.type, "1 to 3");
  }
}

Result<Binary::Options> read_options(const aclrtBinaryLoadOptions* options, BinarySource source) {
  Binary::Options read;
  if (options == nullptr) return read;
  if (options->options == nullptr) return fail_null_in_runtime("options->options");
  for (size_t i = 0; i < options->numOpt; ++i)
    FERRY_RETURN_IF_ERROR(read_option(i, options->options[i], source, read));
  return read;
}

Status load_bytes(const void* data, size_t size, const Binary::Options& options,
                  aclrtBinHandle* out) {
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(Ref<Binary>, binary, Binary::load((*context)->device(), data, size, options));
  *out = (*binary)->handle();
  return {};
}

// Bytes of the program: readable, and a binary unless they are for the AI CPU.
Status check_data(const char* argument, const void* data, size_t size, const char* size_name,
                  const Binary::Options& options) {
  if (size == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, size_name, 0).allowed("1 or more");
  }
  const Location location = locate(data);
  FERRY_RETURN_IF_ERROR(check_range(argument, location, size, Access::kRead));
  if (options.cpu_mode != Binary::kNoCpuMode) return {};
  if (!location.is_device() && Binary::can_be(location.storage_of(size), size)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1012, argument, data)
      .because(
          " and %zu bytes, which is not an ELF file; Ferry takes other bytes once a stand-in is "
          "registered (ferryRegisterKernel), or with FERRY_KERNELS=skip",
          size);
}

Status check_file(const char* path, const std::string& bytes, const Binary::Options& options) {
  if (options.cpu_mode == Binary::kNoCpuMode) {
    if (Binary::can_be(bytes.data(), bytes.size()) && !bytes.empty()) return {};
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1012, "binPath", Value::quoted(path))
        .because(
            ", which is not an ELF file; Ferry takes other files once a stand-in is registered "
            "(ferryRegisterKernel), or with FERRY_KERNELS=skip");
  }
  if (std::string_view(path).ends_with(".json") && !bytes.empty()) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1012, "binPath", Value::quoted(path))
      .because(", but kernels of the AI CPU are described by a file whose name ends in .json");
}

}  // namespace

aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen) {
  if (data == nullptr) {
    static_cast<void>(fail_null("data"));  // the function returns no code: only the text says it
    return nullptr;
  }
  const Ref<HostBinary> made =
      HandleTable<HostBinary>::instance().insert(std::make_unique<HostBinary>(data, dataLen));
  return made->handle();
}

aclError aclrtDestroyBinary(aclrtBinary binary) {
  FERRY_RETURN_IF_ERROR(find_host_binary(binary, "binary").status());
  if (HandleTable<HostBinary>::instance().remove(binary)) return ACL_SUCCESS;
  return find_host_binary(binary, "binary").status();  // another thread has destroyed it meanwhile
}

aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* binHandle) {
  if (binary == nullptr) return fail_null("binary");
  if (binHandle == nullptr) return fail_null("binHandle");
  FERRY_TRY(Ref<HostBinary>, host, find_host_binary(binary, "binary"));
  FERRY_RETURN_IF_ERROR(
      check_data("binary's data", (*host)->data(), (*host)->size(), "binary's dataLen", {}));
  return load_bytes((*host)->data(), (*host)->size(), {}, binHandle);
}

aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* binHandle) {
  if (binPath == nullptr) return fail_null("binPath");
  if (binHandle == nullptr) return fail_null("binHandle");
  FERRY_TRY(Binary::Options, read, read_options(options, BinarySource::kFile));
  std::string bytes;
  if (const std::string wrong = read_user_file(binPath, kLargestBinary, bytes); !wrong.empty()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1012, "binPath", Value::quoted(binPath))
        .because(", which %s", wrong.c_str());
  }
  FERRY_RETURN_IF_ERROR(check_file(binPath, bytes, *read));
  return load_bytes(bytes.data(), bytes.size(), *read, binHandle);
}

aclError aclrtBinaryLoadFromData(const void* data, size_t length,
                                 const aclrtBinaryLoadOptions* options, aclrtBinHandle* binHandle) {
  if (data == nullptr) return fail_null("data");
  if (binHandle == nullptr) return fail_null("binHandle");
  if (length == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "length", 0).allowed("1 or more");
  }
  FERRY_TRY(Binary::Options, read, read_options(options, BinarySource::kData));
  FERRY_RETURN_IF_ERROR(check_data("data", data, length, "length", *read));
  return load_bytes(data, length, *read, binHandle);
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle) {
  FERRY_TRY(Ref<Binary>, binary, find_binary(binHandle));
  FERRY_TRY(bool, is_ours, (*binary)->unload());
  if (*is_ours) return ACL_SUCCESS;
  return find_binary(binHandle).status();  // another thread has unloaded it meanwhile
}

aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char* name, void** dptr,
                              size_t* size) {
  if (binHandle == nullptr) return fail_null("binHandle");
  if (name == nullptr) return fail_null("name");
  if (dptr == nullptr && size == nullptr) return fail_null("dptr and size");
  FERRY_TRY(Ref<Binary>, binary, find_binary(binHandle));
  const DeviceVariable* const variable =
      name[0] == '\0' ? nullptr : StandIns::instance().find_variable(name);
  if (variable == nullptr) {
    return reject(ACL_ERROR_RT_SYMBOL_NOT_FOUND, kEE1017, "name", Value::quoted(name))
        .because(
            ", but no stand-in has registered a variable of this name (ferryRegisterKernelEx in "
            "ferry/kernel.h)");
  }
  FERRY_TRY(void*, address, address_of_variable(*variable, (*binary)->device()));
  if (dptr != nullptr) *dptr = *address;
  if (size != nullptr) *size = variable->size;
  return ACL_SUCCESS;
}

aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle, void** binAddr, size_t* binSize) {
  if (binHandle == nullptr) return fail_null("binHandle");
  if (binAddr == nullptr) return fail_null_in_runtime("binAddr");
  if (binSize == nullptr) return fail_null_in_runtime("binSize");
  FERRY_TRY(Ref<Binary>, binary, find_binary(binHandle));
  const RuntimeMemory* const memory = (*binary)->memory();
  *binAddr = memory == nullptr ? nullptr : memory->address();
  *binSize = memory == nullptr ? 0 : memory->size();
  return ACL_SUCCESS;
}

aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle,
                                         aclrtOpExceptionCallback callback, void* userData) {
  if (binHandle == nullptr) return fail_null("binHandle");
  if (callback == nullptr) return fail_null("callback");
  FERRY_TRY(Ref<Binary>, binary, find_binary(binHandle));
  FERRY_RETURN_IF_ERROR(prepare_reports());
  (*binary)->set_exception_callback({.function = callback, .data = userData});
  return ACL_SUCCESS;
}

}  // namespace ferry::api
