// SPDX-License-Identifier: Apache-2.0
// The pages are Markdown that is printed as it is; on a terminal headings are bold.
#include "rule_pages.h"

#include "errors/edit_distance.h"
#include "library.h"
#include "text.h"

#include "ferry/ferry.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace ferry::tools {
namespace {

std::vector<ferryRule> all_rules() {
  std::vector<ferryRule> rules;
  ferryRule rule{};
  while (ferryGetRule(rules.size(), &rule) == ACL_SUCCESS)
    rules.push_back(rule);
  return rules;
}

std::optional<std::string> page_of(const std::string& rule) {
  const std::optional<std::filesystem::path> prefix = install_prefix();
  if (!prefix) return {};
  std::ifstream file(*prefix / "share" / "ferry" / "rules" / (rule + ".md"));
  if (!file.is_open()) return {};
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

void show_page(std::string_view page) {
  bool is_code = false;
  for (size_t start = 0; start < page.size();) {
    const size_t end = std::min(page.find('\n', start), page.size());
    const std::string_view line = page.substr(start, end - start);
    if (line.starts_with("```")) is_code = !is_code;
    const bool is_heading = !is_code && line.starts_with('#');
    fmt::print("{}\n", painted(is_heading ? Paint::kBold : Paint::kPlain, line));
    start = end + 1;
  }
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
  if (const std::optional<std::string> page = page_of(rule->name)) {
    show_page(*page);
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
