// SPDX-License-Identifier: Apache-2.0
// The kernel does the reading: it has this process's rights and returns EFAULT instead of raising a
// signal. Where that system call is forbidden (a sandbox), only what the library knows as device
// memory is refused.
#include "host_read.h"

#include "acl/acl.h"

#include <nanobind/nanobind.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace ferry::python {
namespace {

bool is_device_memory(const void* address) {
  aclrtPtrAttributes attributes{};
  return aclrtPointerGetAttributes(address, &attributes) == ACL_SUCCESS &&
         attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE;
}

enum class Answer { kRead, kNotReadable, kMayNotAsk };

Answer ask_kernel(void* target, size_t target_size, const iovec* pieces, size_t count) {
  const iovec local{target, target_size};
  const ssize_t bytes = process_vm_readv(getpid(), &local, 1, pieces, count, 0);
  if (bytes == static_cast<ssize_t>(target_size)) return Answer::kRead;
  if (bytes < 0 && (errno == EPERM || errno == ENOSYS)) return Answer::kMayNotAsk;
  return Answer::kNotReadable;
}

}  // namespace

bool read_host_memory(void* target, const void* source, size_t size) {
  constexpr size_t kPiece = size_t{1} << 30U;  // the kernel copies less than 2 GiB per call
  for (size_t done = 0; done < size;) {
    const size_t step = std::min(kPiece, size - done);
    char* const to = static_cast<char*>(target) + done;
    const char* const from = static_cast<const char*>(source) + done;
    const iovec piece{const_cast<char*>(from), step};
    const Answer answer = ask_kernel(to, step, &piece, 1);
    if (answer == Answer::kNotReadable) return false;
    if (answer == Answer::kMayNotAsk) {
      if (source == nullptr || is_device_memory(from)) return false;
      std::memcpy(to, from, step);
    }
    done += step;
  }
  return true;
}

bool can_read_host_memory(const void* source, size_t size) {
  // One byte per page, many pages per call.
  constexpr size_t kPieces = 512;
  static const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::array<iovec, kPieces> pieces{};
  std::array<char, kPieces> bytes{};
  auto address = reinterpret_cast<uintptr_t>(source);
  if (address > UINTPTR_MAX - size) return false;
  const uintptr_t end = address + size;
  while (address < end) {
    size_t count = 0;
    for (; count < kPieces && address < end; ++count) {
      pieces[count] = {reinterpret_cast<void*>(address), 1};
      address = (address / page + 1) * page;
    }
    const Answer answer = ask_kernel(bytes.data(), count, pieces.data(), count);
    if (answer == Answer::kNotReadable) return false;
    if (answer == Answer::kMayNotAsk) return source != nullptr && !is_device_memory(source);
  }
  return true;
}

void raise_not_readable(uintptr_t address, size_t size) {
  const void* const pointer = reinterpret_cast<void*>(address);
  const char* what = "memory the host cannot read";
  if (pointer == nullptr) what = "no memory (NULL)";
  if (is_device_memory(pointer)) what = "device memory, copy it to the host first";
  PyErr_Format(PyExc_ValueError, "ptr is %p and size is %zu: this is %s", pointer, size, what);
  throw nanobind::python_error();
}

}  // namespace ferry::python
