// SPDX-License-Identifier: Apache-2.0
// Declares the few functions and constants of OpenCL 1.2 that are needed.
#include "bench/opencl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

namespace ferry::bench {
namespace {

constexpr uint64_t kDeviceTypeCpu = 1 << 1;
constexpr uint64_t kMemReadWrite = 1 << 0;
constexpr uint32_t kPlatformName = 0x0902;
constexpr uint32_t kFalse = 0;
constexpr uint32_t kTrue = 1;

void check_opencl(int code, const char* function) {
  if (code != 0) throw std::runtime_error(fmt::format("{} failed: {}", function, code));
}

}  // namespace

// Handles are opaque pointers, events included.
struct OpenCl::Functions {
  using Handle = void*;
  int (*get_platforms)(uint32_t, Handle*, uint32_t*);
  int (*get_platform_info)(Handle, uint32_t, size_t, void*, size_t*);
  int (*get_devices)(Handle, uint64_t, uint32_t, Handle*, uint32_t*);
  Handle (*create_context)(const intptr_t*, uint32_t, const Handle*, void*, void*, int*);
  Handle (*create_queue)(Handle, Handle, uint64_t, int*);
  Handle (*create_buffer)(Handle, uint64_t, size_t, void*, int*);
  int (*enqueue_write)(Handle, Handle, uint32_t, size_t, size_t, const void*, uint32_t,
                       const Handle*, Handle*);
  int (*enqueue_read)(Handle, Handle, uint32_t, size_t, size_t, void*, uint32_t, const Handle*,
                      Handle*);
  int (*enqueue_marker)(Handle, uint32_t, const Handle*, Handle*);
  int (*enqueue_barrier)(Handle, uint32_t, const Handle*, Handle*);
  int (*finish)(Handle);
  int (*release_event)(Handle);
  int (*release_buffer)(Handle);
  int (*release_queue)(Handle);
  int (*release_context)(Handle);

  // Returns the name of a missing function, or null.
  const char* load(void* library);
  // Finds the first CPU device of any platform.
  Handle find_cpu(std::string& platform_name) const;
};

const char* OpenCl::Functions::load(void* library) {
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    void* const symbol = dlsym(library, name);
    if (symbol == nullptr) missing = name;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  find(get_platforms, "clGetPlatformIDs");
  find(get_platform_info, "clGetPlatformInfo");
  find(get_devices, "clGetDeviceIDs");
  find(create_context, "clCreateContext");
  find(create_queue, "clCreateCommandQueue");
  find(create_buffer, "clCreateBuffer");
  find(enqueue_write, "clEnqueueWriteBuffer");
  find(enqueue_read, "clEnqueueReadBuffer");
  find(enqueue_marker, "clEnqueueMarkerWithWaitList");
  find(enqueue_barrier, "clEnqueueBarrierWithWaitList");
  find(finish, "clFinish");
  find(release_event, "clReleaseEvent");
  find(release_buffer, "clReleaseMemObject");
  find(release_queue, "clReleaseCommandQueue");
  find(release_context, "clReleaseContext");
  return missing;
}

void* OpenCl::Functions::find_cpu(std::string& platform_name) const {
  constexpr uint32_t kMostPlatforms = 16;
  Handle platforms[kMostPlatforms];
  uint32_t count = 0;
  if (get_platforms(kMostPlatforms, platforms, &count) != 0) return nullptr;
  for (uint32_t i = 0; i < count && i < kMostPlatforms; ++i) {
    Handle device = nullptr;
    if (get_devices(platforms[i], kDeviceTypeCpu, 1, &device, nullptr) != 0) continue;
    char text[128] = "OpenCL";
    static_cast<void>(get_platform_info(platforms[i], kPlatformName, sizeof text, text, nullptr));
    platform_name = text;
    if (platform_name == "Portable Computing Language") platform_name = "PoCL";
    return device;
  }
  return nullptr;
}

OpenCl::OpenCl() : functions_(std::make_unique<Functions>()) {
  void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    missing_ = "OpenCL is not installed (Debian: pocl-opencl-icd)";
    return;
  }
  if (const char* function = functions_->load(library)) {
    missing_ = fmt::format("libOpenCL.so.1 has no {}", function);
    return;
  }
  void* device = functions_->find_cpu(name_);
  if (device == nullptr) {
    missing_ = "OpenCL has no CPU device (Debian: pocl-opencl-icd)";
    return;
  }
  int code = 0;
  context_ = functions_->create_context(nullptr, 1, &device, nullptr, nullptr, &code);
  check_opencl(code, "clCreateContext");
  queue_ = functions_->create_queue(context_, device, 0, &code);
  check_opencl(code, "clCreateCommandQueue");
  other_queue_ = functions_->create_queue(context_, device, 0, &code);
  check_opencl(code, "clCreateCommandQueue");
  buffer_ = functions_->create_buffer(context_, kMemReadWrite, kBytes, nullptr, &code);
  check_opencl(code, "clCreateBuffer");
}

OpenCl::~OpenCl() {
  if (buffer_ == nullptr) return;
  functions_->release_buffer(buffer_);
  functions_->release_queue(other_queue_);
  functions_->release_queue(queue_);
  functions_->release_context(context_);
}

void OpenCl::enqueue_write(const std::byte* from) const {
  check_opencl(
      functions_->enqueue_write(queue_, buffer_, kFalse, 0, kBytes, from, 0, nullptr, nullptr),
      "clEnqueueWriteBuffer");
}

void OpenCl::finish() const {
  check_opencl(functions_->finish(queue_), "clFinish");
}

void OpenCl::read(std::byte* to) const {
  check_opencl(functions_->enqueue_read(queue_, buffer_, kTrue, 0, kBytes, to, 0, nullptr, nullptr),
               "clEnqueueReadBuffer");
}

void OpenCl::cross_queues() const {
  void* event = nullptr;
  check_opencl(functions_->enqueue_marker(queue_, 0, nullptr, &event),
               "clEnqueueMarkerWithWaitList");
  check_opencl(functions_->enqueue_barrier(other_queue_, 1, &event, nullptr),
               "clEnqueueBarrierWithWaitList");
  check_opencl(functions_->finish(other_queue_), "clFinish");
  check_opencl(functions_->release_event(event), "clReleaseEvent");
}

}  // namespace ferry::bench
