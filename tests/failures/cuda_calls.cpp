// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime, which is linked into the plugin, loads the driver by name and asks the driver's
// cuGetProcAddress for every other function. It gets the handle of this library instead, and from
// our cuGetProcAddress thunks: each counts, fails if it must, and otherwise calls the driver.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dladdr
#endif

#include "cuda_calls.h"

#include "failing_calls.h"
#include "must_fail.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

namespace {

using Word = uintptr_t;
using Result = int;  // CUresult
constexpr Result kOutOfMemory = 2;

// As many arguments as any function of the driver has, all in registers for integers or on the
// stack: passing more than a function takes does no harm. No function that the CUDA runtime uses
// takes a floating-point number by value.
using DriverFunction = Result(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
                              Word);

// Pairs of functions whose calls must balance, apart from what the library keeps for reuse.
struct Pair {
  const char* maker;
  const char* taker;
  FailingObject kind;
};
constexpr Pair kPairs[] = {
    {"cuMemAlloc", "cuMemFree", FAILING_DEVICE_MEMORY},
    {"cuMemHostAlloc", "cuMemFreeHost", FAILING_PINNED_MEMORY},
    {"cuMemHostRegister", "cuMemHostUnregister", FAILING_REGISTERED_MEMORY},
    {"cuStreamCreate", "cuStreamDestroy", FAILING_STREAMS},
    {"cuStreamCreateWithPriority", "cuStreamDestroy", FAILING_STREAMS},
    {"cuEventCreate", "cuEventDestroy", FAILING_EVENTS},
    {"cuMemCreate", "cuMemRelease", FAILING_PHYSICAL_MEMORY},
    {"cuMemImportFromShareableHandle", "cuMemRelease", FAILING_PHYSICAL_MEMORY},
    {"cuMemMap", "cuMemUnmap", FAILING_MAPPINGS},
    {"cuMemAddressReserve", "cuMemAddressFree", FAILING_RESERVATIONS},
};

constexpr size_t kMostFunctions = 1024;

struct Function {
  std::atomic<DriverFunction*> real{nullptr};
  char name[sizeof FailingFunction::name] = {};
  const Pair* pair = nullptr;
  bool makes = false;
  std::atomic<uint64_t> calls{0};
};

std::mutex mutex;  // held while a function is added
Function functions[kMostFunctions];
std::atomic<size_t> function_count{0};
std::atomic<int64_t> live_objects[FAILING_OBJECTS];
std::atomic<const char*> only_function{nullptr};
void* real_driver = nullptr;

void count_object(const Function& function, Result result) {
  if (function.pair == nullptr || result != 0) return;
  live_objects[function.pair->kind].fetch_add(function.makes ? 1 : -1);
}

bool is_refused(Function& function, failures::Caller& caller) {
  if (!failures::is_counted(FAILING_CUDA)) return false;
  const char* only = only_function.load();
  if (only != nullptr && std::strcmp(only, function.name) != 0) return false;
  function.calls.fetch_add(1);
  return failures::must_fail(FAILING_CUDA, caller);
}

template <size_t Index>
Result thunk(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k,
             Word l) {
  Function& function = functions[Index];
  failures::Caller caller = FAILING_CALLER;
  const Result result = is_refused(function, caller)
                            ? kOutOfMemory
                            : function.real.load()(a, b, c, d, e, f, g, h, i, j, k, l);
  count_object(function, result);
  return result;
}

template <size_t... Index>
constexpr std::array<DriverFunction*, sizeof...(Index)> make_thunks(
    std::index_sequence<Index...> /*all*/) {
  return {thunk<Index>...};
}
constexpr auto kThunks = make_thunks(std::make_index_sequence<kMostFunctions>());

void describe(Function& function, const char* name) {
  std::strncpy(function.name, name, sizeof function.name - 1);
  for (const Pair& pair : kPairs) {
    function.makes = std::strcmp(name, pair.maker) == 0;
    if (!function.makes && std::strcmp(name, pair.taker) != 0) continue;
    function.pair = &pair;
    return;
  }
}

// The same function may be asked for under several versions.
void* thunk_of(const char* name, void* real) {
  auto* const wanted = reinterpret_cast<DriverFunction*>(real);
  const std::lock_guard lock(mutex);
  const size_t known = function_count.load();
  for (size_t i = 0; i < known; ++i) {
    if (functions[i].real.load() == wanted) return reinterpret_cast<void*>(kThunks[i]);
  }
  if (known == kMostFunctions) return real;
  describe(functions[known], name);
  functions[known].real.store(wanted);
  function_count.store(known + 1);
  return reinterpret_cast<void*>(kThunks[known]);
}

// Functions that tell of errors, and what is not a function with a name.
bool is_left_alone(const char* name) {
  return std::strncmp(name, "cu", 2) != 0 || std::strncmp(name, "cuGetError", 10) == 0 ||
         std::strcmp(name, "cuGetExportTable") == 0;
}

template <class Function>
Function* find_in_driver(const char* name) {
  return reinterpret_cast<Function*>(dlsym(real_driver, name));
}

}  // namespace

