// SPDX-License-Identifier: Apache-2.0
// Functions of binaries: finding them and asking about them.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/kernel/binary.h"

#include <cstring>

namespace ferry::api {
namespace {

// Local memory that a block of a grid of threads can still get.
constexpr size_t kDynamicUbuf = 128 << 10;

Status give_function(Result<Ref<KernelFunction>> found, aclrtFuncHandle* out) {
  *out = nullptr;
  FERRY_RETURN_IF_ERROR(found.status());
  *out = (*found)->handle();
  return {};
}

Status refuse_cpu_kernel(const KernelFunction& function, aclError code) {
  if (!function.is_cpu()) return {};
  return reject(code, kEE1017, "funcHandle", Value::beside(function.handle()))
      .because(" is kernel %s, which runs on the AI CPU", function.name().c_str());
}

int32_t type_of(const KernelFunction& function) {
  if (function.is_cpu()) return ACL_KERNEL_TYPE_AICPU;
  const std::shared_ptr<const StandIn> stand_in = function.stand_in();
  return stand_in == nullptr ? int32_t{ACL_KERNEL_TYPE_AICORE} : stand_in->type;
}

// Which kinds of cores run a kernel: a mix kernel takes two vector cores per cube core.
struct Cores {
  uint16_t vector = 0;
  uint16_t cube = 0;
};

Cores cores_of(const KernelFunction& function) {
  switch (type_of(function)) {
    case ACL_KERNEL_TYPE_VECTOR:
      return {.vector = 1, .cube = 0};
    case ACL_KERNEL_TYPE_MIX:
      return {.vector = 2, .cube = 1};
    case ACL_KERNEL_TYPE_AICPU:
      return {};
    default:
      return {.vector = 0, .cube = 1};
  }
}

// The part of the binary that stands for the code of a function.
Result<RuntimeMemory*> code_of(const KernelFunction& function) {
  FERRY_RETURN_IF_ERROR(refuse_cpu_kernel(function, ACL_ERROR_RT_PARAM_INVALID));
  if (function.binary() != nullptr) return function.binary()->memory();
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "funcHandle", Value::beside(function.handle()))
      .because(" is kernel %s, which a symbol names: it belongs to no loaded binary",
               function.name().c_str());
}

// Different for each function of a binary, as long as that has enough bytes.
char* entry_in(const RuntimeMemory& memory, const KernelFunction& function) {
  return memory.address() + std::min<uint64_t>(function.index(), memory.size() - 1);
}

// The stand-in with its parameter table.
Result<std::shared_ptr<const StandIn>> with_parameters(const void* func) {
  FERRY_TRY(Ref<KernelFunction>, function, find_function_or_symbol(func, "func"));
  FERRY_RETURN_IF_ERROR(refuse_cpu_kernel(**function, ACL_ERROR_RT_FEATURE_NOT_SUPPORT));
  std::shared_ptr<const StandIn> stand_in = (*function)->stand_in();
  if (stand_in != nullptr && stand_in->parameters.has_value()) return stand_in;
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "func", Value::beside(func))
      .because(" is kernel %s, whose stand-in has registered no parameter table",
               (*function)->name().c_str());
}

}  // namespace

aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char* kernelName,
                                aclrtFuncHandle* funcHandle) {
  if (binHandle == nullptr) return fail_null("binHandle");
  if (kernelName == nullptr) return fail_null("kernelName");
  if (funcHandle == nullptr) return fail_null("funcHandle");
  FERRY_TRY(Ref<Binary>, binary, find_binary(binHandle));
  return give_function((*binary)->function(kernelName, "kernelName"), funcHandle);
}

aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry,
                                       aclrtFuncHandle* funcHandle) {
  if (binHandle == nullptr) return fail_null("binHandle");
  if (funcHandle == nullptr) return fail_null("funcHandle");
  FERRY_TRY(Ref<Binary>, binary, find_binary(binHandle));
  return give_function((*binary)->function_by_entry(funcEntry), funcHandle);
}

aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char* funcName,
                              const char* kernelName, aclrtFuncHandle* funcHandle) {
  if (handle == nullptr) return fail_null("handle");
  if (funcName == nullptr) return fail_null("funcName");
  if (kernelName == nullptr) return fail_null("kernelName");
  if (funcHandle == nullptr) return fail_null("funcHandle");
  FERRY_TRY(Ref<Binary>, binary, find_binary(handle, "handle"));
  if ((*binary)->cpu_mode() != Binary::kCpuModeFunctions) {
    *funcHandle = nullptr;
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "handle", Value::beside(handle))
        .because(" was not loaded with cpuKernelMode 2");
  }
  return give_function((*binary)->function(kernelName, "kernelName"), funcHandle);
}

