// SPDX-License-Identifier: Apache-2.0
// A GPU made of host memory and threads: the functions of the CUDA runtime and driver that the
// plugin calls. Device memory has no access rights at its address, as beside a real GPU; the bytes
// are elsewhere. Streams run on threads of their own.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>

namespace host_gpu {

constexpr uint64_t kGranule = uint64_t{2} << 20;
constexpr int kMostDevices = 8;

// HOST_GPU_DEVICES; 1 by default.
int device_count();
// The device of the calling thread.
int current_device();

// ---- failures ----

// An illegal access: from now on every call on the device returns it.
void break_device(int device, const char* what);
cudaError_t failure_of(int device);
// Records the error for cudaGetLastError, and returns it.
cudaError_t note(cudaError_t error);

// Whether a test wants this call of a function of the driver or runtime to fail.
CUresult refusal_of(const char* function);

// ---- memory ----

enum class Kind { kDevice, kPinned, kRegistered, kManaged, kReserved };

// Bytes of a device or of the host, in a file that other processes can open.
struct Physical {
  int file = -1;
  uint64_t offset = 0;
  uint64_t size = 0;
  int32_t device = 0;
  bool is_host = false;
  bool is_imported = false;
  bool may_be_exported = false;
  bool was_exported = false;  // another process may have it: the bytes are never given back
  int handles = 1;
  int mappings = 0;
};

struct Mapping {
  uint64_t size = 0;
  Physical* physical = nullptr;
  std::set<int> devices;  // that may access it
  bool is_open_to_host = false;
};

// A range of addresses that CUDA knows.
struct Block {
  uint64_t size = 0;
  char* bytes = nullptr;  // where a device accesses the first byte
  Kind kind = Kind::kDevice;
  int device = 0;
  Physical* physical = nullptr;           // of kDevice
  std::map<uintptr_t, Mapping> mappings;  // of kReserved
};

// Who accesses memory: kernels need it mapped for their device, the copy engines also take pageable
// memory and memory of other devices.
enum class Access { kKernel, kEngine };

struct Memory {
  std::shared_mutex mutex;  // held shared while bytes are moved
  std::map<uintptr_t, Block> blocks;
  uint64_t used[kMostDevices + 1] = {};  // of devices, and of the host

  // The following with the mutex held.
  Block* find(const void* address);
  // Where the device accesses `size` bytes at an address; nullptr when it may not.
  char* reach(int device, const void* address, uint64_t size, Access access);
  Physical* take(const Physical& wanted);
  void drop_if_unused(Physical* physical);

 private:
  uint64_t& used_by(const Physical& physical);
};
Memory& memory();
uint64_t capacity();  // of a device

// What another process needs to open memory of this one.
struct Token {
  uint64_t magic;
  int32_t process;
  int32_t file;
  uint64_t offset;
  uint64_t size;
  int32_t device;
  uint32_t is_host;
};
Token token_of(const Physical& physical);
// nullptr when there is no such memory.
Physical* import(const Token& token);

// Maps bytes of the memory at an address.
bool map_bytes(void* address, const Physical& physical, uint64_t size);
// No access and no memory from now on.
void close_range(void* address, uint64_t size);
void* reserve_range(void* wanted, uint64_t size, uint64_t alignment);

// ---- streams ----

// An event record that a stream reaches.
struct Record {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_reached = false;
  std::chrono::steady_clock::time_point time;

  void reach();
  void wait();
  bool query();
};

using Task = std::function<void()>;

// Queues a task; it runs on the stream's thread.
void submit(cudaStream_t stream, Task task);
int device_of(cudaStream_t stream);
// Waits for all streams of the device.
void wait_for_device(int device);

// ---- for tests ----

// Streams start no task between these.
void hold_streams();
void release_streams();
// The next calls of a function of the driver or runtime return `result`, after `skipped` more.
void refuse(const char* function, CUresult result, int skipped = 0);

}  // namespace host_gpu
