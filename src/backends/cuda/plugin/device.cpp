// SPDX-License-Identifier: Apache-2.0
// Finds and opens CUDA devices, controls peer access, records fatal errors, and shuts the backend
// down at exit.
#include "backends/cuda/plugin/device.h"

#include "backends/cuda/memory/memory.h"
#include "backends/cuda/memory/virtual_memory.h"
#include "backends/cuda/plugin/current_device.h"
#include "backends/cuda/plugin/services.h"
#include "backends/cuda/queue/polling.h"

#include "acl/error_codes/rt_error_codes.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>

namespace ferry::cuda {
namespace {

// The lowest compute capability that the plugin has machine code for.
constexpr int kLeastMajor = 7;
constexpr int kLeastMinor = 5;

// The opened devices and the peer access between them. May be shared between threads; never
// destroyed.
struct Devices {
  const pid_t process = getpid();
  std::mutex mutex;  // guards the members below
  std::vector<ferryx_device*> opened;
  std::set<std::pair<int, int>> peers;  // kernels of the first may access memory of the second
};

Devices& devices() {
  static auto* instance = new Devices;
  return *instance;
}

// How long exit() waits for held tasks, for calls inside CUDA and for work on CUDA streams.
constexpr std::chrono::seconds kPatienceAtExit{1};

int fail_opening(int index, cudaError_t error, const char* doing) {
  const Trouble trouble = translate(describe(error), doing);
  return fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "CUDA device %d cannot be opened: %s", index,
              trouble.text.c_str());
}

int check_capability(const cudaDeviceProp& properties, int index) {
  const int version = properties.major * 10 + properties.minor;
  if (version >= kLeastMajor * 10 + kLeastMinor) return ACL_RT_SUCCESS;
  return fail(ACL_ERROR_RT_DEV_SETUP_ERROR,
              "CUDA device %d (%s) has compute capability %d.%d, needed is %d.%d or later", index,
              properties.name, properties.major, properties.minor, kLeastMajor, kLeastMinor);
}

cudaError_t prepare_device(ferryx_device& device, const Overrides& overrides) {
  cudaError_t error = cudaDeviceGetStreamPriorityRange(&device.least_urgent, &device.most_urgent);
  if (error == cudaSuccess) error = device.clock.start();
  if (error == cudaSuccess) error = Transfers::create(device.index, overrides, &device.transfers);
  return error;
}

}  // namespace

// Called twice: by close(), and by a handler of our own that open_device registers. Handlers
// of exit() run in reverse order of registration, and CUDA registers its teardown when a device is
// opened. The runtime's handler, which calls close(), may be older than that and then runs after
// the teardown; ours is registered after CUDA's and runs before it. The second call does nothing.
void leave_cuda() {
  // A forked child inherits the handler but none of the threads, and CUDA does not work in it.
  if (getpid() != devices().process || !gate.is_open()) return;
  const std::vector<ferryx_device*> all = opened_devices();
  const Clock::time_point deadline = Clock::now() + kPatienceAtExit;
  // First let the progress threads submit tasks that were held behind work of the host.
  poll_until(deadline, [&] {
    return std::all_of(all.begin(), all.end(),
                       [](ferryx_device* device) { return device->progress.is_still(); });
  });
  if (!gate.close()) return;
  for (ferryx_device* device : all)
    device->progress.pause();
  const bool is_done = poll_until(deadline, [&] {
    return gate.is_empty() && std::all_of(all.begin(), all.end(), [](ferryx_device* device) {
             return device->streams.are_idle();
           });
  });
  gate.settle(is_done ? Gate::State::kDone : Gate::State::kCutOff);
}

int count_devices(uint32_t& count) {
  int found = 0;
  const cudaError_t error = cudaGetDeviceCount(&found);
  if (error == cudaSuccess && found > 0) {
    count = static_cast<uint32_t>(found);
    CurrentDevice::is_only_one = found == 1;
    return ACL_RT_SUCCESS;
  }
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  return fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "%s",
              why_no_device(describe(error), driver, runtime).c_str());
}

