// SPDX-License-Identifier: Apache-2.0
// ferry explain: codes, functions, variables and the checker's rules in plain words. The texts are
// in errors/, in the public headers, in docs/rules and in the library.
#include "commands.h"
#include "errors/catalog.h"
#include "explain_function.h"
#include "help.h"
#include "rule_pages.h"
#include "text.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools {
namespace {

constexpr const char* kExplainName = "ferry explain";
constexpr const char* kExplainFooter =
    "Examples:\n"
    "  ferry explain 107002          a code that a call returned\n"
    "  ferry explain CONTEXT_NULL    a name, with or without ACL_ERROR_RT_\n"
    "  ferry explain EE1003          the code in brackets at the end of an error text\n"
    "  ferry explain stream-race     a rule of the checker (ferry run --check)\n"
    "  ferry explain aclrtMemcpy     a function: what it does, its codes in order\n"
    "  ferry explain FERRY_SCHEDULE  an environment variable\n"
    "  ferry explain 107000 207000   several at once\n"
    "  ferry explain                 the most common codes, and all rules\n"
    "\n"
    "Exit code: 0 when all were found, 1 when one was not.";

// The most common codes, judged by what users ask about.
constexpr int kCommonCodes[] = {100000, 100002, 107000, 107001, 107002, 107003, 107017,
                                207000, 207001, 507001, 507033, 507046, 507910};

void show_paragraph(std::string_view head, std::string_view text) {
  constexpr size_t kIndent = 11;
  fmt::print("  {}{}{}\n", painted(Paint::kBold, head), std::string(kIndent - 2 - head.size(), ' '),
             wrapped(text, kIndent, text_width()));
}

void show_error(const ErrorEntry& entry, std::string_view separator) {
  fmt::print("{}{}  {}\n", separator, painted(Paint::kBold, fmt::format("{}", entry.code)),
             entry.name);
  for (const ErrorAlias& alias : error_aliases()) {
    if (alias.code == entry.code) fmt::print("        also {}\n", alias.name);
  }
  show_paragraph("means", entry.meaning);
  show_paragraph("because", entry.cause);
  show_paragraph("do this", entry.remedy);
}

void show_message(const MessageCode& message, std::string_view query, std::string_view separator) {
  fmt::print("{}{}  the code in brackets at the end of an error text\n", separator,
             painted(Paint::kBold, query));
  show_paragraph("means", message.tells);
}

// A whole error text may be pasted: one of its words is the message code, wherever it is.
std::pair<const MessageCode*, std::string_view> find_message(std::string_view query) {
  constexpr std::string_view kLetters =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  size_t start = 0;
  while ((start = query.find_first_of(kLetters, start)) != std::string_view::npos) {
    const size_t end = std::min(query.find_first_not_of(kLetters, start), query.size());
    const std::string_view word = query.substr(start, end - start);
    const MessageCode* message = find_message_code(word);
    if (message == nullptr) message = find_message_family(word);
    if (message != nullptr) return {message, word};
    start = end;
  }
  return {};
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Prints what the query stands for, after `separator`; false when nothing is known about it.
bool show_known(std::string_view query, std::string_view separator) {
  if (show_function(query, separator) || show_variable(query, separator)) return true;
  if (is_number(query)) {
    int code = 0;
    const auto parsed = std::from_chars(query.data(), query.data() + query.size(), code);
    const ErrorEntry* entry = parsed.ec == std::errc() ? find_error(code) : nullptr;
    if (entry != nullptr) show_error(*entry, separator);
    return entry != nullptr;
  }
  if (const auto [message, code] = find_message(query); message != nullptr) {
    show_message(*message, code, separator);
    return true;
  }
  if (show_rule(query, separator)) return true;
  const std::vector<const ErrorEntry*> entries = find_errors(query);
  for (const ErrorEntry* entry : entries) {
    show_error(*entry, entry == entries.front() ? separator : "\n");
  }
  return !entries.empty();
}

void show_suggestions(std::string_view query) {
  const std::vector<const ErrorEntry*> errors = suggest_errors(query);
  const std::vector<const MessageCode*> messages =
      is_number(query) ? std::vector<const MessageCode*>() : suggest_message_codes(query);
  const std::vector<std::string> rules = suggest_rules(query);
  const std::string others[] = {similar_function(query), similar_variable(query)};
  const bool is_like_nothing =
      errors.empty() && messages.empty() && rules.empty() && others[0].empty() && others[1].empty();
  complain(kExplainName,
           fmt::format("\"{}\" is no code or name, no function or variable, and no rule{}", query,
                       is_like_nothing ? "" : "; did you mean"));
  for (const std::string& other : others) {
    if (!other.empty()) fmt::print(stderr, "  {}\n", other);
  }
  for (const std::string& rule : rules)
    fmt::print(stderr, "  {}\n", rule);
  for (const ErrorEntry* entry : errors)
    fmt::print(stderr, "  {}  {}\n", entry->code, entry->name);
  for (const MessageCode* message : messages)
    fmt::print(stderr, "  {}\n", message->code);
}

void show_common() {
  Table table({"code", "name", "means"});
  for (const int code : kCommonCodes) {
    const ErrorEntry* entry = find_error(code);
    if (entry != nullptr) table.add({fmt::format("{}", code), entry->name, entry->meaning});
  }
  const std::string hint = fmt::format(
      "Why it happens and what to do: ferry explain CODE. It knows {} codes, names such as "
      "CONTEXT_NULL, and the codes in brackets at the end of error texts, such as EE1003.",
      error_catalog().size());
  fmt::print("{}\n{}\n\n", table.text(), wrapped(hint, 0, text_width()));
  show_rules();
  fmt::print("\n{}\n", wrapped("What a rule finds, why that is a bug and how to fix it: ferry "
                               "explain RULE. Functions and variables are explained, too.",
                               0, text_width()));
}

int explain(const std::vector<std::string>& queries) {
  if (queries.empty()) {
    show_common();
    return kExitSuccess;
  }
  int result = kExitSuccess;
  std::string_view separator;
  for (const std::string& query : queries) {
    if (show_known(query, separator)) {
      separator = "\n";
    } else {
      show_suggestions(query);
      result = kExitFailure;
    }
  }
  return result;
}

}  // namespace

Command add_explain(CLI::App& app) {
  auto queries = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand(
      "explain", "Say in plain words what a code, a function, a variable or a rule means");
  command->formatter(
      help_with_usage("ferry explain [CODE | NAME | FUNCTION | VARIABLE | RULE]..."));
  command->add_option(
      "CODE", *queries,
      "Codes, names, functions, variables, codes in brackets of error texts, or rules");
  command->footer(kExplainFooter);
  return {command, [queries] { return explain(*queries); }};
}

}  // namespace ferry::tools
