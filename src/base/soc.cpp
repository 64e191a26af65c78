// SPDX-License-Identifier: Apache-2.0
// The table of products.
#include "base/soc.h"

#include <algorithm>

namespace ferry {
namespace {

constexpr ProductTraits kA2{.family = "A2",
                            .batch_copy = true,
                            .descriptor_copy = true,
                            .fill_d32 = true,
                            .copy_2d_inside_device = true,
                            .peer_access_needed = true,
                            .has_links = false,
                            .managed_memory = true,
                            .cache_operations = true,
                            .memory_p2p_map = true,
                            .snapshots = true,
                            .counting_notify = false,
                            .descriptor_size = 32};
constexpr ProductTraits kA3{.family = "A3",
                            .batch_copy = true,
                            .descriptor_copy = true,
                            .fill_d32 = true,
                            .copy_2d_inside_device = true,
                            .peer_access_needed = false,
                            .has_links = true,
                            .managed_memory = true,
                            .cache_operations = true,
                            .memory_p2p_map = true,
                            .snapshots = true,
                            .counting_notify = false,
                            .descriptor_size = 32};
constexpr ProductTraits k950{.family = "950",
                             .batch_copy = true,
                             .descriptor_copy = true,
                             .fill_d32 = true,
                             .copy_2d_inside_device = true,
                             .peer_access_needed = false,
                             .has_links = false,
                             .managed_memory = false,
                             .cache_operations = true,
                             .memory_p2p_map = true,
                             .snapshots = false,
                             .counting_notify = true,
                             .descriptor_size = 64};
constexpr ProductTraits kEarlier{.family = "earlier",
                                 .batch_copy = false,
                                 .descriptor_copy = false,
                                 .fill_d32 = false,
                                 .copy_2d_inside_device = false,
                                 .peer_access_needed = true,
                                 .has_links = false,
                                 .managed_memory = false,
                                 .cache_operations = false,
                                 .memory_p2p_map = true,
                                 .snapshots = false,
                                 .counting_notify = false,
                                 .descriptor_size = 0};

constexpr ProductTraits k310B = [] {
  ProductTraits traits = kEarlier;
  traits.memory_p2p_map = false;
  return traits;
}();

constexpr Soc kSocs[] = {
    {"Ascend910B1", &kA2},         {"Ascend910B2", &kA2},         {"Ascend910B2C", &kA2},
    {"Ascend910B3", &kA2, 20, 40}, {"Ascend910B4", &kA2, 20, 40}, {"Ascend910B4-1", &kA2, 20, 40},
    {"Ascend910_9362", &kA3},      {"Ascend910_9372", &kA3},      {"Ascend910_9381", &kA3},
    {"Ascend910_9382", &kA3},      {"Ascend910_9391", &kA3},      {"Ascend910_9392", &kA3},
    {"Ascend950PR_9579", &k950},   {"Ascend950PR_9589", &k950},   {"Ascend950PR_9599", &k950},
    {"Ascend950DT_9582", &k950},   {"Ascend910A", &kEarlier},     {"Ascend910B", &kEarlier},
    {"Ascend910ProA", &kEarlier},  {"Ascend910ProB", &kEarlier},  {"Ascend910PremiumA", &kEarlier},
    {"Ascend310P1", &kEarlier},    {"Ascend310P3", &kEarlier},    {"Ascend310P5", &kEarlier},
    {"Ascend310P7", &kEarlier},    {"Ascend310B1", &k310B},       {"Ascend310B2", &k310B},
    {"Ascend310B3", &k310B},       {"Ascend310B4", &k310B},
};

}  // namespace

std::span<const Soc> known_socs() {
  return kSocs;
}

const Soc* find_soc(std::string_view name) {
  const auto* found = std::find_if(std::begin(kSocs), std::end(kSocs),
                                   [&](const Soc& soc) { return soc.name == name; });
  return found == std::end(kSocs) ? nullptr : found;
}

}  // namespace ferry
