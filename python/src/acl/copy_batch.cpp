// SPDX-License-Identifier: Apache-2.0
// acl.rt: many copies in one call. pyACL has no such functions; these take lists where C takes
// arrays, and dicts with the names of the C members where it takes attributes.
#include "binding.h"
#include "chapters.h"
#include "structures.h"

#include <vector>

namespace ferry::python {
namespace {

std::vector<aclrtMemcpyBatchAttr> attributes_of(const Sequence& list) {
  std::vector<aclrtMemcpyBatchAttr> attributes;
  attributes.reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    const Dictionary fields(list[i], "attrs[" + std::to_string(i) + "]");
    aclrtMemcpyBatchAttr attribute{};
    attribute.dstLoc = location_of(fields, "dstLoc");
    attribute.srcLoc = location_of(fields, "srcLoc");
    copy_reserved_bytes(fields, "rsv", attribute.rsv, sizeof attribute.rsv);
    attributes.push_back(attribute);
  }
  return attributes;
}

// The arguments of a batch, read from lists. Lengths are compared after reading, which runs code of
// the program.
struct Batch {
  Batch(const nb::object& dst_list, const nb::object& dest_max_list, const nb::object& src_list,
        const nb::object& size_list, const nb::object& attr_list, const nb::object& index_list)
      : dsts(pointers_of(dst_list, "dsts")),
        dest_maxs(numbers_of<size_t>(Sequence(dest_max_list, "dest_maxs"))),
        srcs(pointers_of(src_list, "srcs")),
        sizes(numbers_of<size_t>(Sequence(size_list, "sizes"))),
        attrs(attributes_of(Sequence(attr_list, "attrs"))),
        indexes(numbers_of<size_t>(Sequence(index_list, "attrs_indexes"))) {
    require_equal("dsts", dsts.size(), "dest_maxs", dest_maxs.size());
    require_equal("dsts", dsts.size(), "srcs", srcs.size());
    require_equal("dsts", dsts.size(), "sizes", sizes.size());
    require_equal("attrs", attrs.size(), "attrs_indexes", indexes.size());
  }

  std::vector<void*> dsts;
  std::vector<size_t> dest_maxs;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
  std::vector<aclrtMemcpyBatchAttr> attrs;
  std::vector<size_t> indexes;
};

std::tuple<size_t, aclError> memcpy_batch(const nb::object& dsts, const nb::object& dest_maxs,
                                          const nb::object& srcs, const nb::object& sizes,
                                          const nb::object& attrs,
                                          const nb::object& attrs_indexes) {
  Batch batch(dsts, dest_maxs, srcs, sizes, attrs, attrs_indexes);
  size_t fail_index = SIZE_MAX;
  const aclError code = unlocked([&] {
    return aclrtMemcpyBatch(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                            batch.sizes.data(), batch.dsts.size(), batch.attrs.data(),
                            batch.indexes.data(), batch.attrs.size(), &fail_index);
  });
  return {fail_index, code};
}

// Has the parameters of the Python function.
// NOLINTNEXTLINE(readability-function-size)
std::tuple<size_t, aclError> memcpy_batch_async(const nb::object& dsts, const nb::object& dest_maxs,
                                                const nb::object& srcs, const nb::object& sizes,
                                                const nb::object& attrs,
                                                const nb::object& attrs_indexes, Address stream) {
  Batch batch(dsts, dest_maxs, srcs, sizes, attrs, attrs_indexes);
  size_t fail_index = SIZE_MAX;
  const aclError code = unlocked([&] {
    return aclrtMemcpyBatchAsync(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                                 batch.sizes.data(), batch.dsts.size(), batch.attrs.data(),
                                 batch.indexes.data(), batch.attrs.size(), &fail_index,
                                 pointer_of<void>(stream));
  });
  return {fail_index, code};
}

}  // namespace

void add_copy_batch(nb::module_& rt) {
  define(rt, "memcpy_batch",
         "(dsts: list[int], dest_maxs: list[int], srcs: list[int], sizes: list[int], "
         "attrs: list[dict[str, Any]], attrs_indexes: list[int], /) -> tuple[int, int]",
         "Copies many items; returns the index of the faulty one, or 2**64 - 1, and the code.\n"
         "An attribute is {\"dstLoc\": {\"id\": 0, \"type\": 1}, \"srcLoc\": {\"id\": 0, "
         "\"type\": 0}} (aclrtMemcpyBatch).",
         memcpy_batch);
  define(rt, "memcpy_batch_async",
         "(dsts: list[int], dest_maxs: list[int], srcs: list[int], sizes: list[int], "
         "attrs: list[dict[str, Any]], attrs_indexes: list[int], stream: int, /) -> "
         "tuple[int, int]",
         "memcpy_batch in the order of a stream (aclrtMemcpyBatchAsync).", memcpy_batch_async);
}

}  // namespace ferry::python
