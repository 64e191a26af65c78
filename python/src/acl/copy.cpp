// SPDX-License-Identifier: Apache-2.0
// acl.rt: copies and sets. Batches are in copy_batch.cpp.
#include "binding.h"
#include "chapters.h"

namespace ferry::python {
namespace {

void add_plain(nb::module_& rt) {
  bind<aclrtMemcpy>(rt, "memcpy",
                    "(dst: int, dest_max: int, src: int, count: int, kind: int, /) -> int",
                    "Copies count bytes and returns when they have arrived (aclrtMemcpy).");
  constexpr const char* kAsync =
      "(dst: int, dest_max: int, src: int, count: int, kind: int, stream: int, /) -> int";
  bind<aclrtMemcpyAsync>(rt, "memcpy_async", kAsync,
                         "Copies count bytes in the order of a stream (aclrtMemcpyAsync).");
  bind<aclrtMemcpyAsyncWithCondition>(
      rt, "memcpy_async_with_condition", kAsync,
      "Like memcpy_async; deprecated (aclrtMemcpyAsyncWithCondition).");
  bind<aclrtMemcpy2d>(rt, "memcpy2d",
                      "(dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, "
                      "kind: int, /) -> int",
                      "Copies rows (aclrtMemcpy2d).");
  bind<aclrtMemcpy2dAsync>(rt, "memcpy2d_async",
                           "(dst: int, dpitch: int, src: int, spitch: int, width: int, "
                           "height: int, kind: int, stream: int, /) -> int",
                           "Copies rows in the order of a stream (aclrtMemcpy2dAsync).");
  bind<aclrtMemset>(rt, "memset", "(ptr: int, max_count: int, value: int, count: int, /) -> int",
                    "Sets count bytes to a value (aclrtMemset).");
  bind<aclrtMemsetAsync>(
      rt, "memset_async",
      "(ptr: int, max_count: int, value: int, count: int, stream: int, /) -> int",
      "Sets count bytes to a value in the order of a stream (aclrtMemsetAsync).");
}

std::tuple<uintptr_t, aclError> set_memcpy_desc(Address desc, Number<int32_t> kind, Address src,
                                                Address dst, Number<size_t> count, Address config) {
  const aclError code = unlocked([&] {
    return aclrtSetMemcpyDesc(pointer_of<void>(desc), to_c<aclrtMemcpyKind>(kind),
                              pointer_of<void>(src), pointer_of<void>(dst), count.value,
                              pointer_of<void>(config));
  });
  return {desc.value, code};
}

void add_descriptors(nb::module_& rt) {
  bind_outputs_last<aclrtGetMemcpyDescSize>(
      rt, "get_memcpy_desc_size", "(kind: int, /) -> tuple[int, int]",
      "Size of a descriptor in bytes; kind is 6 (aclrtGetMemcpyDescSize).");
  define(rt, "set_memcpy_desc",
         "(desc: int, kind: int, src: int, dst: int, count: int, config: int = 0, /) -> "
         "tuple[int, int]",
         "Fills in a descriptor in device memory; src comes before dst (aclrtSetMemcpyDesc).",
         set_memcpy_desc, nb::arg("desc"), nb::arg("kind"), nb::arg("src"), nb::arg("dst"),
         nb::arg("count"), nb::arg("config") = 0);
  bind<aclrtMemcpyAsyncWithDesc>(rt, "memcpy_async_with_desc",
                                 "(desc: int, kind: int, stream: int, /) -> int",
                                 "Copies as the descriptor says when the copy runs "
                                 "(aclrtMemcpyAsyncWithDesc).");
}

}  // namespace

void add_copy(nb::module_& rt) {
  add_plain(rt);
  add_descriptors(rt);
}

}  // namespace ferry::python
