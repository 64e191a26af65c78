// SPDX-License-Identifier: Apache-2.0
// Taking the runtime's texts apart.
#include "layers/check/rules/refusal.h"

#include "base/error_state.h"

namespace ferry::layers::check {

std::string refusal_text(const Call& call) {
  const std::string start = std::string(call.name()) + ": ";
  std::string text = peek_recent_text();
  if (text.compare(0, start.size(), start) != 0) return start + "the call was refused";
  const size_t code = text.rfind(" (E");
  if (code != std::string::npos && text.back() == ')') text.resize(code);
  return text;
}

std::string_view blamed_argument(std::string_view text) {
  const size_t start = text.find(": ");
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + 2);
  const size_t end = text.find(" is ");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end);
  return text.find(' ') == std::string_view::npos ? text : std::string_view();
}

}  // namespace ferry::layers::check