std::string bus_id_of(const cudaDeviceProp& properties) {
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.0",
                static_cast<unsigned>(properties.pciDomainID) & 0xFFFF,
                static_cast<unsigned>(properties.pciBusID) & 0xFF,
                static_cast<unsigned>(properties.pciDeviceID) & 0xFF);
  return text;
}

int open_device(int index, const Overrides& overrides, ferryx_device** device) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  const CurrentDevice current(index);
  cudaDeviceProp properties{};
  cudaError_t error = cudaGetDeviceProperties(&properties, index);
  if (error != cudaSuccess) return fail_opening(index, error, "querying its properties");
  if (const int refused = check_capability(properties, index); refused != ACL_RT_SUCCESS) {
    return refused;
  }
  auto opened = std::make_unique<ferryx_device>(index);
  opened->name = properties.name;
  opened->bus_id = bus_id_of(properties);
  error = prepare_device(*opened, overrides);
  if (error != cudaSuccess) return fail_opening(index, error, "setting up the GPU");
  if (!opened->progress.start()) {
    return fail(ACL_ERROR_RT_DEV_SETUP_ERROR,
                "CUDA device %d cannot be opened: its thread cannot be started", index);
  }
  {
    const std::lock_guard lock(devices().mutex);
    *device = opened.release();
    devices().opened.push_back(*device);
  }
  std::atexit(leave_cuda);  // per device: opening one may make CUDA register another handler
  open_mappings_to(**device);
  return ACL_RT_SUCCESS;
}

void log_trouble(const Trouble& trouble) {
  if (!trouble.ok()) services->log(2, trouble.text.c_str());
}

std::vector<ferryx_device*> opened_devices() {
  const std::lock_guard lock(devices().mutex);
  return devices().opened;
}

int enable_peer(ferryx_device& device, ferryx_device& peer) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  const CurrentDevice current(device.index);
  int can_access = 0;
  cudaError_t error = cudaDeviceCanAccessPeer(&can_access, device.index, peer.index);
  if (error != cudaSuccess) return fail(device.check(error, "asking for peer access"));
  // Without peer access copies go through the host: slower, but they work.
  if (can_access == 0) return ACL_RT_SUCCESS;
  error = cudaDeviceEnablePeerAccess(peer.index, 0);
  if (error != cudaSuccess && error != cudaErrorPeerAccessAlreadyEnabled) {
    return fail(device.check(error, "enabling peer access"));
  }
  cudaGetLastError();
  {
    const std::lock_guard lock(devices().mutex);
    devices().peers.insert({device.index, peer.index});
  }
  live_memory().note_change();
  return ACL_RT_SUCCESS;
}

int disable_peer(ferryx_device& device, ferryx_device& peer) {
  const Gate::Pass pass(gate);
  if (!pass) return ACL_RT_SUCCESS;
  {
    const std::lock_guard lock(devices().mutex);
    if (devices().peers.erase({device.index, peer.index}) == 0) return ACL_RT_SUCCESS;
  }
  live_memory().note_change();
  const CurrentDevice current(device.index);
  // Work submitted earlier may still access the peer's memory.
  cudaError_t error = insist(cudaDeviceSynchronize);
  if (error == cudaSuccess) error = cudaDeviceDisablePeerAccess(peer.index);
  return fail(device.check(error, "disabling peer access"));
}

bool reaches(const ferryx_device& device, int other) {
  if (device.index == other) return true;
  const std::lock_guard lock(devices().mutex);
  return devices().peers.count({device.index, other}) > 0;
}

}  // namespace ferry::cuda

ferry::cuda::Trouble ferryx_device::explain(cudaError_t error, const char* doing) {
  const ferry::cuda::CudaError described = ferry::cuda::describe(error);
  if (!ferry::cuda::is_fatal(described.number)) return ferry::cuda::translate(described, doing);
  const std::lock_guard lock(failure_mutex_);
  if (failure_.ok()) {
    failure_ = ferry::cuda::unusable_device(index, described);
    ferry::cuda::services->log(1, failure_.text.c_str());
  }
  return failure_;
}

void ferryx_device::refresh_live_ranges() {
  const std::lock_guard lock(live_mutex_);
  const uint64_t epoch = ferry::cuda::live_memory().epoch();
  if (!live.is_of(epoch)) live.update(ferry::cuda::live_memory().reachable_from(*this), epoch);
}
