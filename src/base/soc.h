// SPDX-License-Identifier: Apache-2.0
// The products Ferry can play (FERRY_SOC) and what each of them has. A new product is a row in
// soc.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ferry {

// A product family, as far as the copy runtime can tell them apart.
struct ProductTraits {
  const char* family;
  bool batch_copy;             // aclrtMemcpyBatch*
  bool descriptor_copy;        // aclrtSetMemcpyDesc, aclrtMemcpyAsyncWithDesc, ...WithOffset
  bool fill_d32;               // aclrtMemsetD32*
  bool copy_2d_inside_device;  // aclrtMemcpy2dAsync between two device addresses
  bool peer_access_needed;     // copies between devices need aclrtDeviceEnablePeerAccess first
  size_t descriptor_size;      // bytes of a memcpy descriptor; 0 where there is none
};

struct Soc {
  const char* name;  // what aclrtGetSocName answers
  const ProductTraits* traits;
};

std::span<const Soc> known_socs();

// nullptr when the name is not known.
const Soc* find_soc(std::string_view name);

}  // namespace ferry
