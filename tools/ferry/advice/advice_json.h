// SPDX-License-Identifier: Apache-2.0
// Advice for machines and for the page.
#pragma once

#include "advice/advice.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace ferry::tools::advice {

// An array; times are nanoseconds.
nlohmann::ordered_json advice_json(const std::vector<Advice>& list, const NameOfSite& name_of);

}  // namespace ferry::tools::advice
