// SPDX-License-Identifier: Apache-2.0
// The table of texts of a trace.
#include "trace/trace.h"

namespace ferry::tools::trace {

TextId Texts::id_of(std::string_view text) {
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const auto id = static_cast<TextId>(texts_.size());
  texts_.emplace_back(text);
  ids_.emplace(texts_.back(), id);
  return id;
}

TextId Texts::find(std::string_view text) const {
  const auto known = ids_.find(text);
  return known != ids_.end() ? known->second : kNoText;
}

}  // namespace ferry::tools::trace
