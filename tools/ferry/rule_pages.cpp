// SPDX-License-Identifier: Apache-2.0
// The pages are Markdown. A rule without a page is described by what the library says.
#include "rule_pages.h"

#include "errors/edit_distance.h"
#include "markdown.h"
#include "text.h"
#include "texts/texts.h"

#include "ferry/ferry.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferry::tools {
namespace {

std::vector<ferryRule> all_rules() {
  std::vector<ferryRule> rules;
  ferryRule rule{};
  while (ferryGetRule(rules.size(), &rule) == ACL_SUCCESS)
    rules.push_back(rule);
  return rules;
}

// "" for a rule without a page.
std::string_view page_of(std::string_view rule) {
  for (const Text& page : rule_texts()) {
    if (page.name == rule) return page.text;
  }
  return {};
}

void show_paragraph(std::string_view head, std::string_view text) {
  constexpr size_t kIndent = 11;
  fmt::print("  {}{}{}\n", painted(Paint::kBold, head), std::string(kIndent - 2 - head.size(), ' '),
             wrapped(text, kIndent, text_width()));
}

}  // namespace

bool show_rule(std::string_view name, std::string_view separator) {
  const std::vector<ferryRule> rules = all_rules();
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const ferryRule& known) { return name == known.name; });
  if (rule == rules.end()) return false;
  fmt::print("{}", separator);
  if (const std::string_view page = page_of(rule->name); !page.empty()) {
    fmt::print("{}", rendered_markdown(page));
    return true;
  }
  fmt::print("{}  a rule of the checker ({}{})\n", painted(Paint::kBold, rule->name),
             rule->severity, rule->mutedByDefault != 0 ? ", muted by default" : "");
  show_paragraph("means", rule->summary);
  show_paragraph("do this", rule->advice);
  show_paragraph("mute", fmt::format("--mute {0}, FERRY_MUTE={0}, or a line in a suppressions file",
                                     rule->name));
  return true;
}

void show_rules() {
  Table table({"rule", "kind", "reports"});
  for (const ferryRule& rule : all_rules()) {
    table.add({rule.name, rule.mutedByDefault != 0 ? "muted" : rule.severity, rule.summary});
  }
  fmt::print("{}", table.text());
}

std::vector<std::string> suggest_rules(std::string_view name) {
  constexpr size_t kMostEdits = 3;
  std::vector<std::string> names;
  for (const ferryRule& rule : all_rules()) {
    const std::string_view known = rule.name;
    if (edit_distance(name, known) <= kMostEdits ||
        (name.size() >= 4 && known.find(name) != std::string_view::npos)) {
      names.emplace_back(known);
    }
  }
  return names;
}

}  // namespace ferry::tools
