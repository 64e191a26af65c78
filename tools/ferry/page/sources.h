// SPDX-License-Identifier: Apache-2.0
// The files of the page as text. embed.cmake writes the definitions when the program is built.
#pragma once

#include <string_view>
#include <vector>

namespace ferry::tools::page {

std::string_view html();
std::string_view style();
std::vector<std::string_view> scripts();  // in the order in which they run

}  // namespace ferry::tools::page
