// SPDX-License-Identifier: Apache-2.0
// The launchers of kernels/kernels.h, without kernels: the host moves the bytes, on the stream.
#include "backends/cuda/kernels/kernels.h"
#include "gpu.h"

#include <cstring>
#include <vector>

namespace ferry::cuda {
namespace {

using host_gpu::Access;
using host_gpu::memory;

char* reach(int device, uint64_t address, uint64_t size) {
  return memory().reach(device, reinterpret_cast<const void*>(address), size, Access::kKernel);
}

bool move(int device, uint64_t dst, uint64_t src, uint64_t size) {
  char* const to = reach(device, dst, size);
  const char* const from = reach(device, src, size);
  if (to == nullptr || from == nullptr) {
    host_gpu::break_device(device, "a kernel");
    return false;
  }
  std::memmove(to, from, size);
  return true;
}

template <class Body>
cudaError_t start(cudaStream_t stream, Body body) {
  const int device = host_gpu::device_of(stream);
  if (const cudaError_t failed = host_gpu::failure_of(device)) return host_gpu::note(failed);
  host_gpu::submit(stream, [device, body] {
    const std::shared_lock lock(memory().mutex);
    body(device);
  });
  return cudaSuccess;
}

uint64_t address_of(const PairSide& side, uint32_t place) {
  return side.base + (static_cast<uint64_t>(place) << side.shift);
}

void say_done(const DoneWords& done, uint32_t blocks) {
  if (done.words == nullptr) return;
  for (uint32_t i = 0; i < blocks; ++i)
    __atomic_store_n(done.words + i, done.turn, __ATOMIC_RELEASE);
}

void copy_pairs(int device, const PairWork& work, const KernelShape& shape, const DoneWords& done) {
  for (uint64_t i = 0; i < work.count; ++i) {
    const uint64_t word = work.items.words[i];
    if (!move(device, address_of(work.items.dst, static_cast<uint32_t>(word)),
              address_of(work.items.src, static_cast<uint32_t>(word >> 32)), work.items.size)) {
      return;
    }
  }
  say_done(done, shape.blocks);
}

// ---- addresses that are read on the device ----

bool is_live(int device, const Guard& guard, Fault side, uint64_t address, uint64_t size) {
  Lookup found = Lookup::kOutside;
  if (guard.count > 0) {
    const auto* table = reinterpret_cast<const Range*>(
        reach(device, reinterpret_cast<uint64_t>(guard.table), guard.count * sizeof(Range)));
    found = look_up(table, guard.count, address, size);
  }
  if (found == Lookup::kInside) return true;
  guard.fault->is_inside = found == Lookup::kLeaving ? 1 : 0;
  guard.fault->address = address;
  guard.fault->size = size;
  __atomic_store_n(&guard.fault->code, static_cast<uint32_t>(side), __ATOMIC_RELEASE);
  return false;
}

void copy_live(int device, const Guard& guard, uint64_t dst, uint64_t src, uint64_t size) {
  if (is_live(device, guard, Fault::kDst, dst, size) &&
      is_live(device, guard, Fault::kSrc, src, size)) {
    move(device, dst, src, size);
  }
}

template <class T>
bool read(int device, const Guard& guard, Fault side, const void* address, T& value) {
  const auto number = reinterpret_cast<uint64_t>(address);
  if (!is_live(device, guard, side, number, sizeof value)) return false;
  std::memcpy(&value, reach(device, number, sizeof value), sizeof value);
  return true;
}

}  // namespace

cudaError_t launch_list(cudaStream_t stream, const ListWork& work, const KernelShape& /*shape*/) {
  return start(stream, [work](int device) {
    for (uint64_t i = 0; i < work.summary.count; ++i) {
      if (!move(device, work.items.dst[i], work.items.src[i], work.items.size[i])) return;
    }
  });
}

cudaError_t launch_pairs(cudaStream_t stream, const PairWork& work, const KernelShape& shape,
                         const DoneWords& done) {
  return start(stream, [=](int device) { copy_pairs(device, work, shape, done); });
}

cudaError_t launch_inline_pairs(cudaStream_t stream, const PairWork& work, const KernelShape& shape,
                                const DoneWords& done) {
  std::vector<uint64_t> words(work.items.words, work.items.words + work.count);
  return start(stream, [=, words = std::move(words)](int device) {
    PairWork own = work;
    own.items.words = const_cast<uint64_t*>(words.data());
    copy_pairs(device, own, shape, done);
  });
}

cudaError_t launch_rows(cudaStream_t stream, const RowWork& work, const KernelShape& /*shape*/) {
  return start(stream, [work](int device) {
    for (uint64_t row = 0; row < work.height; ++row) {
      if (!move(device, work.dst + row * work.dst_pitch, work.src + row * work.src_pitch,
                work.width)) {
        return;
      }
    }
  });
}

cudaError_t launch_described(cudaStream_t stream, const void* descriptor, const Guard& guard,
                             const KernelShape& /*shape*/) {
  return start(stream, [=](int device) {
    ferryx_descriptor read_here{};
    if (!read(device, guard, Fault::kDescriptor, descriptor, read_here)) return;
    const uint64_t size = read_here.size == 0 ? uint64_t{1} << 32 : read_here.size;
    copy_live(device, guard, read_here.dst, read_here.src, size);
  });
}

cudaError_t launch_indirect(cudaStream_t stream, const ferryx_indirect& copy, const Guard& guard,
                            const KernelShape& /*shape*/) {
  return start(stream, [=](int device) {
    uint64_t dst = 0;
    uint64_t src = 0;
    if (!read(device, guard, Fault::kDst, copy.dst_pointer, dst)) return;
    if (!read(device, guard, Fault::kSrc, copy.src_pointer, src)) return;
    copy_live(device, guard, dst + copy.dst_offset, src + copy.src_offset, copy.size);
  });
}

cudaError_t launch_fill(cudaStream_t stream, const FillWork& work, const KernelShape& /*shape*/) {
  return start(stream, [work](int device) {
    char* const start = reach(device, work.dst, work.size);
    if (start == nullptr) return host_gpu::break_device(device, "a fill kernel");
    for (uint64_t i = 0; i < work.size; ++i)
      start[i] = static_cast<char>(work.value >> i % 4 * 8);
  });
}

}  // namespace ferry::cuda
