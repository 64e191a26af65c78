// SPDX-License-Identifier: Apache-2.0
// Markdown for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace ferry::tools {

/// Paragraphs and lists wrapped to the width, code as it is, headings bold on a terminal. Of links
/// the text is left, of tables the columns.
std::string rendered_markdown(std::string_view page);

}  // namespace ferry::tools
