// SPDX-License-Identifier: Apache-2.0
// Tensor exchange by DLPack: the structures of its binary interface (versions 0.x and 1.x),
// exporting a Region, and taking the address of another library's tensor.
#ifndef FERRY_PYTHON_DLPACK_H
#define FERRY_PYTHON_DLPACK_H

#include "memory.h"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>

namespace ferry::python::dlpack {

constexpr int32_t kCpu = 1;
constexpr int32_t kCudaHost = 3;
constexpr int32_t kExternalDevice = 12;  // the device type of tensors on an NPU
constexpr uint8_t kUnsignedInteger = 1;
constexpr uint64_t kReadOnly = 1;

struct Device {
  int32_t type;
  int32_t id;
};

struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; may be null for a contiguous tensor
  uint64_t byte_offset;
};

struct ManagedTensor {
  Tensor tensor;
  void* manager;
  void (*deleter)(ManagedTensor*);
};

struct Version {
  uint32_t major;
  uint32_t minor;
};

struct ManagedTensorVersioned {
  Version version;
  void* manager;
  void (*deleter)(ManagedTensorVersioned*);
  uint64_t flags;
  Tensor tensor;
};

// A consumed tensor. Its holder must call release() once.
struct Taken {
  ManagedTensor* plain = nullptr;
  ManagedTensorVersioned* versioned = nullptr;

  const Tensor& tensor() const { return plain != nullptr ? plain->tensor : versioned->tensor; }
  bool is_read_only() const { return versioned != nullptr && (versioned->flags & kReadOnly) != 0; }
  bool is_contiguous() const;
  size_t nbytes() const;
  void release() const;
};

// Gets the tensor of an object with the method __dlpack__. Throws what the object raises.
Taken take(nanobind::handle object);

}  // namespace ferry::python::dlpack

namespace ferry::python {

// A capsule with the region as a tensor of bytes. It keeps the memory alive.
nanobind::object export_region(const Region& region, bool is_versioned);

}  // namespace ferry::python

#endif