// ---- what the CUDA runtime finds in the driver by name ----

FAILING_EXPORT int cuGetExportTable(const void** table, const void* id) {
  return find_in_driver<int(const void**, const void*)>("cuGetExportTable")(table, id);
}

FAILING_EXPORT int cuGetProcAddress(const char* name, void** function, int version, uint64_t flags);
FAILING_EXPORT int cuGetProcAddress_v2(const char* name, void** function, int version,
                                       uint64_t flags, void* status);

namespace {

void replace(const char* name, void** function, int version) {
  constexpr int kSecondForm = 12000;  // since this version of CUDA it is what the name means
  if (*function == nullptr || is_left_alone(name)) return;
  if (std::strcmp(name, "cuGetProcAddress") != 0) {
    *function = thunk_of(name, *function);
  } else {
    *function = version >= kSecondForm ? reinterpret_cast<void*>(cuGetProcAddress_v2)
                                       : reinterpret_cast<void*>(cuGetProcAddress);
  }
}

}  // namespace

int cuGetProcAddress(const char* name, void** function, int version, uint64_t flags) {
  using Get = int(const char*, void**, int, uint64_t);
  const int result = find_in_driver<Get>("cuGetProcAddress")(name, function, version, flags);
  if (result == 0) replace(name, function, version);
  return result;
}

int cuGetProcAddress_v2(const char* name, void** function, int version, uint64_t flags,
                        void* status) {
  using Get = int(const char*, void**, int, uint64_t, void*);
  const int result =
      find_in_driver<Get>("cuGetProcAddress_v2")(name, function, version, flags, status);
  if (result == 0) replace(name, function, version);
  return result;
}

// ---- for the program ----

FAILING_EXPORT void failing_only(const char* function) {
  only_function.store(function);
}

FAILING_EXPORT int failing_functions(FailingFunction* list, int room) {
  int count = 0;
  for (size_t i = 0; i < function_count.load(); ++i) {
    const uint64_t calls = functions[i].calls.load();
    if (calls == 0) continue;
    FailingFunction* const end = list + count;
    // Versions of a function count as one.
    FailingFunction* const own = std::find_if(list, end, [&](const FailingFunction& other) {
      return std::strcmp(other.name, functions[i].name) == 0;
    });
    if (own == end && count == room) break;
    if (own == end) {
      *own = {};
      std::strncpy(own->name, functions[i].name, sizeof own->name - 1);
      ++count;
    }
    own->calls += calls;
  }
  return count;
}

FAILING_EXPORT void failing_objects(int64_t* live) {
  for (int i = 0; i < FAILING_OBJECTS; ++i)
    live[i] = live_objects[i].load();
}

namespace failures {

bool is_cuda_driver(const char* file) {
  return file != nullptr && std::strcmp(file, "libcuda.so.1") == 0;
}

void* stand_for_cuda_driver(void* driver) {
  Dl_info own{};
  if (dladdr(functions, &own) == 0) return driver;
  real_driver = driver;
  return dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

void forget_cuda_calls() {
  for (Function& function : functions)
    function.calls.store(0);
}

}  // namespace failures
