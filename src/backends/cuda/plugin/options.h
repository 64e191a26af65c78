// SPDX-License-Identifier: Apache-2.0
// The settings of this backend as the runtime passes them: entries of FERRY_DEVICES and options
// from variables FERRY_CUDA_<KEY>. No CUDA header is needed here.
#pragma once

#include "backends/cuda/transfer/plan.h"

#include "ferry/backend.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferry::cuda {

// Each parser returns "" or one line that says what is wrong.

// An entry is the text after the colon: the number of a GPU, 0 to 64. nullptr, which becomes
// nullopt, stands for all GPUs.
std::string parse_entry(const char* entry, std::optional<uint32_t>& gpu);

// Lines "key=value"; nullptr: none. Keys are batch (auto, engine or kernel) and sms (1 or more). An
// empty value means the default, as an empty variable does.
std::string parse_options(const char* options, Overrides& overrides);

// Writes to counts[i] the number of devices of entry i: 1, or FERRYX_ALL.
std::string check_entries(const ferryx_settings& settings, uint32_t* counts);

// The CUDA ordinals of the devices, in the order of the entries, on a machine with `gpus` GPUs.
// Writes to counts[i] the number of devices of entry i.
std::string list_ordinals(const ferryx_settings& settings, uint32_t gpus, uint32_t* counts,
                          std::vector<int>& ordinals);

}  // namespace ferry::cuda
