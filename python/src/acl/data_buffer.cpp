// SPDX-License-Identifier: Apache-2.0
// acl: data buffers, an address with a size. They do not own the memory.
#include "binding.h"
#include "chapters.h"

namespace ferry::python {

void add_data_buffer(nb::module_& acl) {
  bind<aclCreateDataBuffer>(acl, "create_data_buffer", "(ptr: int, size: int, /) -> int",
                            "Creates a data buffer; 0 on failure (aclCreateDataBuffer).");
  bind<aclDestroyDataBuffer>(acl, "destroy_data_buffer", "(buf: int, /) -> int",
                             "Destroys a data buffer, not its memory (aclDestroyDataBuffer).");
  bind<aclGetDataBufferAddr, Gil::kKept>(acl, "get_data_buffer_addr", "(buf: int, /) -> int",
                                         "Address in a data buffer (aclGetDataBufferAddr).");
  bind<aclGetDataBufferSizeV2, Gil::kKept>(acl, "get_data_buffer_size_v2", "(buf: int, /) -> int",
                                           "Size in a data buffer (aclGetDataBufferSizeV2).");
  bind<aclGetDataBufferSize, Gil::kKept>(
      acl, "get_data_buffer_size", "(buf: int, /) -> int",
      "Size in a data buffer, cut to 32 bits; deprecated (aclGetDataBufferSize).");
  bind<aclUpdateDataBuffer>(acl, "update_data_buffer", "(buf: int, ptr: int, size: int, /) -> int",
                            "Changes the address and size in a data buffer (aclUpdateDataBuffer).");
}

}  // namespace ferry::python
