// SPDX-License-Identifier: Apache-2.0
// The products Ferry can emulate (FERRY_SOC) and their features. A new product is a row in soc.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ferry {

// A product family, as far as the copy runtime can distinguish them.
struct ProductTraits {
  const char* family;
  bool batch_copy;             // aclrtMemcpyBatch*
  bool descriptor_copy;        // aclrtSetMemcpyDesc, aclrtMemcpyAsyncWithDesc, ...WithOffset
  bool fill_d32;               // aclrtMemsetD32*
  bool copy_2d_inside_device;  // aclrtMemcpy2dAsync between two device addresses
  bool peer_access_needed;     // copies between devices need aclrtDeviceEnablePeerAccess first
  bool has_links;              // mappings by a chosen link, and large pages for peers
  bool managed_memory;         // aclrtMemAllocManaged, aclrtMemManaged*
  bool cache_operations;       // aclrtCmo*
  bool memory_p2p_map;         // aclrtMemP2PMap
  bool snapshots;              // aclrtSnapShotProcess*
  bool counting_notify;        // aclrtCntNotify*
  size_t descriptor_size;      // bytes of a memcpy descriptor; 0 without descriptors
};

struct Soc {
  const char* name;  // as returned by aclrtGetSocName
  const ProductTraits* traits;
  uint32_t cube_cores = 24;
  uint32_t vector_cores = 48;
};

std::span<const Soc> known_socs();

// nullptr when the name is not known.
const Soc* find_soc(std::string_view name);

}  // namespace ferry