aclError aclrtGetFuncBySymbol(const void* symbol, aclrtFuncHandle* funcHandle) {
  if (symbol == nullptr) return fail_null("symbol");
  if (funcHandle == nullptr) return fail_null("funcHandle");
  FERRY_RETURN_IF_ERROR(current_context().status());
  const Ref<KernelFunction> found = find_function_of_symbol(symbol);
  if (!found) return fail_unknown_kernel(ACL_ERROR_RT_INVALID_DEVICE_FUNCTION, "symbol", symbol);
  *funcHandle = found->handle();
  return ACL_SUCCESS;
}

aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char* name) {
  if (name == nullptr) return fail_null("name");
  if (funcHandle == nullptr) return fail_null_in_runtime("funcHandle");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  const std::string& full = (*function)->name();
  if (maxLen < full.size() + 1) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "maxLen", maxLen)
        .allowed("%zu or more, the length of the name and a final 0", full.size() + 1);
  }
  std::memcpy(name, full.c_str(), full.size() + 1);
  return ACL_SUCCESS;
}

aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (aicAddr == nullptr) return fail_null("aicAddr");
  if (aivAddr == nullptr) return fail_null("aivAddr");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  FERRY_TRY(RuntimeMemory*, memory, code_of(**function));
  char* const entry = entry_in(**memory, **function);
  const Cores cores = cores_of(**function);
  *aicAddr = cores.cube > 0 ? entry : nullptr;
  *aivAddr = cores.vector > 0 ? entry : nullptr;
  return ACL_SUCCESS;
}

aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t* aicSize, size_t* aivSize) {
  if (funcHandle == nullptr) return fail_null_in_runtime("funcHandle");
  if (aicSize == nullptr) return fail_null_in_runtime("aicSize");
  if (aivSize == nullptr) return fail_null_in_runtime("aivSize");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  FERRY_TRY(RuntimeMemory*, memory, code_of(**function));
  const auto rest = static_cast<size_t>((*memory)->address() + (*memory)->size() -
                                        entry_in(**memory, **function));
  const Cores cores = cores_of(**function);
  *aicSize = cores.cube > 0 ? rest : 0;
  *aivSize = cores.vector > 0 ? rest : 0;
  return ACL_SUCCESS;
}

aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle, aclrtBinHandle* binHandle) {
  if (funcHandle == nullptr) return fail_null_in_runtime("funcHandle");
  if (binHandle == nullptr) return fail_null_in_runtime("binHandle");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  FERRY_RETURN_IF_ERROR(code_of(**function).status());
  *binHandle = (*function)->binary()->handle();
  return ACL_SUCCESS;
}

aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType,
                                   int64_t* attrValue) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (attrValue == nullptr) return fail_null("attrValue");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  switch (attrType) {
    case ACL_FUNC_ATTR_KERNEL_TYPE:
      *attrValue = type_of(**function);
      break;
    case ACL_FUNC_ATTR_KERNEL_RATIO: {
      const Cores cores = cores_of(**function);
      *attrValue = 0;
      std::memcpy(attrValue, &cores, sizeof cores);
      break;
    }
    case ACL_FUNC_ATTR_KERNEL_SCHED_MODE:
      *attrValue = 0;
      break;
    default:  // not an error
      break;
  }
  return ACL_SUCCESS;
}

aclError aclrtFunctionGetParamCount(const void* func, size_t* paramCount) {
  if (func == nullptr) return fail_null("func");
  if (paramCount == nullptr) return fail_null("paramCount");
  FERRY_TRY(std::shared_ptr<const StandIn>, stand_in, with_parameters(func));
  *paramCount = (*stand_in)->parameters->size();
  return ACL_SUCCESS;
}

aclError aclrtFunctionGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                   size_t* paramSize) {
  if (func == nullptr) return fail_null("func");
  if (paramOffset == nullptr && paramSize == nullptr) return fail_null("paramOffset and paramSize");
  FERRY_TRY(std::shared_ptr<const StandIn>, stand_in, with_parameters(func));
  const std::vector<ferryKernelParameter>& table = *(*stand_in)->parameters;
  if (paramIndex >= table.size()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "paramIndex", paramIndex)
        .because(", but kernel %s has %zu parameters", (*stand_in)->name.c_str(), table.size());
  }
  if (paramOffset != nullptr) *paramOffset = table[paramIndex].offset;
  if (paramSize != nullptr) *paramSize = table[paramIndex].size;
  return ACL_SUCCESS;
}

aclError aclrtFunctionGetAvailDynUbufPerBlock(void* func, uint32_t flags, size_t* dynamicUbufSize) {
  if (func == nullptr) return fail_null("func");
  if (dynamicUbufSize == nullptr) return fail_null("dynamicUbufSize");
  if (flags != 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", flags).allowed("0");
  FERRY_TRY(Ref<KernelFunction>, function, find_function_or_symbol(func, "func"));
  const std::shared_ptr<const StandIn> stand_in = (*function)->stand_in();
  const bool is_simt = stand_in != nullptr && stand_in->has(FERRY_KERNEL_SIMT);
  *dynamicUbufSize = is_simt ? kDynamicUbuf : 0;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
